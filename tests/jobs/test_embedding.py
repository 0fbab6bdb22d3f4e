"""What was written without a vector gets one in the worker, by one worker at a time."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from memoryapp.actions.events import request_job
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.schedules import SWEEP
from memoryapp.jobs import drain, embedding
from memoryapp.jobs.sweeping import is_needed, run_sweep
from memoryapp.lifecycle.locks import alone
from memoryapp.models import Embedding, Event, Schedule
from memoryapp.retrieval import indexing
from memoryapp.retrieval.search import search_memories
from memoryapp.retrieval.vectors import EmbedderUnavailable
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(alice: Person) -> Event:
    """Three facts without vectors, and the request for them."""
    Event.objects.all().delete()
    for text in ("User likes tea", "User owns a boat", "User lives in Porto"):
        add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=text))
    Event.objects.all().delete()
    return request_job(principal=alice.principal, kind=embedding.EMBEDDING, subject_id=alice.agent.pk)


def waiting(person: Person) -> int:
    with workspace_scope(person.workspace):
        return Embedding.objects.filter(fact__isnull=False, vector=None).count()


def test_everything_is_embedded_batch_by_batch(
    alice: Person, asked: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "BATCH", 2)
    assert waiting(alice) == 3
    drain()
    assert waiting(alice) == 0
    asked.refresh_from_db()
    assert asked.status == Event.Status.SUCCEEDED


def test_an_embedder_that_is_down_is_told_and_tried_again(
    alice: Person, asked: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down() -> Any:
        raise EmbedderUnavailable("The embedder is not there.")

    monkeypatch.setattr(indexing, "get_embedder", down)
    drain()
    asked.refresh_from_db()
    assert (asked.status, asked.reason) == (Event.Status.FAILED, "The embedder is not there.")
    assert Event.objects.filter(kind=embedding.EMBEDDING, status=Event.Status.PENDING).exists()
    assert waiting(alice) == 3


def test_a_second_worker_does_something_else(alice: Person, asked: Event) -> None:
    held, release = threading.Event(), threading.Event()

    def other_worker() -> None:
        try:
            with alone(f"embedding:{alice.workspace.pk}", embedding.BUSY):
                held.set()
                release.wait(10)
        finally:
            connection.close()

    worker = threading.Thread(target=other_worker)
    worker.start()
    try:
        assert held.wait(10)
        assert drain() == 1
    finally:
        release.set()
        worker.join()
    asked.refresh_from_db()
    assert (asked.status, asked.attempts) == (Event.Status.PENDING, 0)


def test_a_lost_request_is_made_again_by_the_sweep(alice: Person, asked: Event, clock: Any) -> None:
    Event.objects.all().delete()
    sweep = Schedule(kind=SWEEP, workspace=alice.workspace)
    assert not is_needed(sweep, alice.workspace)

    clock.shift(timedelta(minutes=6))
    assert is_needed(sweep, alice.workspace)
    run_sweep(request_job(principal=alice.principal, kind=SWEEP))
    drain()
    assert waiting(alice) == 0


@pytest.mark.django_db(transaction=True)
def test_what_was_said_is_found_by_its_meaning_once_it_has_been_read(call: Call, alice: Person) -> None:
    for text in ("Hello there, how are you today?", "Our terrier chewed up the sofa again."):
        body = {"agentId": "juno", "message": text, "conversationId": "talk"}
        assert call(alice, "POST", "/chat", body).status_code == 200
    with workspace_scope(alice.workspace):
        assert not Embedding.objects.filter(message__isnull=False).exists()
    drain()
    with workspace_scope(alice.workspace):
        assert Embedding.objects.filter(message__isnull=False, vector__isnull=False).count() == 4
    found = search_memories(
        "trouble with the pet", principal=alice.principal, agent=alice.agent, sources=("messages",)
    )
    assert found.items[0].text == "Our terrier chewed up the sofa again."
    drain()
    assert not Event.objects.filter(kind=embedding.EMBEDDING, status=Event.Status.PENDING).exists()
