"""A workspace in which a key stands in every kind of row, from before it was known to be one."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.models import Model

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.actions.forget_texts import packed, unpacked
from memoryapp.models import (
    Dream,
    DreamArchive,
    DreamEntry,
    Event,
    Extraction,
    ImportPart,
    SnapshotImport,
    SoulProposal,
)
from memoryapp.retrieval.indexing import embed_missing
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person

KEY = "HARB" + "-KEY-" + "40718822"
PATTERN = "HARB-KEY-[0-9]{8}"


def make_soiled(alice: Person) -> Person:
    """Alice's workspace, in which a key stands in every kind of row, from before it was known to be one."""
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    said = f"The crane opens with {KEY} since May."
    talk = open_conversation(**who, external_id="talk")
    add_message(principal=alice.principal, conversation=talk, role="user", text=said)
    add_fact(**who, new=NewFact(text=said, category="configuration", metadata={"note": [said]}))
    write_file(
        **who, path="MEMORY.md", content=f"# Memory\n\n## Crane\n\n- {said}\n", scope="PERSONAL", person=True
    )
    write_file(
        **who, path="MEMORY.md", content=f"# Memory\n\n## Crane\n\n- {said} Really.\n", scope="PERSONAL"
    )
    with workspace_scope(alice.workspace):
        own = {
            "workspace": alice.workspace,
            "agent": alice.agent,
            "owner_key": alice.principal.owner_key,
            "scope": "PERSONAL",
        }
        talk.summary, talk.title = said, said[:60]
        talk.save()
        Extraction.objects.create(
            **own,
            conversation=talk,
            first_number=1,
            last_number=1,
            status="failed",
            reason=said,
            refused=[{"text": said}],
        )
        dream = Dream.objects.create(**own, kind="manual", status="succeeded", reason=said, diary=said)
        DreamEntry.objects.create(**own, dream=dream, position=0, operation="add", after=said)
        DreamArchive.objects.create(**own, month="2026-01", packed=packed([{"diary": said}]))
        SoulProposal.objects.create(**own, base_version=1, after=said)
        snapshot = SnapshotImport.objects.create(
            **own,
            filename="x.zip",
            size=1,
            digest="x",
            manifest={"note": said},
            expires_at="2030-01-01T00:00Z",
        )
        ImportPart.objects.create(
            **own,
            snapshot_import=snapshot,
            position=0,
            kind="file",
            path="MEMORY.md",
            target_scope="PERSONAL",
            action="update",
            text=said,
            detail={"before": said},
        )
        Event.objects.create(
            workspace=alice.workspace, kind="old", status="FAILED", reason=said, result={"seen": said}
        )
    embed_missing(alice.workspace)
    return alice


def places_with(who: Person, text: str = KEY) -> set[str]:
    """Every table of the database in which the text stands, read column by column."""
    found = set()
    with workspace_scope(who.workspace):
        for model in apps.get_models():
            rows: Any = model._default_manager.all()
            if any(text in _whole(row) for row in rows):
                found.add(model._meta.label)
    return found


def _whole(row: Model) -> str:
    if isinstance(row, DreamArchive):
        return str(unpacked(row.packed))
    return str([getattr(row, field.attname) for field in row._meta.concrete_fields])


def know_the_pattern(call: Call, who: Person) -> None:
    assert call(who, "PATCH", "/settings", {"credentialPatterns": [PATTERN]}).status_code == 200
