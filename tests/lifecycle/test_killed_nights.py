"""A worker killed before any statement of a night's work leads to one complete result, never to half of one."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import append_note, write_file
from memoryapp.actions.forget import forget_fact
from memoryapp.jobs import drain, enqueue_extraction
from memoryapp.models import (
    Agent,
    Dream,
    DreamEntry,
    Event,
    Extraction,
    Fact,
    FactSource,
    Forgetting,
    WorkspaceFile,
)
from tenants.principals import Principal
from tenants.scoping import workspace_scope
from tests.database import ROOT
from tests.lifecycle.nights import offline_rules

SOME = [3, 14, 27, 40]
EVERY = list(range(1, 90))
POINTS = [pytest.param(SOME, id="some"), pytest.param(EVERY, id="every", marks=pytest.mark.long)]
THINGS = ("tea", "jazz", "rain", "bread", "chess", "kites", "maps", "Porto")

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Victim:
    """An owner whose night is killed before a certain statement."""

    principal: Principal
    agent: Agent
    kill_at: int

    def text(self, path: str) -> str:
        with workspace_scope(self.principal.workspace):
            files = WorkspaceFile.objects.filter(owner_key=self.principal.owner_key, path=path)
            return files.values_list("content", flat=True).first() or ""

    def note(self, days: int) -> None:
        for back in range(days):
            day = timezone.now().date() - timedelta(days=back)
            append_note(
                principal=self.principal, agent=self.agent, day=day, entry="Oat milk with every coffee"
            )

    def know(self, text: str, category: str = "preference") -> Fact:
        new = NewFact(text=text, category=category)
        return add_fact(principal=self.principal, agent=self.agent, new=new).fact

    def ask(self, kind: str, **fields: object) -> None:
        Event.objects.create(
            workspace=self.principal.workspace,
            agent_id=self.agent.pk,
            owner_key=self.principal.owner_key,
            kind=kind,
            **fields,
        )

    def say(self, text: str) -> None:
        who = {"principal": self.principal, "agent": self.agent}
        with workspace_scope(self.principal.workspace):
            conversation = open_conversation(**who)
            for role, words in (("user", text), ("assistant", "Noted.")):
                add_message(principal=self.principal, conversation=conversation, role=role, text=words)
            enqueue_extraction(conversation)


@pytest.fixture(autouse=True)
def offline(settings) -> Iterator[None]:
    settings.MEMORY_FACT_CONTRADICTION_CHECK_ENABLED = False
    settings.MEMORY_FACT_PROJECTION_ENABLED = False
    with offline_rules():
        yield


def victims(alice, points):
    return [Victim(alice.principal.acting_as(f"victim-{at}"), alice.agent, at) for at in points]


class Victims:
    """Another process, whose children work until they are killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert self._read() == "ready"

    def run_until(self, kill_at: int, fact_id: str = "") -> bool:
        """Have a child work until it is killed; whether it lived to the end."""
        assert self.process.stdin
        self.process.stdin.write(f"{kill_at} {fact_id}\n")
        self.process.stdin.flush()
        ended = int(self._read())
        assert ended in (0, -signal.SIGKILL)
        # What it held stays claimed until the test lets all leases run out at once.
        held = Event.objects.filter(status=Event.Status.RUNNING)
        held.update(leased_until=timezone.now() + timedelta(hours=1))
        Event.objects.filter(kind="embed").delete()
        return ended == 0

    def _read(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()


@pytest.fixture(scope="module")
def workshop(django_db_setup) -> Iterator[Victims]:
    command = [sys.executable, "-m", "tests.lifecycle.killed_worker", connection.settings_dict["NAME"]]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        yield Victims(process)


def recover() -> None:
    Event.objects.filter(status=Event.Status.RUNNING).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
    drain()


@pytest.mark.parametrize("points", POINTS)
def test_a_killed_extraction_keeps_everything_once(alice, workshop, points):
    people = victims(alice, points)
    for victim in people:
        Event.objects.exclude(kind="extraction").delete()
        victim.say("Remember that I drink oat milk with every coffee.")
        workshop.run_until(victim.kill_at)
    recover()
    with workspace_scope(alice.workspace):
        for victim in people:
            facts = Fact.objects.filter(owner_key=victim.principal.owner_key)
            assert facts.count() == 1, victim.kill_at
            # Whoever is killed late has also projected the file, which is a source of its own.
            told = FactSource.objects.filter(fact__in=facts).exclude(message=None)
            assert told.count() == 1, victim.kill_at
            read = Extraction.objects.filter(owner_key=victim.principal.owner_key, status="succeeded")
            assert read.count() == 1, victim.kill_at
            note = victim.text(f"memory/{timezone.now().date()}.md")
            assert note.count("oat milk") == 1, victim.kill_at
    assert set(Event.objects.filter(kind="extraction").values_list("status", flat=True)) == {"SUCCEEDED"}


@pytest.mark.parametrize("points", POINTS)
def test_a_killed_dream_happens_once_and_whole(alice, workshop, points):
    people = victims(alice, points)
    survived = []
    for victim in people:
        victim.note(3)
        Event.objects.all().delete() if victim is people[0] else Event.objects.filter(kind="embed").delete()
        victim.ask("dream", payload={"kind": "nightly", "slot": "2026-07-20T03:00"})
        survived.append(workshop.run_until(victim.kill_at))
    recover()
    assert not all(survived)
    for victim in people:
        assert victim.text("MEMORY.md") == "## Recurring\n\n- Oat milk with every coffee\n", victim.kill_at
        assert victim.text("DREAMS.md").count("\n## ") == 1, victim.kill_at
    with workspace_scope(alice.workspace):
        reports = list(Dream.objects.values_list("owner_key", "status"))
        assert sorted(reports) == sorted((victim.principal.owner_key, "succeeded") for victim in people)
        assert DreamEntry.objects.filter(operation="add").count() == len(people)
    assert set(Event.objects.filter(kind="dream").values_list("status", flat=True)) == {"SUCCEEDED"}


@pytest.mark.parametrize("points", POINTS)
def test_a_killed_consolidation_loses_and_doubles_nothing(alice, workshop, points):
    for victim in victims(alice, points):
        for thing in THINGS:
            victim.know(f"User likes {thing}")
        victim.know("User enjoys tea")
        Event.objects.filter(kind="embed").delete()
        if not Event.objects.filter(kind="consolidation").exists():
            Event.objects.all().delete()
        victim.ask("consolidation")
        workshop.run_until(victim.kill_at)
    recover()
    with workspace_scope(alice.workspace):
        for victim in victims(alice, points):
            facts = Fact.objects.filter(owner_key=victim.principal.owner_key)
            assert facts.filter(status="active").count() == len(THINGS), victim.kill_at
            assert facts.filter(status="merged").count() == 1, victim.kill_at
        assert Dream.objects.filter(kind="consolidation", status="succeeded").count() == len(points)


@pytest.mark.parametrize("points", POINTS)
def test_a_killed_forgetting_is_all_or_nothing(alice, workshop, points):
    for victim in victims(alice, points):
        fact = victim.know("User is allergic to nuts", "technical")
        write_file(
            principal=victim.principal,
            agent=victim.agent,
            path="MEMORY.md",
            content="- User is allergic to nuts\n- Runs\n",
            scope="PERSONAL",
        )
        finished = workshop.run_until(victim.kill_at, str(fact.pk))
        with workspace_scope(alice.workspace):
            forgotten = Fact.objects.get(pk=fact.pk).status == "forgotten"
            receipts = Forgetting.objects.filter(fact_ids__contains=[fact.pk]).count()
        assert (forgotten, "nuts" in victim.text("MEMORY.md"), receipts) in [
            (False, True, 0),
            (True, False, 1),
        ]
        assert forgotten or not finished
        if not forgotten:
            forget_fact(principal=victim.principal, fact=fact)
            assert victim.text("MEMORY.md") == "- Runs\n"


@pytest.mark.parametrize("points", POINTS)
def test_a_killed_purge_is_finished_later(alice, workshop, points):
    people = victims(alice, points)
    for victim in people:
        forget_fact(principal=victim.principal, fact=victim.know("User is allergic to nuts"))
        Event.objects.exclude(kind="forget_purge").delete()
        waiting = Event.objects.filter(kind="forget_purge", status=Event.Status.PENDING)
        waiting.update(run_after=timezone.now())
        workshop.run_until(victim.kill_at)
    recover()
    with workspace_scope(alice.workspace):
        assert not Fact.objects.exists()
        assert not Forgetting.objects.filter(purged_at=None).exists()
        assert not Forgetting.objects.exclude(sealed="").exists()
