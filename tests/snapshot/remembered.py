"""An agent that has been through everything a snapshot carries."""

from __future__ import annotations

from typing import Any

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_lifecycle import give_feedback, merge_facts, pin_fact, supersede_fact
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact, update_fact
from memoryapp.actions.files import write_file
from memoryapp.models import Contradiction, Dream, DreamEntry, Fact, FileSection
from tenants.scoping import workspace_scope
from tests.conftest import Person


def remember_everything(person: Person) -> None:
    """Facts in every state with sources and history, a contradiction and a dream, shared and personal."""
    for scope in ("TEAM", "PERSONAL"):
        _remember(person, scope)


def _remember(person: Person, scope: str) -> None:
    who: dict[str, Any] = {"principal": person.principal, "agent": person.agent}
    write_file(**who, path="MEMORY.md", content=f"# {scope}\n\n## Berths\n\n- Seven.\n", scope=scope)
    talk = open_conversation(**who, external_id=f"talk/{scope}")
    message = add_message(
        principal=person.principal, conversation=talk, role="user", text="Berth seven is ours."
    )
    with workspace_scope(person.workspace):
        section = FileSection.objects.filter(file__path="MEMORY.md", scope=scope, heading="Berths").get()
    sources = [SourceSpan(message=message, start=0, end=11), SourceSpan(section=section, path="MEMORY.md")]
    facts = [
        add_fact(
            **who, new=NewFact(text=text, scope=scope, category=category, metadata=metadata), sources=sources
        ).fact
        for text, category, metadata in (
            ("Berth seven is ours.", "decision", {"n": 7, "deep": {"π": [1.5, None, True]}}),
            ("Berth eight is ours.", "decision", {}),
            ("Berth nine is ours.", "caller’s own", {}),
            ("The crane is blue\u2028and tall.", "technical", {}),
            ("起重机是蓝色的。", "technical", {}),
        )
    ]
    update_fact(principal=person.principal, fact=facts[2], text="Berth nine is theirs.", reason="sold")
    supersede_fact(principal=person.principal, old=facts[1], new=facts[2])
    with workspace_scope(person.workspace):
        facts = [Fact.objects.get(pk=fact.pk) for fact in facts]
    merge_facts(principal=person.principal, keep=facts[3], absorbed=[facts[4]], text="The crane is blue.")
    pin_fact(principal=person.principal, fact=facts[0], pinned=True)
    give_feedback(principal=person.principal, fact=facts[0], kind="helpful")
    with workspace_scope(person.workspace):
        _dream(person, scope, facts)


def _dream(person: Person, scope: str, facts: list[Fact]) -> None:
    columns: dict[str, Any] = {
        "workspace": person.workspace,
        "agent": person.agent,
        "scope": scope,
        "owner_key": person.principal.owner_key if scope == "PERSONAL" else "",
    }
    Contradiction.objects.create(**columns, fact_a=facts[0], fact_b=facts[2], reason="Whose berth?")
    dream = Dream.objects.create(
        **columns,
        kind="nightly",
        status="succeeded",
        slot="2026-01-01",
        diary="A quiet night.",
        statistics={"n": 1.25},
    )
    DreamEntry.objects.create(
        **columns,
        dream=dream,
        position=0,
        operation="add",
        after="- Seven.",
        score=0.625,
        fact=facts[0],
        gate="",
    )
    DreamEntry.objects.create(
        **columns, dream=dream, position=1, operation="drop", before="- Six.", reason="stale"
    )
