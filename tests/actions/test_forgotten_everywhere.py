"""What is forgotten stands in no column of any table, whichever tables there are: they are found by introspection."""

from __future__ import annotations

import json
import zlib
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import BinaryField, CharField, Field, JSONField, Model, TextField
from django.utils import timezone

from memoryapp.actions.forget import forget_fact, undo_forget
from memoryapp.actions.forget_texts import packed
from memoryapp.jobs import drain
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.models import DreamArchive, Fact, Forgetting
from tenants.models import Workspace
from tenants.scoping import OwnedModel, workspace_scope
from tests.isolation_world import Maker
from tests.lifecycle.nights import Memory, offline_rules

HAZEL = "Mira is allergic to hazelnuts"
WORD = "hazelnut"
# While it can be taken back the fact itself is there still, hidden.
HIDDEN = ["Fact.text"]

# Columns that hold no memory: who did something, callers' and our own identifiers, digests, and what is encrypted.
NAMES = {
    "owner_key",
    "actor",
    "edited_by",
    "given_by",
    "resolved_by",
    "decided_by",
    "speaker",
    "name",
    "model",
}
IDENTIFIERS = {
    "external_id",
    "idempotency_key",
    "agent_label",
    "app_id",
    "run_id",
    "labels",
    "path",
    "filename",
}
DIGESTS = {
    "digest",
    "text_key",
    "pair_key",
    "query_key",
    "line_key",
    "signature",
    "consolidation_seen",
    "sealed",
}
# Words of the product's own, out of short fixed lists.
FIXED_WORDS = 64


def owned_models() -> list[type[Model]]:
    """Every owned table, except that of receipts: they count places, and are checked to name nothing else."""
    models = apps.get_models()
    return [model for model in models if issubclass(model, OwnedModel) and model is not Forgetting]


def is_free(field: Field[Any, Any]) -> bool:
    """Whether a column may hold a sentence somebody said."""
    if field.name in NAMES | IDENTIFIERS | DIGESTS or getattr(field, "choices", None):
        return False
    if isinstance(field, CharField) and not isinstance(field, TextField):
        return (field.max_length or 0) > FIXED_WORDS
    return isinstance(field, TextField | JSONField)


