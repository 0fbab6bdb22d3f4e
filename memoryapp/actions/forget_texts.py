"""Taking statements out of every text that is kept besides facts and files: one table of places, one way through it."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, TextField
from django.db.models.functions import Cast

from memoryapp.actions.forget_reach import Reach, mentioning
from memoryapp.actions.statements import Cut, Statements, restored
from memoryapp.models import (
    Contradiction,
    Conversation,
    Dream,
    DreamArchive,
    DreamEntry,
    Event,
    Extraction,
    Fact,
    FactRevision,
    FactSource,
    FileRevision,
    ImportPart,
    Message,
    SnapshotImport,
    SoulProposal,
)
from memoryapp.models.embeddings import Embedding
from memoryapp.retrieval.indexing import prepare_rows, store_vectors

MARK = "[forgotten]"
# Rows in one statement: many enough to be quick, few enough for the statement to stay small.
WRITTEN_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Removal:
    """One field of one row from which something was taken, and what putting it back needs."""

    place: str
    model: str
    row: UUID
    field: str
    cuts: tuple[Cut, ...] = ()
    before: Any = None
    scope: str = ""

    def sealed(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**asdict(self), "row": str(self.row)}

    @classmethod
    def unsealed(cls, data: dict[str, Any]) -> Removal:
        cuts = tuple(Cut(**cut) for cut in data["cuts"])
        return cls(**{**data, "row": UUID(data["row"]), "cuts": cuts})


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A table of texts: its fields of plain text and of JSON, and what stands where something was taken out."""

    name: str
    model: type[Model]
    texts: tuple[str, ...] = ()
    trees: tuple[str, ...] = ()
    mark: str = ""
    after: Callable[[Sequence[Any]], None] | None = None


def reindex_messages(messages: Sequence[Message]) -> None:
    """Make messages whose text has changed findable by what they say now."""
    prepare_rows(messages)
    Message.objects.bulk_update(messages, ["lexemes", "length"], batch_size=WRITTEN_AT_ONCE)
    embedded = Embedding.objects.filter(message__in=[message.pk for message in messages])
    had_vectors = set(embedded.values_list("message_id", flat=True))
    if had_vectors:
        embedded.delete()
        store_vectors([message for message in messages if message.pk in had_vectors])


PLACES = (
    TextPlace(
        "messages", Message, texts=("text", "reasoning"), trees=("detail",), mark=MARK, after=reindex_messages
    ),
    TextPlace("conversation summaries", Conversation, texts=("summary", "title"), mark=MARK),
    TextPlace(
        "extractions", Extraction, texts=("reason",), trees=("kept", "refused", "files", "usage"), mark=MARK
    ),
    TextPlace("fact history", FactRevision, texts=("reason",), trees=("before", "after"), mark=MARK),
    TextPlace("fact metadata", Fact, trees=("metadata",), mark=MARK),
    TextPlace("fact sources", FactSource, trees=("told",), mark=MARK),
    TextPlace("file history", FileRevision, texts=("before", "after", "reason")),
    TextPlace("dreams", Dream, texts=("topic", "reason", "diary"), trees=("statistics",)),
    TextPlace(
        "dream entries",
        DreamEntry,
        texts=("heading", "before", "after", "reason"),
        trees=("score_parts", "sources"),
    ),
    TextPlace("contradictions", Contradiction, texts=("reason",), trees=("changes",)),
    TextPlace("imports", SnapshotImport, trees=("manifest", "refused", "notices", "changes"), mark=MARK),
    TextPlace("previews of imports", ImportPart, texts=("reason", "text"), trees=("detail",)),
    TextPlace("persona proposals", SoulProposal, texts=("before", "after", "reason")),
)
EVENTS = TextPlace("events", Event, texts=("reason",), trees=("payload", "result"), mark=MARK)


def strike_texts(statements: Statements, reach: Reach, *, purged: Sequence[Fact] = ()) -> list[Removal]:
    """Take the statements out of every text within reach, and return what was taken from where.

    The history of `purged` facts is left alone: it is emptied altogether.
    """
    removals = [
        removal
        for place in PLACES
        for removal in _strike_place(place, statements, _rows_in(place, reach, purged))
    ]
    removals += _strike_place(EVENTS, statements, reach.events)
    return removals + _strike_archives(statements, reach)


def _rows_in(place: TextPlace, reach: Reach, purged: Sequence[Fact]) -> Q:
    if place.model is FactRevision and purged:
        return reach.rows & ~Q(fact__in=[fact.pk for fact in purged])
    return reach.rows


