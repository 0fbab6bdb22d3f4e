"""Statements filled in from a prepared one are, to the last value, those the ORM would write for that very reader."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memoryapp.retrieval.filters import EVERYTHING
from memoryapp.retrieval.prepared import piece_of
from memoryapp.retrieval.sources import SOURCES, Reading, Source
from memoryapp.retrieval.statements import as_piece
from tenants.owners import SYSTEM
from tests.conftest import Person

COLUMNS = ("id", "length", "lexemes")


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
@pytest.mark.parametrize("beside", [False, True])
def test_prepared_statements_are_the_readers_own(
    alice: Person, bob: Person, charlie: Person, source: Source, beside: bool
) -> None:
    readers = [person.principal for person in (alice, bob, charlie)] + [
        alice.principal.acting_as("ana"),
        alice.principal.as_integrator(),
        replace(alice.principal, owner_key=SYSTEM),
        replace(alice.principal, agent_id=alice.agent.pk),
        replace(alice.principal, agent_id=uuid4()),
    ]
    for reader in readers:
        for show_expired in (False, True):
            for latest_only in (False, True):
                moment = datetime.now(UTC)
                reading = Reading(reader, alice.agent, EVERYTHING, moment, show_expired, latest_only)
                rows = source.neighbours(reading) if beside else source.rows(reading)
                assert piece_of(source, reading, COLUMNS, beside=beside) == as_piece(rows, *COLUMNS)
