"""What the dashboard's pages take, as the server sees it, for a person with very much memory.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.pages [--sizes 10000 100000] [--visits 30]

One person owns all facts, and a tenth as many files; the audit log and the list of jobs are as long as the facts. The
facts were confirmed at some time in the last year, some of them judged. Each page is asked for in turn, whole, through
Django's client: everything but the network. A search asks for other words with each visit, which are embedded. A folder
that an earlier run has filled is not filled again.
"""

from __future__ import annotations

import argparse
import time
from itertools import cycle, repeat
from typing import Any, Final
from urllib.parse import quote_plus

from django.contrib.auth.models import User
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pgvector import HalfVector

from benchmarks.corpus import Corpus, Installation, connect, fill, make_installation
from benchmarks.tables import percentile, print_table
from memoryapp.handling import keep_for_good
from memoryapp.lifecycle.usage import count_usage
from memoryapp.models import Embedding, Event, Fact, Owner, WorkspaceFile
from memoryapp.retrieval.tokens import quoted, tokenize
from memoryapp.retrieval.vectors import get_embedder
from tenants.models import AuditEvent, Workspace
from tenants.scoping import Scope, workspace_scope

PAGES = {
    "overview": "a/bench/overview/",
    "overview, its charts": "a/bench/overview/charts/",
    "playground": "a/bench/playground/",
    "facts": "a/bench/facts/",
    "facts, a page far back": "a/bench/facts/?before=MIDDLE",
    "facts, of a category": "a/bench/facts/?category=rule",
    "facts, of a category without any": "a/bench/facts/?category=decision",
    "facts, well trusted": "a/bench/facts/?trust=high",
    "facts, fading": "a/bench/facts/?trust=fading",
    "facts, little trusted": "a/bench/facts/?trust=low",
    "facts, searched": "a/bench/facts/?q=WORDS",
    "facts, one open": "a/bench/facts/?open=MIDDLE",
    "dreams": "a/bench/dreams/",
    "inbox": "a/bench/inbox/",
    "recall debugger": "a/bench/recall/?q=WORDS",
    "files": "a/bench/files/",
    "memory rules": "a/bench/rules/",
    "agents": "agents/",
    "people": "people/",
    "a person": "people/OWNER/",
    "a person's facts": "people/OWNER/?tab=facts",
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


EDGES: Final = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SELECT SET_CONFIG", "SET ")
QUESTIONS: Final = 60
# So many facts of each question have the vectors of their words; those of the others are made up.
RELATED: Final = 60
CATEGORIES: Final = ("", "identity", "preference", "rule", "project", "event")
SPREAD = """
UPDATE memoryapp_fact SET confirmed_at = now() - random() * interval '365 days',
  helpful_count = CASE WHEN random() < 0.02 THEN 2 ELSE 0 END, pinned = random() < 0.002
WHERE workspace_id = %s
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--visits", type=int, default=30)
    arguments = parser.parse_args()
    call_command("collectstatic", interactive=False, verbosity=0)
    keep_for_good()  # as the web server does when it starts
    measured = {size: measure(size, arguments.visits) for size in arguments.sizes}
    few, many = measured[arguments.sizes[0]], measured[arguments.sizes[-1]]
    rows = []
    for name, (times, queries) in many.items():
        figures = (min(times) * 1000, percentile(times, 0.5) * 1000, percentile(times, 0.95) * 1000)
        ratio = percentile(times, 0.5) / percentile(few[name][0], 0.5)
        rows.append((name, queries, *(f"{figure:.0f}" for figure in figures), f"{ratio:.1f}"))
    print_table(("page", "queries", "least ms", "p50 ms", "p95 ms", "p50 against the first size"), rows)


def measure(size: int, visits: int) -> dict[str, tuple[list[float], int]]:
    """The times of each page, and its queries, for somebody with so many facts."""
    slug = f"pages-{size}"
    workspace = Workspace.objects.filter(slug=f"bench-{slug}").first()
    if workspace is None:
        installation = make_installation(slug)
        furnish(installation, size)
        workspace = installation.principal.workspace
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=f"bench-{slug}"))
    with workspace_scope(workspace):
        middle = Fact.objects.filter(workspace=workspace).order_by("pk")[size // 2]
        names = {"MIDDLE": str(middle.pk), "OWNER": str(Owner.objects.get(workspace=workspace).pk)}
        words = cycle(questions(workspace, size))
    results = {}
    for name, page in PAGES.items():
        for placeholder, value in names.items():
            page = page.replace(placeholder, value)
        asked = words if "WORDS" in page else repeat("")
        addresses = (f"/w/{workspace.slug}/" + page.replace("WORDS", quote_plus(each)) for each in asked)
        if client.get(next(addresses)).status_code != 200:
            raise SystemExit(f"{name} cannot be shown.")
        times = [timed(client, next(addresses)) for _ in range(visits)]
        results[name] = times, statements(client, next(addresses))
    return results


def questions(workspace: Workspace, size: int) -> list[str]:
    """Three words each of some facts; inside the workspace's scope."""
    texts = Fact.objects.filter(workspace=workspace).order_by("pk").values_list("text", flat=True)
    return [" ".join(texts[number * size // QUESTIONS].split()[:3]) for number in range(QUESTIONS)]


def furnish(installation: Installation, size: int) -> None:
    """Fill a workspace with everything of one person."""
    principal, agent = installation.principal, installation.agent
    fill(installation, Corpus(), [principal.owner_key], size, categories=CATEGORIES)
    who: dict[str, Any] = {"workspace": principal.workspace}
    mine = {**who, "agent": agent, "owner_key": principal.owner_key, "scope": Scope.PERSONAL}
    with workspace_scope(principal.workspace):
        Owner.objects.get_or_create(**who, owner_key=principal.owner_key)
        relate(principal.workspace, size)
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
    done = {"kind": "embed", "status": "SUCCEEDED", "finished_at": timezone.now()}
    Event.objects.bulk_create(
        (Event(**who, owner_key=principal.owner_key, **done) for _ in range(size)), batch_size=5_000
    )
    count_usage(principal.workspace)
    with connect() as superuser:
        superuser.execute(SPREAD, [principal.workspace.pk])
        superuser.execute("VACUUM (FULL) memoryapp_fact")
        superuser.execute("VACUUM ANALYZE")


def relate(workspace: Workspace, size: int) -> None:
    """Give the facts that a question is about the vectors of their texts; inside the workspace's scope."""
    for question in questions(workspace, size):
        wanted = SearchQuery(" | ".join(map(quoted, tokenize(question))), search_type="raw", config="simple")
        facts = Fact.objects.filter(workspace=workspace, lexemes=wanted)
        related = list(facts.annotate(fits=SearchRank("lexemes", wanted)).order_by("-fits", "pk")[:RELATED])
        vectors = get_embedder().embed_passages([fact.text for fact in related])
        for fact, vector in zip(related, vectors, strict=True):
            Embedding.objects.filter(workspace=workspace, fact=fact).update(vector=HalfVector(vector))


def timed(client: Client, address: str) -> float:
    started = time.perf_counter()
    client.get(address)
    return time.perf_counter() - started


def statements(client: Client, address: str) -> int:
    """How many statements a page takes, without those at the edges of transactions."""
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return sum(not query["sql"].strip().upper().startswith(EDGES) for query in captured)


if __name__ == "__main__":
    main()
