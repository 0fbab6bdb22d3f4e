"""A real cluster is killed in the middle of a job, twice; afterwards there is one complete result."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from memoryapp.jobs import worker_heartbeat_age
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Event, Extraction
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.database import ROOT
from tests.lifecycle.conftest import Talks

PATIENCE_SECONDS = 60
Reports = Callable[[], str]


@contextmanager
def cluster(pipe: Path, *, stop_at: str) -> Iterator[Reports]:
    """A cluster that reports where it is; its whole process group is killed at the end, as by a power cut."""
    database = connection.settings_dict["NAME"]
    # Open for writing too: the pipe then outlives the writers, which come and go.
    reports = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    command = [sys.executable, "-m", "tests.jobs.cluster_process", database, str(pipe), stop_at]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
    lines: list[str] = []

    def next_report() -> str:
        while not lines:
            ready, _, _ = select.select([reports], [], [], PATIENCE_SECONDS)
            assert ready, "the cluster did not report in time"
            lines.extend(os.read(reports, 4096).decode().split())
        return lines.pop(0)

    try:
        yield next_report
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(reports)


@pytest.mark.django_db(transaction=True)
@pytest.mark.long
def test_a_job_killed_twice_is_done_once(alice: Person, model: ScriptedBackend, tmp_path: Path) -> None:
    talks = Talks(alice)
    conversation = talks.hold("I take the 8:15 train.", "Noted.", "Every working day, that is.", "Good.")
    pipe = tmp_path / "reports"
    os.mkfifo(pipe)

    with cluster(pipe, stop_at="asking") as report:
        assert report() == "asking"
    assert talks.facts == [], "killed before anything was applied"
    _let_the_lease_run_out()

    with cluster(pipe, stop_at="settling") as report:
        assert [report(), report()] == ["asking", "settling"]
    assert talks.facts == ["User takes the 8:15 train"], "killed after everything was applied"
    assert _event().status == Event.Status.RUNNING
    _let_the_lease_run_out()

    with cluster(pipe, stop_at="never") as report:
        assert [report(), report()] == ["settling", "settled"], "nothing is asked a third time"

    assert (_event().status, _event().attempts) == (Event.Status.SUCCEEDED, 3)
    assert _event().result["operations"] == {"ADD": 1}, "what it achieved before it was killed"
    assert talks.facts == ["User takes the 8:15 train"]
    assert talks.note.count("Talked about trains.") == 1
    with workspace_scope(alice.workspace):
        assert Extraction.objects.filter(status=Extraction.Status.SUCCEEDED).count() == 1
    assert talks.reload(conversation).extracted_through == 4
    age = worker_heartbeat_age()
    assert age is not None
    assert age < timedelta(minutes=1)


def _event() -> Event:
    return Event.objects.get(kind="extraction")


def _let_the_lease_run_out() -> None:
    Event.objects.filter(status=Event.Status.RUNNING).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
