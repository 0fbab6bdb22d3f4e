"""The files that a reading writes: merged, bounded, and never over what a person wrote."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
import time_machine
from django.test import override_settings

from memoryapp.actions.files import write_file
from memoryapp.lifecycle.buckets import bucket_of
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Owner
from tenants.scoping import workspace_scope
from tests.lifecycle.conftest import SMALL_TALK, Read, Talks, reply

pytestmark = pytest.mark.django_db


def test_a_line_written_while_the_model_thinks_is_kept(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    """BC-008: for a shared file nobody owns a section of, and for one that a person edits."""
    person = talks.person
    base = "# Memory\n\n## Team\n- Five people\n\n## Budget\n- None yet\n"
    write_file(
        principal=person.principal, agent=person.agent, path="MEMORY.md", content=base, scope="PERSONAL"
    )

    def hand_writes(request: ChatRequest) -> dict[str, Any]:
        content = base.replace("- None yet\n", "- None yet\n- hand-written: budget 900\n")
        write_file(
            principal=person.principal,
            agent=person.agent,
            path="MEMORY.md",
            content=content,
            scope="PERSONAL",
            person=True,
        )
        return reply(memory_update=base.replace("Five", "Six").replace("- None yet", "- To be told"))

    model.queue(hand_writes)
    talks.hold(
        "We are six people now in the team.", "Six, noted.", "The budget will be told on Friday.", "Good."
    )
    read()
    text = talks.text("MEMORY.md")
    assert "- hand-written: budget 900" in text
    assert "- Six people" in text
    assert "- None yet" in text, "the section a person edited stays as that person left it"
    assert "person_edited" in {entry["gate"] for entry in talks.readings[-1].refused}


def test_a_model_that_answers_with_a_fragment_does_not_empty_a_file(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    person = talks.person
    base = "# Memory\n" + "".join(f"- Line {number}\n" for number in range(10))
    write_file(
        principal=person.principal, agent=person.agent, path="MEMORY.md", content=base, scope="PERSONAL"
    )
    model.queue(reply(memory_update="- The spare key is with Teo\n"))
    talks.hold(
        "The spare key is with Teo, by the way.", "Good to know.", "He lives next door to us.", "Noted."
    )
    read()
    assert all(f"- Line {number}\n" in talks.text("MEMORY.md") for number in range(10))
    assert "The spare key is with Teo" in talks.text("MEMORY.md")


def test_a_full_file_is_cut_but_never_what_a_person_wrote(
    talks: Talks, model: ScriptedBackend, read: Read
) -> None:
    person = talks.person
    hand = "# Memory\n\n## Mine\n- hand-written\n"
    write_file(
        principal=person.principal,
        agent=person.agent,
        path="MEMORY.md",
        content=hand,
        scope="PERSONAL",
        person=True,
    )
    long = "".join(f"\n## Part {number}\n- {'x' * 300}\n" for number in range(5))
    model.queue(reply(memory_update="# Memory\n" + long))
    with override_settings(MEMORY_MEMORY_MD_MAX_CHARS=1000):
        talks.hold(*SMALL_TALK)
        read()
    assert talks.text("MEMORY.md") == hand
    assert "size" in {entry["gate"] for entry in talks.readings[-1].refused}


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Asia/Tokyo", "2026-06-09T17:20+00:00", "2026-06-10"),
        ("Pacific/Kiritimati", "2026-06-09T10:05+00:00", "2026-06-10"),
        ("America/New_York", "2026-11-01T03:30+00:00", "2026-10-31"),
        ("America/New_York", "2026-11-02T04:30+00:00", "2026-11-01"),
    ],
)
def test_a_note_has_the_workspaces_day_whatever_the_persons_own_zone_is(
    talks: Talks, model: ScriptedBackend, read: Read, zone: str, moment: str, day: str
) -> None:
    """BC-071"""
    person = talks.person
    person.workspace.time_zone = zone
    person.workspace.save(update_fields=["time_zone"])
    with workspace_scope(person.workspace):
        Owner.objects.update_or_create(
            workspace=person.workspace,
            owner_key=talks.principal.owner_key,
            defaults={"time_zone": "Pacific/Pago_Pago"},
        )
    model.queue(reply(daily_entry="- met Noor"))
    with time_machine.travel(datetime.fromisoformat(moment), tick=False):
        talks.hold("I met Noor at the harbour today.", "Nice.", "She sends her regards to you.", "Thanks.")
        read()
        bucket = bucket_of(person.workspace, person.agent, talks.principal.owner_key)
        assert bucket.today().isoformat() == day
    assert talks.text(f"memory/{day}.md").startswith(f"# {day}\n")
