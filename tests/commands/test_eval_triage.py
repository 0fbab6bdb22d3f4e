"""Triage is measured through the real extraction, and the measuring leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memoryapp.llm.tasks import ExtractionInput
from memoryapp.llm.types import ChatRequest, Completion
from memoryapp.management.triage_cases import Case, run_case
from memoryapp.models import Event
from tenants.models import Workspace

pytestmark = pytest.mark.django_db

DOG = ("User has a dog", "Dog's name is Poppy", "User is Chris")
CASE = {
    "id": "T-1",
    "today": "2026-03-30",
    "overlay": "default",
    "recalled": list(DOG),
    "messages": [
        {"role": "user", "content": "Poppy learned fetch!"},
        {"role": "assistant", "content": "Lovely."},
    ],
}


def answering(*operations: dict[str, Any]) -> Callable[[ChatRequest], Completion]:
    evident = [{"evidence": [1], "explicit": True, **operation} for operation in operations]
    reply = json.dumps({"should_update": True, "reason": "r", "operations": evident})
    return lambda request: Completion(reply)


def case(**fields: Any) -> Case:
    return Case.from_line(json.dumps({**CASE, **fields}))


def number_of(request: ChatRequest, text: str) -> int:
    assert isinstance(request.context, ExtractionInput)
    return next(fact.number for fact in request.context.known if fact.text == text)


def test_each_change_is_one_operation_with_what_it_acts_on() -> None:
    def ask(request: ChatRequest) -> Completion:
        dog, poppy = (number_of(request, text) for text in DOG[:2])
        merged = {
            "op": "UPDATE",
            "target": dog,
            "also": [poppy],
            "text": "User has a dog named Poppy, who fetches",
        }
        added = {"op": "ADD", "text": "User trains Poppy on Mondays", "category": "preference"}
        return answering({**merged, "category": "relationship"}, added)(request)

    result = run_case(case(), ask)
    assert sorted(result.operations, key=lambda operation: str(operation["op"])) == [
        {"op": "add", "category": "preference", "text": "User trains Poppy on Mondays"},
        {"op": "delete", "target_text": "Dog's name is Poppy"},
        {
            "op": "update",
            "category": "relationship",
            "text": "User has a dog named Poppy, who fetches",
            "target_text": "User has a dog",
        },
    ]


def test_the_case_sets_the_clock_and_nothing_stays() -> None:
    before = (Workspace.objects.count(), Event.objects.count(), timezone.now)
    seen: list[Any] = []

    def ask(request: ChatRequest) -> Completion:
        seen.append(request.context)
        return answering({"op": "ADD", "text": "User likes tea", "category": "preference"})(request)

    for _ in range(2):
        assert len(run_case(case(recalled=[]), ask).operations) == 1
    assert [str(context.today) for context in seen] == ["2026-03-30"] * 2
    assert (Workspace.objects.count(), Event.objects.count(), timezone.now) == before


def test_a_repair_round_is_asked_outside_the_transaction_too() -> None:
    asked: list[ChatRequest] = []

    def ask(request: ChatRequest) -> Completion:
        asked.append(request)
        good = answering({"op": "ADD", "text": "User likes tea", "category": "preference"})
        return Completion("no JSON") if len(asked) == 1 else good(request)

    assert len(run_case(case(recalled=[]), ask).operations) == 1
    assert len(asked) == 2


def test_a_model_that_cannot_be_read_is_no_operation_and_an_error() -> None:
    result = run_case(case(), lambda request: Completion("no JSON"))
    assert (result.operations, bool(result.error)) == ([], True)


def test_requests_go_out_and_replies_come_in_by_files(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({**CASE, "recalled": []}) + "\n")
    out = StringIO()
    call_command("eval_triage", str(cases), "--export-requests", str(tmp_path / "requests"), stdout=out)
    request = json.loads((tmp_path / "requests" / "T-1.json").read_text())
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert "Poppy learned fetch!" in request["messages"][1]["content"]
    assert request["schema"]["schema"]["type"] == "object"

    replies = tmp_path / "replies"
    replies.mkdir()
    operation = {
        "op": "ADD",
        "text": "User's dog Poppy learned fetch",
        "category": "relationship",
        "evidence": [1],
    }
    reply = {"should_update": True, "reason": "r", "operations": [operation]}
    (replies / "T-1.txt").write_text(f"Here you are:\n```json\n{json.dumps(reply)}\n```")
    results = tmp_path / "results.jsonl"
    call_command("eval_triage", str(cases), "--out", str(results), "--replies", str(replies), stdout=out)
    [line] = results.read_text().splitlines()
    assert json.loads(line)["operations"][0]["text"] == "User's dog Poppy learned fetch"


def test_a_case_without_a_reply_is_an_error_not_a_crash(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(CASE) + "\n")
    results = tmp_path / "results.jsonl"
    err = StringIO()
    call_command(
        "eval_triage", str(cases), "--out", str(results), "--replies", str(tmp_path), stdout=err, stderr=err
    )
    assert json.loads(results.read_text())["error"]
    assert "no reply for T-1" in err.getvalue()


@pytest.mark.parametrize(
    "content", ['{"id": "T-1"}', "not json", '{"id": "x", "today": "soon", "messages": []}']
)
def test_a_line_that_is_no_case_is_told(tmp_path: Path, content: str) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(content)
    with pytest.raises(CommandError, match="line 1"):
        call_command("eval_triage", str(cases), "--out", str(tmp_path / "out.jsonl"))
