"""A new fact against what is known: nothing new, a change of it, or something of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import regex

from memoryapp.llm.backends.offline.combining import combine, ends, has_room, replace_value
from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.backends.offline.likeness import CALENDAR, proper_words, shared_weight, strong_words
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.replacing import is_newer_version, is_same_matter
from memoryapp.llm.backends.offline.slots import fills_same_slot, is_about_owner
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.wording import overlap, says_nothing_new
from memoryapp.llm.tasks import KnownFact, Operation

_ATOMIC = 5
NAMING = regex.compile(r"\b(?:name is|is (?:called|named)|se llama)\b|名字|叫", regex.IGNORECASE)


@dataclass(slots=True)
class Settled:
    """What becomes of a fact: the operation, what it acts on, and its final text."""

    op: Operation
    text: str = ""
    target: int | None = None
    also: list[int] = field(default_factory=list)
    reason: str = ""


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
    for other in known:
        if (
            fills_same_slot(fact.kind, fact.body, other.text)
            and is_about_owner(other.text)
            and (fact.changes or fact.kind != "work")
        ):
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
    direct = [other for other in known if shared_weight(fact, other) >= 1]
    named = [other for other in direct if NAMING.search(other.text)]
    if (len(direct) < 2 and not named) or not any(
        proper_words(fact.text, everywhere=True) & proper_words(other.text, everywhere=True)
        for other in direct
    ):
        return None
    linked = [other for other in known if other in direct or any(_share_noun(other, hit) for hit in direct)]
    atomic = [other for other in linked if len(strong_words(other.text)) <= _ATOMIC]
    if len(atomic) < 2:
        return None
    best = max(atomic, key=lambda other: (shared_weight(fact, other), -other.number))
    rest = [other for other in atomic if other is not best]
    text = combine([other.text for other in atomic], fact)
    return Settled(
        Operation.UPDATE, text, best.number, [other.number for other in rest], "takes in several known facts"
    )


def _changed(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """Words of change together with what a known fact is about."""
    scored = [
        (shared_weight(fact, other), other)
        for other in known
        if _comparable(fact, other)
        and (fact.changes or is_newer_version(fact, other) or ends(other.text, fact))
    ]
    weight, best = max(scored, key=lambda pair: (pair[0], -pair[1].number), default=(0, None))
    if best is None or weight < 1 or not is_same_matter(fact, best, weight):
        return None
    return Settled(
        Operation.UPDATE, combine(best.text, fact, replaces=True), best.number, reason="a known fact changed"
    )


def _enriched(fact: Fact, known: Sequence[KnownFact]) -> Settled | None:
    """More about the same thing: old and new in one fact."""
    for other in sorted(known, key=lambda one: -shared_weight(fact, one)):
        weight = shared_weight(fact, other)
        strong = strong_words(other.text)
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


def _share_noun(other: KnownFact, hit: KnownFact) -> bool:
    return other is not hit and bool(overlap(other.text, hit.text))
