"""Statements of the usual question, without a filter, written by the ORM once and filled in ever after.

Writing them takes the ORM longer than PostgreSQL takes to answer. What differs from one reader to the next are six
values: they are compiled as stand-ins and replaced where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple
from uuid import UUID

from memoryapp.models import Agent, Conversation, Embedding
from memoryapp.retrieval.filters import EVERYTHING
from memoryapp.retrieval.sources import Reading, Source, narrowed
from memoryapp.retrieval.statements import Piece, as_piece
from tenants.models import Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal

WORKSPACE: Final = UUID(int=0xA1)
AGENT: Final = UUID(int=0xA2)
BOUND_AGENT: Final = UUID(int=0xA3)
SESSION: Final = UUID(int=0xA4)
OWNER: Final = "\ue000owner"
MOMENT: Final = datetime(1, 2, 3, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Readable:
    """The rows of one source that one reader may find, ready to be put into statements."""

    source: Source
    reading: Reading
    # The statement over id, length, lexemes and the speaker; None when there can be no row.
    piece: Piece | None

    @classmethod
    def by(cls, reading: Reading, source: Source) -> Readable:
        speaker = source.speaker_column
        columns = ("id", "length", "lexemes", *([speaker] if speaker else []))
        return cls(source, reading, piece_of(source, reading, columns))


class ReaderKind(NamedTuple):
    """What the statements for a principal depend on beside their values."""

    is_system: bool
    is_agent_bound: bool
    integrator: bool

    @classmethod
    def of(cls, principal: Principal) -> ReaderKind:
        return cls(principal.is_system, principal.agent_id is not None, principal.integrator)

    def stand_in(self) -> Principal:
        """A principal of this kind whose values can be found again in a statement's parameters."""
        return Principal(
            workspace=Workspace(pk=WORKSPACE),
            owner_key=SYSTEM if self.is_system else OWNER,
            agent_id=BOUND_AGENT if self.is_agent_bound else None,
            integrator=self.integrator,
        )


class _Shape(NamedTuple):
    """What the statement depends on beside those values."""

    source: Source
    beside: bool
    columns: tuple[str, ...]
    reader: ReaderKind
    show_expired: bool
    latest_only: bool
    has_session: bool
    beyond_prompt: bool


def piece_of(
    source: Source, reading: Reading, columns: tuple[str, ...], *, beside: bool = False
) -> Piece | None:
    """The statement over the rows a reader may find, or, `beside` them, over those that may lend them context."""
    if reading.node is not EVERYTHING:
        return as_piece(_rows(source, reading, beside=beside), *columns)
    shape = _Shape(
        source,
        beside,
        columns,
        ReaderKind.of(reading.principal),
        reading.show_expired,
        reading.latest_only,
        reading.session is not None,
        reading.beyond_prompt,
    )
    return _filled_for(reading, _compiled(shape))


def _rows(source: Source, reading: Reading, *, beside: bool) -> Any:
    return source.neighbours(reading) if beside else source.rows(reading)


@lru_cache(maxsize=256)
def _compiled(shape: _Shape) -> Piece | None:
    reading = Reading(
        shape.reader.stand_in(),
        Agent(pk=AGENT),
        EVERYTHING,
        MOMENT,
        shape.show_expired,
        shape.latest_only,
        session=Conversation(pk=SESSION) if shape.has_session else None,
        beyond_prompt=shape.beyond_prompt,
    )
    return as_piece(_rows(shape.source, reading, beside=shape.beside), *shape.columns)


def vectors_of(source: Source, reading: Reading, model: str) -> Piece | None:
    """The statement over the vectors of a source, under a model, among which are those of all a reader may find."""
    return _filled_for(reading, _compiled_vectors(source.kind, model, ReaderKind.of(reading.principal)))


@lru_cache(maxsize=64)
def _compiled_vectors(kind: str, model: str, reader: ReaderKind) -> Piece | None:
    reading = Reading(reader.stand_in(), Agent(pk=AGENT), EVERYTHING, MOMENT)
    vectors = narrowed(Embedding.objects.all(), reading)
    wanted = {"model": model, f"{kind}__isnull": False, "vector__isnull": False}
    return as_piece(vectors.filter(**wanted), f"{kind}_id", "vector")


def values_of(principal: Principal, moment: datetime) -> dict[Any, Any]:
    """What stands for a principal and a moment, each with what it stands for."""
    return {
        WORKSPACE: principal.workspace.pk,
        BOUND_AGENT: principal.agent_id,
        OWNER: principal.owner_key,
        MOMENT: moment,
    }


def filled(parameters: Iterable[Any], values: Mapping[Any, Any]) -> tuple[Any, ...]:
    """The parameters with what stands for something replaced by it, inside lists too."""
    return tuple(
        list(filled(each, values)) if isinstance(each, list) else values.get(each, each)
        for each in parameters
    )


def _filled_for(reading: Reading, piece: Piece | None) -> Piece | None:
    if piece is None:
        return None
    values = {
        **values_of(reading.principal, reading.moment),
        AGENT: reading.agent.pk,
        SESSION: reading.session.pk if reading.session else None,
    }
    return piece[0], filled(piece[1], values)
