"""Measuring triage: finished turns with what should be stored of them, run through the real extraction and undone."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from memoryapp.actions.agents import create_agent
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.lifecycle.extraction import extract_now
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ModelError, ModelUnavailable
from memoryapp.llm.retries import RetryPolicy
from memoryapp.llm.types import ChatRequest, Completion, Delta
from memoryapp.model_settings import standing_in
from memoryapp.models import Agent, Fact
from tenants.actions import create_workspace
from tenants.ids import new_id
from tenants.principals import Principal
from tenants.scoping import workspace_scope

Ask = Callable[[ChatRequest], Completion]
STANDING = (Fact.Status.ACTIVE, Fact.Status.PENDING)


@dataclass(frozen=True, slots=True)
class Case:
    """One finished turn, with what was known before it."""

    id: str
    today: date
    overlay: str
    recalled: tuple[str, ...]
    messages: tuple[dict[str, str], ...]

    @classmethod
    def from_line(cls, line: str) -> Case:
        """The case of a line; raises ValueError when it lacks something."""
        try:
            values = json.loads(line)
            return cls(
                id=values["id"],
                today=date.fromisoformat(values["today"]),
                overlay=values.get("overlay", "default"),
                recalled=tuple(values.get("recalled", ())),
                messages=tuple(values["messages"]),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"a case needs id, today and messages: {error}") from error


@dataclass(slots=True)
class CaseResult:
    """What one case changed, in the form the scorer reads."""

    id: str
    operations: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""

    def line(self) -> str:
        values = {
            "id": self.id,
            "operations": self.operations,
            **({"error": self.error} if self.error else {}),
        }
        return json.dumps(values, ensure_ascii=False)


class NeedsAnswer(Exception):
    """The extraction has come to a question that has no answer yet."""

    def __init__(self, request: ChatRequest) -> None:
        super().__init__("A model has to be asked first.")
        self.request = request


@dataclass(slots=True)
class KnownAnswers:
    """A backend that gives the answers fetched so far, in order, and stops at the first question beyond them."""

    name: str
    answers: list[Completion]
    given: int = 0

    def complete(self, request: ChatRequest) -> Completion:
        if self.given == len(self.answers):
            raise NeedsAnswer(request)
        self.given += 1
        return self.answers[self.given - 1]

    def stream(self, request: ChatRequest) -> AsyncGenerator[Delta, None]:
        raise NotImplementedError("An extraction is never streamed.")


def run_case(case: Case, ask: Ask, *, offline: bool = False) -> CaseResult:
    """Run a case for a fresh owner at the case's time, and leave nothing behind.

    Everything is rolled back, and a model is never asked inside a transaction: so the case is played until a question
    comes up, undone, the question asked, and the case played again with the answer.
    """
    answers: list[Completion] = []
    while True:
        backend = KnownAnswers("offline" if offline else "evaluation", answers)
        try:
            with (
                standing_in(LLMClient(backend, retries=RetryPolicy(max_retries=0))),
                standing_clock(_noon(case)),
            ):
                return CaseResult(case.id, _play(case))
        except NeedsAnswer as question:
            try:
                answers = [*answers, ask(question.request)]
            except ModelError as error:
                return CaseResult(case.id, error=error.detail)
        except ModelError as error:
            return CaseResult(case.id, error=error.detail)


def _noon(case: Case) -> datetime:
    return datetime.combine(case.today, time(12), UTC)


@contextmanager
def standing_clock(moment: datetime) -> Iterator[None]:
    """Let the whole product believe that it is this moment: all of it asks `timezone.now()`."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real


def _play(case: Case) -> list[dict[str, Any]]:
    with transaction.atomic():
        try:
            principal, agent = _fresh_owner(case)
            with workspace_scope(principal.workspace):
                before = [_remember(principal, agent, text, case) for text in case.recalled]
                conversation = open_conversation(principal=principal, agent=agent)
                for message in case.messages:
                    add_message(
                        principal=principal,
                        conversation=conversation,
                        role=message["role"],
                        text=message["content"],
                        name=message.get("name", ""),
                        said_at=_noon(case),
                    )
            extract_now(principal=principal, conversation=conversation)
            return changes_since(before, principal)
        finally:
            transaction.set_rollback(True)


def _fresh_owner(case: Case) -> tuple[Principal, Agent]:
    name = f"evaluation-{new_id()}"
    principal = create_workspace(name=name, slug=name, owner=User.objects.create(username=name))
    agent = create_agent(principal=principal, name="Assistant", slug="assistant", overlay=case.overlay)
    return principal, agent


def _remember(principal: Principal, agent: Agent, text: str, case: Case) -> Fact:
    new = NewFact(text=text, said_at=_noon(case) - timedelta(days=1))
    return add_fact(principal=principal, agent=agent, new=new).fact


def changes_since(before: list[Fact], principal: Principal) -> list[dict[str, Any]]:
    """What has changed of an owner's facts, one operation a fact; a fact that supersedes another is one update."""
    with workspace_scope(principal.workspace):
        after = {fact.pk: fact for fact in Fact.objects.visible_to(principal)}
    old = {fact.pk for fact in before}
    replaced = {after[fact.pk].superseded_by_id: fact.text for fact in before if fact.pk in after}
    operations = []
    for fact in before:
        now = after.get(fact.pk)
        if now is None or now.status not in STANDING:
            if now is None or now.superseded_by_id in old or now.superseded_by_id is None:
                operations.append({"op": "delete", "target_text": fact.text})
        elif (now.text, now.category) != (fact.text, fact.category):
            operations.append({"op": "update", **_stored(now), "target_text": fact.text})
    for fact in after.values():
        if fact.pk not in old and fact.status in STANDING:
            target = replaced.get(fact.pk)
            operation = {"op": "update", "target_text": target} if target is not None else {"op": "add"}
            operations.append({**operation, **_stored(fact)})
    return operations


def _stored(fact: Fact) -> dict[str, Any]:
    return {
        "category": fact.category,
        "text": fact.text,
        **({"metadata": fact.metadata} if fact.metadata else {}),
    }


@dataclass(frozen=True, slots=True)
class ExportedRequests:
    """Writes each case's request to a file, for a model that is asked elsewhere."""

    folder: Path

    def write(self, case_id: str, request: ChatRequest) -> None:
        schema = request.schema
        values = {
            "id": case_id,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "schema": {"name": schema.name, "schema": dict(schema.schema)} if schema else None,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
        }
        path = self.folder / f"{case_id}.json"
        path.write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class FiledReplies:
    """Takes each case's answer from a file: what the model wrote, as it wrote it."""

    folder: Path

    def read(self, case_id: str) -> Completion:
        for suffix in (".txt", ".json"):
            path = self.folder / f"{case_id}{suffix}"
            if path.is_file():
                return Completion(path.read_text(encoding="utf-8"))
        raise ModelUnavailable(f"There is no reply for {case_id}.")
