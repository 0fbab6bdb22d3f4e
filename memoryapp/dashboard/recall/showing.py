"""A search as the debugger shows it: the arms side by side, the fused order with its boosts, the time of each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.models import Fact, FileSection, Message
from memoryapp.retrieval import tracing
from memoryapp.retrieval.ranking import Candidate
from memoryapp.retrieval.results import SearchResult, meaning_of
from memoryapp.retrieval.sources import SOURCES
from memoryapp.retrieval.tracing import Trace

ARM_ROWS = 5
# So many rows after the last result are shown as nearly found.
NEXT_ROWS = 5
# Which boosts make up the arm of context, and which stand in columns of their own.
CONTEXT = ("context", "speaker", "said_then", "happened_then")
COLUMNS = (("importance",), ("trust",), ("recency",), ("from_person", "directive"))
STEPS = {
    tracing.WORDS: gettext_lazy("Words"),
    tracing.EMBEDDING: gettext_lazy("Embedding the question"),
    tracing.NEAREST: gettext_lazy("Meaning and neighbours"),
    tracing.WEIGHING: gettext_lazy("Fuse and boost"),
    tracing.LOADING: gettext_lazy("Load"),
    tracing.REPEATS: gettext_lazy("Repeats"),
    tracing.RERANKING: gettext_lazy("Reranker"),
}
KINDS = {source.kind: source for source in SOURCES.values()}


class ArmRow(NamedTuple):
    """One row of an arm."""

    rank: int
    text: str
    score: str
    lit: bool


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of finding: its best rows by its own score."""

    title: str
    about: str
    rows: list[ArmRow]
    nothing: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the fused order."""

    rank: int
    id: str
    kind: str
    text: str
    words: int | None
    meaning: int | None
    context: int | None
    fused: float
    boosts: list[float]
    total: float
    # How sure it is to be meant, which a threshold is held against; only results have it.
    score: float | None
    reranked: int | None = None
    is_repeat: bool = False
    lit: bool = False
    place: str = ""

    @property
    def is_fact(self) -> bool:
        return self.kind == "fact"


class Bar(NamedTuple):
    """One step's time, as a share of the whole."""

    label: str
    milliseconds: float
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything the page shows of one search."""

    arms: list[Arm]
    results: list[Row]
    # Below the least score, and after the last that was asked for.
    below: list[Row]
    beyond: list[Row]
    times: list[Bar]
    took_ms: float
    readable: int
    ranked: int
    degraded: bool
    places: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_reranked(self) -> bool:
        return any(row.reranked for row in [*self.results, *self.below])


class Ordered:
    """The rows of a trace in one order, whatever their kind, with the texts of those that are shown."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.kinds = {each.id: kind for kind, ranked in trace.ranked.items() for each in ranked}
        self.candidates = sorted(
            (each for ranked in trace.ranked.values() for each in ranked),
            key=lambda each: (-each.score, each.id),
        )
        words = [(share, key, kind) for kind, shares in trace.shares.items() for key, share in shares.items()]
        words.sort(key=lambda each: (-each[0], each[1]))
        self.words = {key: (place, share) for place, (share, key, _kind) in enumerate(words, 1)}
        self.kinds |= {key: kind for _share, key, kind in words}
        self.meaning = _places(
            (each.id, each.nearness) for each in self.candidates if each.nearness is not None
        )
        self.context = _places((each.id, value) for each in self.candidates if (value := _context_of(each)))
        self.by_id = {each.id: each for each in self.candidates}

    def likelihood(self, key: str) -> float:
        return meaning_of(self.by_id[key], self.trace.asked) or 0.0


def _places(values: Iterable[tuple[str, float]]) -> dict[str, tuple[int, float]]:
    ordered = sorted(values, key=lambda each: (-each[1], each[0]))
    return {key: (place, value) for place, (key, value) in enumerate(ordered, 1)}


def _context_of(candidate: Candidate) -> float:
    return sum(candidate.boosts.get(name, 0.0) for name in CONTEXT)


def missing_texts(found: SearchResult, ordered: Ordered) -> dict[str, list[str]]:
    """The ids, by kind, whose texts the page needs and the search did not load."""
    loaded = {str(hit.id) for hit in found.items}
    wanted = [*list(ordered.words)[:ARM_ROWS], *list(ordered.meaning)[:ARM_ROWS]]
    wanted += [*list(ordered.context)[:ARM_ROWS]]
    wanted += [each.id for each in ordered.candidates if each.id not in loaded][:NEXT_ROWS]
    missing: dict[str, list[str]] = {}
    for key in dict.fromkeys(wanted):
        if key not in loaded:
            missing.setdefault(ordered.kinds[key], []).append(key)
    return missing


