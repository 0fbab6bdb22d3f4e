"""What the dashboard's pages take, as the server sees it, for a person with very much memory.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.pages [--sizes 10000 100000] [--visits 30]

One person owns all facts, and a tenth as many files; the audit log and the list of jobs are as long as the facts. Each
page is asked for in turn, whole, through Django's client: everything but the network.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from benchmarks.corpus import Corpus, Installation, fill, make_installation
from benchmarks.tables import milliseconds, percentile, print_table
from memoryapp.lifecycle.usage import count_usage
from memoryapp.models import Event, Fact, WorkspaceFile
from tenants.models import AuditEvent
from tenants.scoping import Scope, workspace_scope

PAGES = {
    "overview": "a/bench/overview/",
    "overview, its charts": "a/bench/overview/charts/",
    "playground": "a/bench/playground/",
    "facts": "a/bench/facts/",
    "facts, a page far back": "a/bench/facts/?before=MIDDLE",
    "facts, filtered": "a/bench/facts/?trust=high",
    "facts, searched": "a/bench/facts/?q=WORDS",
    "facts, one open": "a/bench/facts/?open=MIDDLE",
    "dreams": "a/bench/dreams/",
    "inbox": "a/bench/inbox/",
    "recall debugger": "a/bench/recall/?q=WORDS",
    "files": "a/bench/files/",
    "memory rules": "a/bench/rules/",
    "agents": "agents/",
    "people": "people/",
    "connect": "connect/",
    "usage": "usage/",
    "operations": "operations/",
    "settings": "settings/",
    "settings, memory": "settings/memory/",
    "settings, access": "settings/access/",
    "settings, audit": "settings/audit/",
    "settings, audit, narrowed": "settings/audit/?about=memory&q=entry",
    "account": "account/",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--visits", type=int, default=30)
    arguments = parser.parse_args()
    call_command("collectstatic", interactive=False, verbosity=0)
    measured = {size: measure(size, arguments.visits) for size in arguments.sizes}
    first, last = arguments.sizes[0], arguments.sizes[-1]
    rows = []
    for name in PAGES:
        if name not in measured[last]:
            continue
        times, queries = measured[last][name]
        few, _ = measured[first].get(name, (times, 0))
        ratio = percentile(times, 0.5) / percentile(few, 0.5)
        rows.append((name, queries, milliseconds(times, 0.5), milliseconds(times, 0.95), f"{ratio:.1f}"))
    print_table(("page", "statements", "p50 ms", "p95 ms", f"{last:,} against {first:,} facts"), rows)


def measure(size: int, visits: int) -> dict[str, tuple[list[float], int]]:
    """The times of each page, and its statements, for somebody with so many facts."""
    installation = make_installation(f"pages-{size}-{int(time.time())}")
    words = furnish(installation, size)
    client = Client()
    client.force_login(User.objects.get(pk=installation.principal.user_id))
    with workspace_scope(installation.principal.workspace):
        middle = Fact.objects.filter(workspace=installation.principal.workspace).order_by("pk")[size // 2]
    results = {}
    for name, page in PAGES.items():
        path = page.replace("MIDDLE", str(middle.pk)).replace("WORDS", words.replace(" ", "+"))
        address = f"/w/{installation.principal.workspace.slug}/{path}"
        if client.get(address).status_code == 200:
            results[name] = ([timed(client, address) for _ in range(visits)], statements(client, address))
    return results


def furnish(installation: Installation, size: int) -> str:
    """Fill a workspace and return a few words that its facts hold."""
    principal, agent = installation.principal, installation.agent
    samples = fill(installation, Corpus(), [principal.owner_key], size)
    who: dict[str, Any] = {"workspace": principal.workspace}
    mine = {**who, "agent": agent, "owner_key": principal.owner_key, "scope": Scope.PERSONAL}
    with workspace_scope(principal.workspace):
        WorkspaceFile.objects.bulk_create(
            (
                WorkspaceFile(**mine, path=f"notes/{number:06}.md", content=f"Note {number}.")
                for number in range(size // 10)
            ),
            batch_size=5_000,
        )
        AuditEvent.objects.bulk_create(
            (
                AuditEvent(**who, actor="system", action="fact.approved", target=f"entry {number}")
                for number in range(size)
            ),
            batch_size=5_000,
        )
    Event.objects.bulk_create(
        (
            Event(
                **who,
                owner_key=principal.owner_key,
                kind="embed",
                status="SUCCEEDED",
                finished_at=timezone.now(),
            )
            for _ in range(size)
        ),
        batch_size=5_000,
    )
    count_usage(principal.workspace)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return " ".join(samples[0].split()[:3])


def timed(client: Client, address: str) -> float:
    started = time.perf_counter()
    client.get(address)
    return time.perf_counter() - started


def statements(client: Client, address: str) -> int:
    """How many statements a page takes, those at the edges of transactions included."""
    connection.force_debug_cursor = True
    before = len(connection.queries_log)
    client.get(address)
    connection.force_debug_cursor = False
    count = len(connection.queries_log) - before
    connection.queries_log.clear()
    return count


if __name__ == "__main__":
    main()
