"""Triage cases: a finished turn, what is known before it, and what must become of it; and how an answer is judged."""

from __future__ import annotations

import base64
import json
import random
import string
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Self

import regex

from memoryapp.llm.backends.offline.extract import extract
from memoryapp.llm.tasks import (
    ExtractionInput,
    ExtractionReply,
    KnownFact,
    Operation,
    Overlay,
    TranscriptMessage,
)

DATA = Path(__file__).parent.parent / "data"
PLACEHOLDER = regex.compile(r"\{\{([A-Z_]+)\}\}")
# So many characters in a row of a secret give it away.
FRAGMENT = 8
MARKS = str.maketrans("‘’‚‛“”„‟–—‑−", "''''\"\"\"\"----")


def _letters(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    source = random.Random(f"triage {count} {alphabet}")
    return "".join(source.choice(alphabet) for _ in range(count))


def _token() -> str:
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": "someone", "iat": 1_770_000_000}]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, _letters(43)])


# Made when the tests run, so that no file holds anything that looks like a secret.
SECRETS = {
    "OPENAI_KEY": "sk-" + "proj-" + _letters(48),
    "AWS_KEY": "AKI" + "A" + _letters(16, string.ascii_uppercase + string.digits),
    "AWS_SECRET": _letters(40, string.ascii_letters + string.digits + "+/"),
    "GITHUB_PAT": "gh" + "p_" + _letters(36),
    "PASSWORD": _letters(6) + "!" + _letters(7) + "-9",
    "JWT": _token(),
    "SLACK_WEBHOOK": "https://hooks.slack"
    + ".com/services/T"
    + _letters(9)
    + "/B"
    + _letters(10)
    + "/"
    + _letters(24),
    "HEX_TOKEN": _letters(40, "0123456789abcdef"),
    "PAIRING_CODE": _letters(4, string.ascii_uppercase) + "-" + _letters(4, string.digits),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One operation a case expects."""

    op: str
    category: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    targets: tuple[int, ...] = ()

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Self:
        target = row.get("target")
        targets = target if isinstance(target, list) else [] if target is None else [target]
        lists = (row.get(key, []) for key in ("category", "must", "must_not"))
        return cls(row["op"], *(tuple(values) for values in lists), tuple(targets))


@dataclass(frozen=True, slots=True)
class Case:
    """One turn with its expectations."""

    id: str
    group: str
    language: str
    hard: bool
    task: ExtractionInput
    wanted: tuple[Wanted, ...]
    most: int
    never: tuple[str, ...] = ()

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Self:
        expect = row["expect"]
        return cls(
            row["id"],
            row["group"],
            row["lang"],
            bool(row.get("hard_for_rules")),
            _task(row),
            tuple(Wanted.read(wanted) for wanted in expect["operations"]),
            expect["max_operations"],
            tuple(expect.get("never_stored", ())),
        )


def _task(row: Mapping[str, Any]) -> ExtractionInput:
    messages = enumerate(row["messages"], start=1)
    return ExtractionInput(
        messages=tuple(
            TranscriptMessage(number, said["role"], expand(said["content"]), said.get("name"))
            for number, said in messages
        ),
        today=date.fromisoformat(row["today"]),
        known=tuple(KnownFact(number, text) for number, text in enumerate(row.get("recalled", ()))),
        overlay=Overlay(row.get("overlay", "default")),
    )


def expand(text: str) -> str:
    """The text with every placeholder replaced by a made-up secret."""
    return PLACEHOLDER.sub(lambda match: SECRETS[match[1]], text)


def load_cases(name: str) -> list[Case]:
    """The cases of a file among the test data."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [Case.read(json.loads(line)) for line in lines]


@dataclass(frozen=True, slots=True)
class Change:
    """One operation of an answer; what an update takes in counts as a deletion."""

    op: str
    text: str = ""
    category: str = ""
    target: int | None = None


def changes_of(reply: ExtractionReply) -> list[Change]:
    """What an answer would change."""
    changes: list[Change] = []
    for candidate in reply.operations:
        if candidate.op is not Operation.NONE:
            changes.append(Change(candidate.op.lower(), candidate.text, candidate.category, candidate.target))
            changes += [Change("delete", target=number) for number in candidate.also]
    return changes


def flaws_of(case: Case, reply: ExtractionReply | None = None) -> list[str]:
    """Why an answer (by default the offline one) does not do for a case; empty when it does."""
    changes = changes_of(reply or extract(case.task))
    fits = [
        [place for place, change in enumerate(changes) if _fits(wanted, change)] for wanted in case.wanted
    ]
    matched = _assign(fits)
    flaws = [f"{case.wanted[place].op} missing" for place in range(len(fits)) if place not in matched]
    if len(changes) > case.most:
        flaws.append(f"{len(changes)} operations: {[change.text for change in changes]}")
    targets = [change.target for change in changes if change.target is not None]
    if len(targets) > len(set(targets)):
        flaws.append("a known fact is touched twice")
    return flaws + [f"stored {never}" for change in changes for never in case.never if _tells(never, change)]


def _fits(wanted: Wanted, change: Change) -> bool:
    if change.op not in wanted.op.split("|"):
        return False
    if change.op != "add" and wanted.targets and change.target not in wanted.targets:
        return False
    if change.op == "delete":
        return True
    return (
        (not wanted.category or change.category in wanted.category)
        and all(_occurs(pattern, change.text) for pattern in wanted.must)
        and not any(_occurs(pattern, change.text) for pattern in wanted.must_not)
    )


def _assign(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """The largest matching of wishes to changes."""
    owner: dict[int, int] = {}

    def place(wish: int, seen: set[int]) -> bool:
        for change in fits[wish]:
            if change not in seen:
                seen.add(change)
                if change not in owner or place(owner[change], seen):
                    owner[change] = wish
                    return True
        return False

    for wish in range(len(fits)):
        place(wish, set())
    return {wish: change for change, wish in owner.items()}


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(MARKS).lower().split())


def _occurs(pattern: str, text: str) -> bool:
    """A /regular expression/ or a piece of text, without regard to case, width and kind of quotes."""
    if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/"):
        return regex.search(pattern[1:-1], _plain(text), regex.IGNORECASE) is not None
    return _plain(pattern) in _plain(text)


def _tells(never: str, change: Change) -> bool:
    placeholder = PLACEHOLDER.fullmatch(never)
    if placeholder is None:
        return _occurs(never, change.text)
    secret, text = SECRETS[placeholder[1]].lower(), change.text.lower()
    if placeholder[1] == "SLACK_WEBHOOK":
        secret = secret.rpartition("/services/")[2]
    return any(secret[start : start + FRAGMENT] in text for start in range(len(secret) - FRAGMENT + 1))


@dataclass(slots=True)
class Tally:
    """How many cases of each kind went well, and what was wrong with the others."""

    passed: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)
    flaws: dict[str, list[str]] = field(default_factory=dict)

    def share(self, kind: str) -> float:
        """The part of a kind that went well."""
        return self.passed.get(kind, 0) / self.total[kind] if self.total.get(kind) else 1.0


def tally(cases: Sequence[Case]) -> Tally:
    """The offline answers to all cases, judged."""
    result = Tally()
    for case in cases:
        flaws = flaws_of(case)
        if flaws:
            result.flaws[case.id] = flaws
        for kind in _kinds(case):
            result.total[kind] = result.total.get(kind, 0) + 1
            result.passed[kind] = result.passed.get(kind, 0) + (not flaws)
    return result


def _kinds(case: Case) -> Iterator[str]:
    yield "all"
    yield case.group
    yield case.language
    yield "hard" if case.hard else "solvable"
    if not case.hard:
        yield f"solvable {case.group}"
        yield f"solvable {case.language}"
