"""How many owners a worker dreams of in a second, and what one costs, as their number grows.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.nights [--owners 250 500 1000] [--profile]

Everybody has the notes of three days and something that recurs in them, so every dream writes a file, a report and a
diary entry. The model is scripted: it promotes all candidates and takes no time. One worker does it; jobs that follow
from the dreams are left aside, and the second table says what those took.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from benchmarks.corpus import Installation, make_installation
from benchmarks.tables import print_table
from memoryapp.jobs import drain, queue
from memoryapp.jobs.backlog import claim_event
from memoryapp.jobs.heartbeat import beat
from memoryapp.jobs.night_kinds import DREAMS, NIGHT
from memoryapp.jobs.worker import work_on
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.client import LLMClient
from memoryapp.llm.night_tasks import DreamInput
from memoryapp.llm.types import ChatRequest
from memoryapp.model_settings import standing_in
from memoryapp.models import Dream, Event, WorkspaceFile
from tenants.scoping import Scope, workspace_scope

DAYS = 3
LINES = (
    "User waters the fern every morning",
    "Asked how much light a fern needs",
    "Worried because the fern lost leaves",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--owners", type=int, nargs="+", default=[250, 500, 1000])
    parser.add_argument("--profile", action="store_true", help="say where the time went")
    arguments = parser.parse_args()
    backend = ScriptedBackend(otherwise="Noted.")
    backend.answer_always(promote_all)
    with standing_in(LLMClient(backend)):
        nights = [night_of(owners, profiled=arguments.profile) for owners in arguments.owners]
    heads = (
        "owners",
        "seconds",
        "owners a second",
        "processor ms each",
        "statements each",
        "promoted",
        "peak MB",
    )
    print_table(heads, [night["row"] for night in nights])
    print()
    print_table(("jobs of the largest night", "number", "seconds", "a second"), nights[-1]["kinds"])


def promote_all(request: ChatRequest) -> dict[str, Any]:
    task = request.context
    if not isinstance(task, DreamInput):
        return {"should_update": False, "reason": "nothing", "conflicts": [], "soul": ""}
    lines = "".join(f"- {candidate.text}\n" for candidate in task.candidates)
    return {"should_update": bool(lines), "reason": "what came back", "memory_content": task.memory + lines}


def night_of(owners: int, *, profiled: bool) -> dict[str, Any]:
    """One night of so many owners of a workspace of their own."""
    installation = make_installation(f"nights-{owners}-{int(time.time())}")
    write_notes(installation, owners)
    Event.objects.all().delete()
    Event.objects.create(
        workspace=installation.principal.workspace,
        agent_id=installation.agent.pk,
        kind=NIGHT,
        payload={"slot": "night"},
    )
    profile = cProfile.Profile()
    with counted_statements() as statements:
        started, busy = time.perf_counter(), time.process_time()
        if profiled:
            profile.enable()
        work_off(NIGHT)
        work_off(DREAMS)
        profile.disable()
        seconds, busy = time.perf_counter() - started, time.process_time() - busy
    while drain():
        pass
    if profiled:
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
    dreams = Dream.objects.filter(kind="nightly").exclude(owner_key="")
    with workspace_scope(installation.principal.workspace):
        promoted = sum(dream.statistics.get("promoted", 0) for dream in dreams)
    row = (
        f"{owners:,}",
        f"{seconds:.1f}",
        f"{owners / seconds:.1f}",
        f"{1000 * busy / owners:.1f}",
        f"{statements['made'] / owners:.1f}",
        promoted,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )
    return {"row": row, "kinds": list(by_kind())}


def write_notes(installation: Installation, owners: int) -> None:
    workspace, agent = installation.principal.workspace, installation.agent
    today = timezone.now().astimezone(workspace.zone).date()
    with workspace_scope(workspace):
        WorkspaceFile.objects.bulk_create(
            WorkspaceFile(
                workspace=workspace,
                agent=agent,
                scope=Scope.PERSONAL,
                owner_key=f"api:owner-{number}",
                path=f"memory/{today - timedelta(days=back)}.md",
                content=f"# {today - timedelta(days=back)}\n\n- {LINES[back]}\n- Thing {number}-{back}, said once\n",
            )
            for number in range(owners)
            for back in range(DAYS)
        )


def work_off(kind: str) -> None:
    """Have everything of a kind done as the worker does it; what follows from it is due later, and waits."""
    with queue.no_wake_ups():
        while (event := claim_event()) is not None:
            if event.kind != kind:
                waiting = {
                    "status": Event.Status.PENDING,
                    "attempts": event.attempts - 1,
                    "leased_until": None,
                }
                Event.objects.filter(pk=event.pk).update(**waiting)
                return
            beat()
            work_on(event)


@contextmanager
def counted_statements() -> Iterator[Counter[str]]:
    made: Counter[str] = Counter()

    def count(execute: Any, *arguments: Any) -> Any:
        made["made"] += 1
        return execute(*arguments)

    with connection.execute_wrapper(count):
        yield made


def by_kind() -> Iterator[tuple[str, str, str, str]]:
    took: dict[str, list[float]] = {}
    for event in Event.objects.exclude(finished_at=None):
        if event.started_at and event.finished_at:
            took.setdefault(event.kind, []).append((event.finished_at - event.started_at).total_seconds())
    for kind, seconds in sorted(took.items(), key=lambda item: -sum(item[1])):
        total = sum(seconds)
        yield kind, f"{len(seconds):,}", f"{total:.1f}", f"{len(seconds) / total:.0f}" if total else ""


if __name__ == "__main__":
    main()