def _strike_place(place: TextPlace, statements: Statements, within: Q) -> list[Removal]:
    trees = {f"{tree}_text": Cast(tree, TextField()) for tree in place.trees}
    rows = place.model._default_manager.filter(within).annotate(**trees)
    found = rows.filter(mentioning(statements, *place.texts, *trees))
    struck: dict[UUID, Any] = {}
    removals: list[Removal] = []
    for row in found.iterator(WRITTEN_AT_ONCE):
        taken = [*_text_removals(place, statements, row), *_tree_removals(place, statements, row)]
        if taken:
            struck[row.pk] = row
            removals += taken
    _write(place, struck, removals)
    return removals


def _write(place: TextPlace, rows: Mapping[UUID, Any], removals: Iterable[Removal]) -> None:
    """Save what changed in rows of one place, field by field, so that no other field is written over."""
    changed: dict[str, set[UUID]] = defaultdict(set)
    for removal in removals:
        changed[removal.field].add(removal.row)
    for field, keys in changed.items():
        place.model._default_manager.bulk_update(
            [rows[key] for key in keys], [field], batch_size=WRITTEN_AT_ONCE
        )
    if place.after is not None and rows:
        place.after(list(rows.values()))


def _text_removals(place: TextPlace, statements: Statements, row: Any) -> Iterator[Removal]:
    for field in place.texts:
        struck = statements.strike(getattr(row, field) or "", place.mark)
        if struck.cuts:
            setattr(row, field, struck.text)
            yield Removal(place.name, place.model._meta.label, row.pk, field, struck.cuts, scope=_scope(row))


def _tree_removals(place: TextPlace, statements: Statements, row: Any) -> Iterator[Removal]:
    for field in place.trees:
        before = getattr(row, field)
        after = struck_tree(before, statements)
        if after != before:
            setattr(row, field, after)
            yield Removal(
                place.name, place.model._meta.label, row.pk, field, before=before, scope=_scope(row)
            )


def _scope(row: Any) -> str:
    return getattr(row, "scope", "")


def struck_tree(value: Any, statements: Statements) -> Any:
    """The JSON value with the statements marked as forgotten in its strings."""
    if isinstance(value, str):
        return statements.strike(value, MARK).text
    if isinstance(value, list):
        return [struck_tree(item, statements) for item in value]
    if isinstance(value, dict):
        return {struck_tree(key, statements): struck_tree(item, statements) for key, item in value.items()}
    return value


def _strike_archives(statements: Statements, reach: Reach) -> list[Removal]:
    removals = []
    for archive in DreamArchive.objects.filter(reach.rows):
        before = unpacked(archive.packed)
        after = struck_tree(before, statements)
        if after != before:
            DreamArchive.objects.filter(pk=archive.pk).update(packed=packed(after))
            removals.append(
                Removal("dream archives", DreamArchive._meta.label, archive.pk, "packed", before=before)
            )
    return removals


def packed(reports: Any) -> bytes:
    """A month's reports as they are kept: JSON, compressed."""
    return zlib.compress(json.dumps(reports, ensure_ascii=False).encode(), 9)


def unpacked(data: bytes | memoryview) -> Any:
    """The reports of a month again."""
    return json.loads(zlib.decompress(bytes(data)))


MODELS = {place.model._meta.label: place for place in (*PLACES, EVENTS)}


def put_back(removals: Sequence[Removal]) -> None:
    """Undo removals from texts; a text that changed since gets its lines back as near to their place as can be told."""
    by_model: dict[str, list[Removal]] = defaultdict(list)
    for removal in removals:
        by_model[removal.model].append(removal)
    for removal in by_model.pop(DreamArchive._meta.label, []):
        DreamArchive.objects.filter(pk=removal.row).update(packed=packed(removal.before))
    for model, found in by_model.items():
        if model in MODELS:
            _put_back_rows(MODELS[model], found)


def _put_back_rows(place: TextPlace, removals: Sequence[Removal]) -> None:
    rows = place.model._default_manager.in_bulk({removal.row for removal in removals})
    there = [removal for removal in removals if removal.row in rows]
    for removal in there:
        row = rows[removal.row]
        now = getattr(row, removal.field)
        setattr(row, removal.field, restored(now, removal.cuts) if removal.cuts else removal.before)
    _write(place, rows, there)
