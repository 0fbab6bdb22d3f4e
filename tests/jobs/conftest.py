from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.jobs.handlers import HANDLERS
from memoryapp.jobs.outcomes import Done, Outcome
from memoryapp.models import Event
from tests.conftest import Person


class Chore:
    """A kind of job made for a test: it does what `behave` says and counts how often it ran."""

    kind = "chore"

    def __init__(self) -> None:
        self.seen: list[Event] = []
        self.behave: Callable[[Event], Outcome] = lambda event: Done({"done": True})

    def __call__(self, event: Event) -> Outcome:
        self.seen.append(event)
        return self.behave(event)


@pytest.fixture
def chore(monkeypatch: pytest.MonkeyPatch) -> Chore:
    chore = Chore()
    monkeypatch.setitem(HANDLERS, chore.kind, chore)
    return chore


@pytest.fixture
def ask(alice: Person) -> Callable[..., Event]:
    """Alice asks for a chore; what her agent's making asked for is out of the way."""
    Event.objects.all().delete()

    def ask(**fields: Any) -> Event:
        return request_job(principal=alice.principal, kind=Chore.kind, **{"subject_id": uuid4(), **fields})

    return ask


@pytest.fixture
def clock() -> Any:
    """A clock that stands still until a test moves it."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)