def read(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        data = bytes(value)
        try:
            return zlib.decompress(data).decode()
        except zlib.error:
            return data.decode(errors="replace")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def columns_with(word: str) -> list[str]:
    """Every column of every model of every app in which the word can be read, packed ones too."""
    kinds = (TextField, CharField, JSONField, BinaryField, ArrayField)
    found = set()
    for model in apps.get_models(include_auto_created=True):
        names = [field.attname for field in model._meta.concrete_fields if isinstance(field, kinds)]
        for row in model._default_manager.values(*names) if names else ():
            found |= {f"{model.__name__}.{name}" for name in names if word in read(row[name]).casefold()}
    return sorted(found)


def planted(field: Field[Any, Any], value: Any) -> Any:
    """What stands in a column, with the sentence beside it."""
    if isinstance(field, JSONField):
        return [*value, {"told": HAZEL}] if isinstance(value, list) else {**(value or {}), "told": HAZEL}
    return f"{value}\n{HAZEL}\n" if isinstance(field, TextField) else HAZEL


def plant(workspace: Workspace, spare: Fact) -> set[str]:
    """Write the sentence into every free column of every owned row there is, and return the columns."""
    found = set()
    for model in owned_models():
        fields = [field for field in model._meta.concrete_fields if is_free(field)]
        for row in model._default_manager.filter(workspace=workspace).exclude(pk=spare.pk):
            values = {field.name: planted(field, getattr(row, field.name)) for field in fields}
            if values:
                model._default_manager.filter(pk=row.pk).update(**values)
            found |= {f"{model.__name__}.{name}" for name in values}
    DreamArchive.objects.update(packed=packed([{"reason": HAZEL, "entries": [{"after": f"- {HAZEL}"}]}]))
    return found | {"DreamArchive.packed"}


@pytest.fixture
def lived(alice, call):
    """Alice has talked, been dreamed of, exported and brought back; there is a row of hers in every owned table."""
    mine, today = Memory(alice), timezone.now().date()
    base = f"/memory/{alice.agent.pk}"
    with offline_rules():
        talk = {"agentId": str(alice.agent.pk), "conversationId": "kitchen"}
        call(alice, "POST", "/chat", {**talk, "message": "Remember that Mira is allergic to hazelnuts."})
        drain()
        for back in range(3):
            mine.note(today - timedelta(days=back), HAZEL, "Slept well")
        run_dream(mine.bucket, DreamOrder())
        call(alice, "POST", "/chat", {**talk, "message": "Is Mira allergic to hazelnuts?"})
        call(alice, "POST", f"{base}/emergence?wait=true", {"dryRun": True})
        call(alice, "POST", f"{base}/dreaming/focused?wait=true", {"topic": "allergies"})
        drain()
    return mine


def export(client, person) -> bytes:
    path = f"/api/v1/agents/{person.agent.pk}/workspace/memory/export?include=personal"
    answer = client.get(path, headers=person.headers)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def preview(client, person, archive: bytes):
    path = f"/api/v1/agents/{person.agent.pk}/workspace/memory/import/preview"
    sent = SimpleUploadedFile("memory.zip", archive, content_type="application/zip")
    answer = client.post(path, {"file": sent, "include": "personal"}, headers=person.headers)
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def the_fact(person) -> Fact:
    with workspace_scope(person.workspace):
        return Fact.objects.filter(text__icontains=WORD).current().order_by("created_at").first()


def purge(person, act) -> None:
    with time_machine.travel(act.undo_until + timedelta(seconds=1)), offline_rules():
        drain()


def test_said_kept_dreamed_exported_forgotten_and_purged_it_stands_nowhere(alice, lived, call, client):
    assert WORD in lived.text().casefold()
    archive = export(client, alice)
    lived.note(timezone.now().date(), "It rained")  # so that the archive would change something
    preview(client, alice, archive)
    with workspace_scope(alice.workspace):
        assert {"Fact.text", "Message.text", "ImportPart.text", "DreamEntry.after"} <= set(columns_with(WORD))

    receipt = call(alice, "POST", f"/memory/{alice.agent.pk}/facts/{the_fact(alice).pk}/forget")

    assert receipt.status_code == 200
    with workspace_scope(alice.workspace):
        assert columns_with(WORD) == HIDDEN
    with time_machine.travel(timezone.now() + timedelta(minutes=11)), offline_rules():
        drain()
    with workspace_scope(alice.workspace):
        assert columns_with(WORD) == []


def test_wherever_a_row_of_the_owner_may_hold_it_it_goes(alice, lived, client):
    """Every free column of every owned table holds the sentence, also those that nothing writes it to today."""
    preview(client, alice, export(client, alice))
    fact = the_fact(alice)
    with workspace_scope(alice.workspace):
        maker = Maker(alice)
        for model in owned_models():
            if not model._default_manager.filter(owner_key=alice.principal.owner_key).exists():
                maker.make(model)
        assert plant(alice.workspace, fact) <= set(columns_with(WORD))

    act = forget_fact(principal=alice.principal, fact=fact)

    with workspace_scope(alice.workspace):
        assert columns_with(WORD) == HIDDEN
    purge(alice, act)
    with workspace_scope(alice.workspace):
        assert columns_with(WORD) == []


def test_taken_back_it_stands_where_it_stood(alice, lived, client):
    preview(client, alice, export(client, alice))
    with workspace_scope(alice.workspace):
        before = columns_with(WORD)
    act = forget_fact(principal=alice.principal, fact=the_fact(alice))
    undo_forget(principal=alice.principal, forgetting=act)
    with workspace_scope(alice.workspace):
        assert columns_with(WORD) == before