def load_texts(found: SearchResult, missing: Mapping[str, list[str]]) -> dict[str, str]:
    """The text of every row the page shows; inside the workspace's scope."""
    texts = {str(hit.id): hit.text for hit in found.items}
    for kind, ids in missing.items():
        rows: Mapping[UUID, Fact | FileSection | Message] = KINDS[kind].load(ids)
        texts |= {str(key): row.text for key, row in rows.items()}
    return texts


def show_search(
    found: SearchResult, ordered: Ordered, texts: Mapping[str, str], *, least: float | None, lit: str
) -> Shown:
    """The page's view of a search; `lit` is the row that is marked wherever it stands."""
    trace = ordered.trace
    if lit not in ordered.by_id:
        lit = str(found.items[0].id) if found.items else ""
    rows = [
        _row(place, ordered, str(hit.id), texts, lit, hit.score, hit.source)
        for place, hit in enumerate(found.items, 1)
    ]
    kept = [row for row in rows if least is None or (row.score or 0.0) >= least]
    returned = {row.id for row in rows}
    others = [each.id for each in ordered.candidates if each.id not in returned]
    beyond = [
        _row(place, ordered, key, texts, lit)
        for place, key in enumerate(others[:NEXT_ROWS], len(rows) + 1)
        if key in texts
    ]
    return Shown(
        arms=_arms(ordered, texts, lit),
        results=kept,
        below=rows[len(kept) :],
        beyond=beyond,
        times=_bars(trace, found.took_ms),
        took_ms=found.took_ms,
        readable=sum(trace.readable.values()),
        ranked=len(ordered.candidates),
        degraded=found.degraded,
        places={key: place for place, key in enumerate([*(row.id for row in rows), *others], 1)},
    )


def _row(
    rank: int,
    ordered: Ordered,
    key: str,
    texts: Mapping[str, str],
    lit: str,
    score: float | None = None,
    place: str = "",
) -> Row:
    candidate = ordered.by_id[key]
    columns = [sum(candidate.boosts.get(name, 0.0) for name in names) for names in COLUMNS]
    return Row(
        rank=rank,
        id=key,
        kind=ordered.kinds[key],
        text=texts.get(key, ""),
        words=_place(ordered.words, key),
        meaning=_place(ordered.meaning, key),
        context=_place(ordered.context, key),
        fused=candidate.base + _context_of(candidate),
        boosts=columns,
        total=candidate.score,
        score=score,
        reranked=candidate.reranked[0] if candidate.reranked else None,
        is_repeat=key in ordered.trace.repeats,
        lit=key == lit,
        place=place,
    )


def _place(places: Mapping[str, tuple[int, float]], key: str) -> int | None:
    found = places.get(key)
    return found[0] if found else None


def _arms(ordered: Ordered, texts: Mapping[str, str], lit: str) -> list[Arm]:
    trace = ordered.trace
    meaning = {
        key: (place, ordered.likelihood(key))
        for key, (place, _near) in list(ordered.meaning.items())[:ARM_ROWS]
    }
    down = _("The embedder is not answering; the other arms still count.") if trace.asked is None else ""
    return [
        _arm(_("Words"), ", ".join(trace.terms[:6]), ordered.words, texts, lit, _("No word of it occurs.")),
        _arm(_("Meaning"), trace.model, meaning, texts, lit, down or _("Nothing has a vector yet.")),
        _arm(
            _("Context"),
            _("time, speaker, neighbours"),
            ordered.context,
            texts,
            lit,
            _("Nothing is near a hit, and no time or speaker is named."),
        ),
    ]


def _arm(
    title: str,
    about: str,
    places: Mapping[str, tuple[int, float]],
    texts: Mapping[str, str],
    lit: str,
    nothing: str,
) -> Arm:
    rows = [
        ArmRow(place, texts[key], f"{value:.2f}", key == lit)
        for key, (place, value) in list(places.items())[:ARM_ROWS]
        if key in texts
    ]
    return Arm(title, about, rows, nothing)


def _bars(trace: Trace, took: float) -> list[Bar]:
    """The steps one after the other along the whole; what is left over is reading the question and the rest."""
    bars, start, whole = [], 0.0, max(took, 0.01)
    for name, label in STEPS.items():
        if name in trace.times:
            spent = trace.times[name]
            bars.append(
                Bar(str(label), spent, 100 * start / whole, max(100 * min(spent, whole - start) / whole, 0.8))
            )
            start += spent
    rest = max(took - start, 0.0)
    bars.append(Bar(_("Everything else"), rest, min(100 * start / whole, 99), max(100 * rest / whole, 0.8)))
    return bars


def boost_titles() -> list[Any]:
    """The heads of the boosts' columns."""
    return [_("Import."), _("Trust"), _("Recent"), _("Said")]
