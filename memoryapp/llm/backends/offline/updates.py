"""A new fact against what is known: nothing new, a change of it, or something of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import regex

from memoryapp.llm.backends.offline.combining import combine, ends, has_other_version, has_room, replace_value
from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.slots import SLOTS, is_about_owner
from memoryapp.llm.language.detection import detect_language, is_cjk
from memoryapp.llm.language.vocabulary import STOP_WORDS
from memoryapp.llm.language.wording import content_words, is_weak, overlap, says_nothing_new
from memoryapp.llm.language.wordlists import words
from memoryapp.llm.tasks import KnownFact, Operation

_ATOMIC = 5
NAMING = regex.compile(r"\b(?:name is|is (?:called|named)|se llama)\b|名字|叫", regex.IGNORECASE)
_PROPER = regex.compile(
    r"(?<![.!?:]\s)(?<!^)\b\p{Lu}[\p{L}\p{N}'’-]+|\b\w*\d\w*\b|(?<=\s)#\w+|\b\p{Ll}+\p{Lu}\w*"
)
_ANY_PROPER = regex.compile(r"\b\p{Lu}[\p{L}\p{N}'’-]+")
CALENDAR = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september "
    "october november december"
)
_NOT_PROPER = words(
    "last next since gaming yeah unfortunately lately currently another something once "
    "today yesterday user users usuario usuaria nutzer as of the i rule"
)


@dataclass(slots=True)
class Settled:
    """What becomes of a fact: the operation, what it acts on, and its final text."""

    op: Operation
    text: str = ""
    target: int | None = None
    also: list[int] = field(default_factory=list)
    reason: str = ""


# Two things noted on one day have nothing else in common.
_ANCHOR = regex.compile(r"\d{4}-\d{2}-\d{2}")


def settle(fact: Fact, known: Sequence[KnownFact]) -> Settled:
    """The fact's relation to what is known."""
    same = [other for other in known if detect_language(other.text) == fact.language or not fact.words]
    repeated = next((other for other in same if says_nothing_new(fact.words, other.text)), None)
    if repeated is not None:
        return Settled(
            Operation.NONE, fact.text, repeated.number, reason="already known, nothing material is new"
        )
    if fact.kind == "constraint":
        return Settled(Operation.ADD, fact.text)
    for find in (_replaced_value, _same_slot, _consolidated, _changed, _enriched):
        settled = find(fact, same)
        if settled:
            return settled
    if fact.kind == "enrichment":
        return Settled(
            Operation.NONE, fact.text, reason="no statement by itself and no change of a known fact"
        )
    return Settled(Operation.ADD, fact.text)


def join_about_known(facts: Sequence[Fact], known: Sequence[KnownFact]) -> list[Fact]:
    """News of the same known thing, told in several sentences, made one piece of news."""
    joined: list[Fact] = []
    for fact in facts:
        host = joined[-1] if joined else None
        if host is not None and (
            ("enrichment" in (host.kind, fact.kind) and _about_one_known_thing(host, fact, known))
            or _leans_on_known(host, fact, known)
        ):
            joined[-1] = _joined(host, fact)
        else:
            joined.append(fact)
    return joined


def _leans_on_known(host: Fact, fact: Fact, known: Sequence[KnownFact]) -> bool:
    """Whether news of something known goes on about it without its name."""
    return (
        _NAMES_NOBODY.search(fact.words) is not None
        and not set(host.evidence).isdisjoint(fact.evidence)
        and all(any(overlap(one.words, other.text) for other in known) for one in (host, fact))
    )


_NAMES_NOBODY = regex.compile(
    r"\b(?:her|him|it|them|that (?:cat|dog|horse|boat|car|bike|garden))\b", regex.IGNORECASE
)


def _about_one_known_thing(one: Fact, two: Fact, known: Sequence[KnownFact]) -> bool:
    if one.language != two.language or set(one.evidence).isdisjoint(two.evidence):
        return False
    hit_by_one = [other for other in known if overlap(one.words, other.text)]
    hit_by_two = [other for other in known if overlap(two.words, other.text)]
    return any(
        first is second or _share_noun(first, second) for first in hit_by_one for second in hit_by_two
    ) or any(_linked_through(first, second, known) for first in hit_by_one for second in hit_by_two)


