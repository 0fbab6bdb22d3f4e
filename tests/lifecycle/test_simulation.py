"""Seven nights of many people: what came back is promoted, for its owner only, and each night happens once."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
import time_machine
from django.db.models import Count

from memoryapp.lifecycle.diary import DIARY
from memoryapp.models import Dream, DreamEntry, Event, Fact, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.conftest import make_owner
from tests.lifecycle.nights import offline_rules
from tests.lifecycle.simulation import Week, dreamy_model, settle

FIRST_DAY = date(2026, 7, 13)
NIGHTS = 7


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 7, 13, 8, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def empty_backlog(clock, transactional_db):
    Event.objects.all().delete()


@pytest.fixture(params=["offline", pytest.param("scripted", marks=pytest.mark.long)])
def dreamer(request, model):
    if request.param == "scripted":
        model.answer_always(dreamy_model)
        yield request.param
        return
    with offline_rules():
        yield request.param


SIZES = [
    pytest.param((2, 1, 2), id="small"),
    pytest.param((3, 4, 50), id="600 owners", marks=pytest.mark.long),
]


@pytest.mark.parametrize("size", SIZES)
def test_a_week_of_nights(clock, dreamer, size, settings):
    workspaces, agents, owners = size
    settings.MEMORY_FACT_CONTRADICTION_CHECK_ENABLED = False
    founders = [make_owner(f"founder{n}", f"house{n}").principal for n in range(workspaces)]
    people = settle(founders, agents, owners)
    Week(people, FIRST_DAY, clock).live(NIGHTS)
    for founder in founders:
        mine = [person for person in people if person.workspace.pk == founder.workspace.pk]
        with workspace_scope(founder.workspace):
            check_nights(founder.workspace, agents, owners)
            check_memories(mine, people)
            check_totals()


def check_nights(workspace, agents, owners):
    """Each agent's night happened once each, every owner's bucket once in it, and no job is left or failed."""
    nights = Event.objects.filter(workspace=workspace, kind="night")
    # One more agent: the one that every workspace of the cast begins with.
    assert nights.count() == (agents + 1) * NIGHTS
    assert not Event.objects.filter(workspace=workspace).exclude(status="SUCCEEDED").exists()
    per_bucket = Dream.objects.filter(kind="nightly").values("agent", "owner_key").annotate(n=Count("pk"))
    personal = [row for row in per_bucket if row["owner_key"]]
    assert len(personal) == agents * owners
    assert {row["n"] for row in personal} == {NIGHTS}
    assert Dream.objects.filter(kind="nightly").values("agent", "owner_key", "slot").distinct().count() == (
        Dream.objects.filter(kind="nightly").count()
    )


def check_memories(mine, everybody):
    """Recurring things were promoted, one-off and corrected ones not, and nobody's words are in another's memory."""
    files = {
        (file.agent_id, file.owner_key, file.path): file.content
        for file in WorkspaceFile.objects.filter(scope="PERSONAL")
    }
    texts = {key: text for key, text in files.items() if not key[2].startswith("memory/")}
    for person in mine:
        memory = files[person.agent.pk, person.owner_key, "MEMORY.md"]
        assert person.plant in memory
        assert f"trip{person.number}q" not in memory
        assert "3 May" not in memory
        assert memory.count(person.plant) == 1
        own = {text for key, text in files.items() if key[:2] == (person.agent.pk, person.owner_key)}
        assert not any(person.secret in text for text in own)
        assert (person.agent.pk, person.owner_key, DIARY) in texts
    words = {word: person for person in everybody for word in person.all_words}
    for (agent, owner_key, path), text in texts.items():
        strangers = [word for word in words if word in text]
        assert all(
            (words[word].agent.pk, words[word].owner_key) == (agent, owner_key) for word in strangers
        ), path
    assert not Fact.objects.filter(text__contains="secret").exclude(status="forgotten").exists()


def check_totals():
    """What the reports count is what their entries and files say."""
    for dream in Dream.objects.filter(kind="nightly").prefetch_related("entries"):
        counts = dict.fromkeys(DreamEntry.Operation.values, 0)
        for entry in dream.entries.all():
            counts[entry.operation] += 1
        told = dream.statistics
        assert counts == {
            "add": told["promoted"],
            "merge": told["merged"],
            "supersede": told["superseded"],
            "drop": told["dropped"],
            "keep": told["kept"],
        }
