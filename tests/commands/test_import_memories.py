"""Memories of another server come in from its export: once, labelled, and never against somebody's wish."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryapp.actions.erasure import erase_owner
from memoryapp.actions.fact_lifecycle import delete_fact
from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.compat.conftest import Mem0
from tests.conftest import Person

pytestmark = pytest.mark.django_db

ITEMS: list[Any] = [
    {
        "id": "m1", "memory": "Drinks oat milk", "user_id": "ana", "agent_id": "barista", "run_id": "r1",
        "metadata": {"turn": 3}, "categories": ["preference", "food"], "created_at": "2026-01-01T00:00:00-08:00",
        "expiration_date": "2099-12-31",
    },
    {"id": "m2", "memory": "Lives in Lisbon", "user_id": "ben"},
    {"id": "m3", "memory": "The office closes at six", "agent_id": "barista"},
]  # fmt: skip
BAD: list[Any] = [
    7,
    {"user_id": "ana"},
    {"memory": "x", "user_id": "system"},
    {"memory": "x", "created_at": "soon"},
]


def run(path: Path, *options: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(
        "import_memories",
        str(path),
        "--agent",
        "juno",
        "--workspace",
        "harbour",
        *options,
        stdout=out,
        stderr=err,
    )
    return out.getvalue(), err.getvalue()


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def facts(who: Person) -> list[Fact]:
    with workspace_scope(who.workspace):
        return list(Fact.objects.filter(workspace=who.workspace).active().order_by("text"))


def test_all_that_an_item_says_comes_along(alice: Person, tmp_path: Path) -> None:
    told, problems = run(write(tmp_path / "a.json", {"results": [*ITEMS, *BAD]}))
    assert "Imported 3 memories" in told
    assert "4 could not be used" in told
    assert [line.partition(":")[0] for line in problems.splitlines()] == [
        "Item 4",
        "Item 5",
        "Item 6",
        "Item 7",
    ]
    (item,) = Mem0(alice.token).call("POST", "/v3/memories/", {"filters": {"user_id": "ana"}})["results"]
    expected = {
        "memory": "Drinks oat milk", "agent_id": "barista", "run_id": "r1", "metadata": {"turn": 3},
        "categories": ["preference", "food"], "created_at": "2026-01-01T08:00:00+00:00",
        "expiration_date": "2099-12-31",
    }  # fmt: skip
    assert {name: item[name] for name in expected} == expected
    assert {(fact.owner_key, fact.origin) for fact in facts(alice)} == {
        ("api:ana", "import"), ("api:ben", "import"), ("", "import"),
    }  # fmt: skip


def test_a_second_run_and_a_trial_change_nothing(alice: Person, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", ITEMS)
    assert "Would import 3 memories" in run(path, "--dry-run")[0]
    assert facts(alice) == []
    run(path)
    assert "Imported 0 memories; 3 were there already" in run(path)[0]
    assert len(facts(alice)) == 3


def test_what_was_forgotten_or_erased_does_not_come_back(alice: Person, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", ITEMS)
    run(path)
    (oats,) = [fact for fact in facts(alice) if "oat" in fact.text]
    delete_fact(principal=alice.principal.acting_as("ana"), fact=oats)
    erase_owner(principal=alice.principal, owner_key="api:ben")
    told = run(path)[0]
    assert "1 were forgotten on request, 1 are of people who were erased" in told
    assert [fact.text for fact in facts(alice)] == ["The office closes at six"]


@pytest.mark.parametrize("content", ["{", '"x"', '{"results": 7}'])
def test_a_file_without_memories_is_refused(alice: Person, tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(CommandError):
        run(path)
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "missing.json")