def _linked_through(first: KnownFact, second: KnownFact, known: Sequence[KnownFact]) -> bool:
    return any(_share_noun(first, middle) and _share_noun(middle, second) for middle in known)


def _joined(one: Fact, two: Fact) -> Fact:
    pack = pack_for(one.language)
    main, other = (two, one) if one.kind == "enrichment" else (one, two)
    body = pack.join([one.body, two.body], main.category)
    return replace(
        main,
        body=body,
        text=pack.finish(body, main.category, main.day, main.dated),
        words=f"{one.words} {two.words}",
        evidence=sorted({*one.evidence, *two.evidence}),
        explicit=one.explicit or two.explicit,
        changes=main.changes and other.changes,
    )


def _replaced_value(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """'X, not Y' corrects the known fact that says Y."""
    for other in known:
        text = replace_value(fact, other.text)
        if text:
            return Settled(Operation.UPDATE, text, other.number, reason="corrects a known fact")
    return None


def _same_slot(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """Where somebody lives and works changes: one fact, not two."""
    slot = SLOTS.get(fact.kind)
    if slot is None or not slot.search(fact.body):
        return None
    for other in known:
        if slot.search(other.text) and is_about_owner(other.text) and (fact.changes or fact.kind != "work"):
            return Settled(
                Operation.UPDATE,
                _with_former(other.text, fact),
                other.number,
                reason="the known value changed",
            )
    return None


def _with_former(old: str, fact: Fact) -> str:
    """A promotion keeps where one works; a move needs nothing of the old place."""
    text = combine(old, fact, replaces=True)
    former = regex.match(
        r"^(?:as of [\d-]+, )?user (?:is|works as) (?P<what>(?:an?|the) .+)$", old, regex.IGNORECASE
    )
    if former and regex.search(r"\bpromoted\b", fact.words, regex.IGNORECASE):
        return f"{text}; previously {former['what'].rstrip('.')}"
    return text


def _consolidated(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """A rich fact takes in the small ones about the same thing."""
    direct = [other for other in known if _shared_weight(fact, other) >= 1]
    named = [other for other in direct if NAMING.search(other.text)]
    if (len(direct) < 2 and not named) or not any(
        proper_words(fact.text, everywhere=True) & proper_words(other.text, everywhere=True)
        for other in direct
    ):
        return None
    linked = [other for other in known if other in direct or any(_share_noun(other, hit) for hit in direct)]
    atomic = [other for other in linked if len(_strong(other.text)) <= _ATOMIC]
    if len(atomic) < 2:
        return None
    best = max(atomic, key=lambda other: (_shared_weight(fact, other), -other.number))
    rest = [other for other in atomic if other is not best]
    text = combine([other.text for other in atomic], fact)
    return Settled(
        Operation.UPDATE, text, best.number, [other.number for other in rest], "takes in several known facts"
    )


def _changed(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """Words of change together with what a known fact is about."""
    scored = [
        (_shared_weight(fact, other), other)
        for other in known
        if _comparable(fact, other)
        and (fact.changes or _is_newer_version(fact, other) or ends(other.text, fact))
    ]
    weight, best = max(scored, key=lambda pair: (pair[0], -pair[1].number), default=(0, None))
    if best is None or weight < 1 or not _is_same_matter(fact, best, weight):
        return None
    return Settled(
        Operation.UPDATE, combine(best.text, fact, replaces=True), best.number, reason="a known fact changed"
    )


def _is_same_matter(fact: Fact, other: KnownFact, weight: int) -> bool:
    """Whether a change may replace a known fact: they share its name, or half of what it says."""
    if is_cjk(fact.language) or fact.language != "en":
        return True
    strong, shared = _strong(other.text), overlap(fact.words, other.text)
    named = proper_words(fact.text) & proper_words(other.text, everywhere=True) - CALENDAR
    if _CLEARLY_CHANGED.search(fact.words) or _is_newer_version(fact, other) or ends(other.text, fact):
        return True
    return len(shared) * 2 >= len(strong) or (bool(named) and weight >= 3)


# "New" and "passed" may be said of anything; these of what was different before.
_CLEARLY_CHANGED = regex.compile(
    r"\b(?:no longer|any ?more|instead|swapped|is out|switched|changed|moved|replaced|up(?:graded|dated)|"
    r"downgraded|"
    r"migrated|bumped|renamed|"
    r"giv(?:en|e) up|gave up|quit|stopped|done with|used to|actually|postponed|cancel\w+|pushed|extended|slipped|"
    r"finished|completed|"
    r"shipped|over to|from \S+ to|not .+ but|is now|are now|fully|after all|through|promoted|off)\b|, not ",
    regex.IGNORECASE,
)


def _is_newer_version(fact: Fact, other: KnownFact) -> bool:
    """Whether one thing has another version or model now: 15.6 and 17.2, 'Fairphone 4' and 'Fairphone 6'."""
    if fact.category not in ("configuration", "technical", "project", "identity", "preference"):
        return False
    if _shared_weight(fact, other) >= 2 and has_other_version(other.text, fact):
        return True
    before = {
        match["name"].lower(): match["number"] for match in _MODEL.finditer(_ANCHOR.sub(" ", other.text))
    }
    return any(
        before.get(match["name"].lower(), match["number"]) != match["number"]
        for match in _MODEL.finditer(_ANCHOR.sub(" ", fact.body))
    )


_MODEL = regex.compile(
    r"\b(?P<name>\p{Lu}\p{L}+) (?P<number>\d{1,2}(?:\.\d+)*|[IVX]+)\b(?! (?:"
    r"January|February|March|April|May|June|July|August|September|October|November|December))"
)


def _enriched(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """More about the same thing: old and new in one fact."""
    for other in sorted(known, key=lambda one: -_shared_weight(fact, one)):
        weight = _shared_weight(fact, other)
        strong = _strong(other.text)
        named = bool(proper_words(fact.text) & proper_words(other.text, everywhere=True) - CALENDAR)
        covered = len(overlap(fact.words, other.text)) * 2 >= len(strong) if strong else False
        if has_room(other.text, fact) and (
            (named and weight >= 2) or (covered and (weight >= 2 or _is_bare(fact, strong)))
        ):
            return Settled(
                Operation.UPDATE, combine(other.text, fact), other.number, reason="adds to a known fact"
            )
    return None


def _is_bare(fact: Fact, strong: frozenset[str]) -> bool:
    """Whether the known fact says no more than 'User likes Python', of which a liking tells more."""
    return len(strong) <= 2 and fact.category == "preference"


def _comparable(fact: Fact, other: KnownFact) -> bool:
    """People's facts are not changed by facts about things."""
    return (
        fact.category != "rule"
        or regex.search(r"\brule|regla|规则|never|always|nunca|siempre|prefer", other.text, regex.IGNORECASE)
        is not None
    )


def _strong(text: str) -> frozenset[str]:
    return frozenset(word for word in content_words(text) if not is_weak(word))


def _shared_weight(fact: Fact, other: KnownFact) -> int:
    shared = overlap(fact.words, other.text)
    if is_cjk(fact.language):
        return len(shared) // 2 + (1 if shared else 0)
    names = {word.lower() for word in proper_words(fact.text) & proper_words(other.text, everywhere=True)}
    return len(shared) + len(names)


def _share_noun(other: KnownFact, hit: KnownFact) -> bool:
    return other is not hit and bool(overlap(other.text, hit.text))


def proper_words(text: str, *, everywhere: bool = False) -> frozenset[str]:
    """Names and identifiers: capitals inside a sentence, anything with a digit but the day it is anchored to."""
    pattern = _ANY_PROPER if everywhere else _PROPER
    told = _ANCHOR.sub(" ", text)
    words = {
        match.group().rstrip("'s’").lower() for match in (*pattern.finditer(told), *_PROPER.finditer(told))
    }
    return frozenset(
        word for word in words if not (word in _NOT_PROPER or word in STOP_WORDS or _A_FIGURE.fullmatch(word))
    )


_A_FIGURE = regex.compile(r"\d{1,4}")


def changes(words: str, language: str) -> bool:
    """Whether the words speak of something being different from before."""
    return bool(pack_for(language).changed.search(words))
