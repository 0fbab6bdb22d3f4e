"""How a message is searched for: in which words, within which limits, or not at all. Plain rules, no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, Final

import regex

from memoryapp.llm.language.detection import detect_language
from memoryapp.retrieval.recall_words import FILLER, KINDS, LATELY, SMALL_TALK, TOLD, Kind
from memoryapp.retrieval.times import find_times

# An embedder reads so much of a text; of a longer message the questions count, then what names things.
TELLING_CHARACTERS: Final = 400
LONGEST_SMALL_TALK: Final = 80
LONGEST_MESSAGE: Final = 20_000
RECENT: Final = timedelta(days=30)
SENTENCE: Final = regex.compile(r"[^.!?。！？\n]+[.!?。！？]*")
QUESTION_MARK: Final = regex.compile(r"[?？]")
NAMED: Final = regex.compile(r"(?<=\p{Ll}[\s,]+)\p{Lu}\p{L}+|\d|[/@_]")
LOOSE_MARKS: Final = regex.compile(r"^[\s,.;:!、，。]+|[\s,;:、，]+$|(?<=\s)[,.;:!?]+(?=\s)")


@dataclass(frozen=True, slots=True)
class RecallPlan:
    """What memory is asked for a message; an empty query asks nothing, and `reason` says why."""

    query: str
    categories: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    by: str = "rules"
    reason: str = ""

    @property
    def filter(self) -> dict[str, Any] | None:
        """Its limits in the filter language, None when there are none."""
        conditions: list[dict[str, Any]] = []
        if self.categories:
            conditions.append({"categories": {"in": list(self.categories)}})
        span = {
            name: moment.isoformat()
            for name, moment in (("gte", self.since), ("lt", self.until))
            if moment is not None
        }
        if span:
            conditions.append({"timestamp": span})
        return {"AND": conditions} if conditions else None


def plan_recall(message: str, moment: datetime) -> RecallPlan:
    """The search that a message calls for; times in it are seen from the moment and in its time zone."""
    message = message[:LONGEST_MESSAGE].strip()
    if len(message) <= LONGEST_SMALL_TALK and SMALL_TALK.fullmatch(message):
        return RecallPlan("", reason="Small talk asks memory for nothing.")
    telling = _telling_part(message)
    kinds = [kind for kind in KINDS if kind.asked.search(telling)]
    stripped = _without_filler(telling) or telling
    bridge = _bridge(kinds, detect_language(telling))
    wanted = [kind for kind in kinds if kind.wanted is not None and kind.wanted.search(telling)]
    since, until = _span(telling, moment, asks_for_kind=bool(wanted))
    return RecallPlan(
        " ".join([stripped, *bridge]),
        tuple(name for kind in wanted for name in kind.categories),
        since,
        until,
    )


def _telling_part(message: str) -> str:
    """The message, or of a long one its questions and what names things, the latest first, in their order."""
    if len(message) <= TELLING_CHARACTERS:
        return message
    sentences = [found.group().strip() for found in SENTENCE.finditer(message) if found.group().strip()]
    places = range(len(sentences))
    by_worth = sorted(places, key=lambda place: (-_worth(sentences[place]), -place))
    room = TELLING_CHARACTERS
    kept: list[int] = []
    for place in by_worth:
        if len(sentences[place]) <= room or not kept:
            kept.append(place)
            room -= len(sentences[place])
    return " ".join(sentences[place] for place in sorted(kept))[: 2 * TELLING_CHARACTERS]


def _worth(sentence: str) -> int:
    asks = bool(QUESTION_MARK.search(sentence))
    return 10 * asks + min(len(NAMED.findall(sentence)), 5)


def _without_filler(text: str) -> str:
    return LOOSE_MARKS.sub(" ", " ".join(FILLER.sub(" ", text).split())).strip()


def _bridge(kinds: list[Kind], language: str) -> Iterator[str]:
    """The words of the first kind of memory that is asked for: of several each would pull its own way."""
    for kind in kinds[:1]:
        yield kind.bridge.get(language, kind.bridge["en"])


def _span(text: str, moment: datetime, *, asks_for_kind: bool) -> tuple[datetime | None, datetime | None]:
    """From when to when what is meant was said, as far as the message asks for that."""
    told = TOLD.search(text) is not None
    if (told or asks_for_kind) and LATELY.search(text):
        return moment - RECENT, None
    times = [each for each in find_times(text, moment) if not each.every_year] if told else []
    past = [each for each in times if each.first <= moment.date()]
    if len(past) != 1:
        return None, None
    first = datetime.combine(past[0].first, time.min, moment.tzinfo)
    return first, datetime.combine(past[0].last + timedelta(days=1), time.min, moment.tzinfo)
