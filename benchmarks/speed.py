"""How long a search takes, embedding left out, against a statement written by hand for the same arms in the same run.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.speed [--owners 1000] [--facts 100] [--big 0]
           [--searches 200] [--writers 2] [--use SLUG]

Makes a workspace of its own in a scratch installation (a data folder to throw away: it is filled by COPY), then asks
questions of changing owners on one connection while writers add facts. Each question goes to our search and to the
handwritten statement in turn, so that whatever else the machine does falls on both. Every answer is checked against an
exact scan: “complete” is the share of searches whose ten nearest by meaning are among what the vector arm found.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from django.db import connection

from benchmarks.corpus import Corpus, Installation, fill, find_installation, make_installation
from benchmarks.handwritten import STATEMENT, STATEMENT_LARGE
from benchmarks.tables import milliseconds, percentile, print_table
from benchmarks.writing import acting_as, writers
from memoryapp.retrieval.search import SearchResult, search_memories
from memoryapp.retrieval.statements import as_halfvec
from memoryapp.retrieval.tokens import quoted, tokenize
from memoryapp.retrieval.vectors import Vector
from tenants.scoping import workspace_scope

HEADS = ("owners", "p50 ms", "p95 ms", "by hand p50", "by hand p95", "p50 ratio", "p95 ratio", "10 results")


def main() -> None:
    arguments = read_arguments()
    corpus = Corpus()
    owners = [f"api:owner{number}" for number in range(arguments.owners)]
    if arguments.use:
        installation = find_installation(arguments.use)
    else:
        installation = make_installation(f"speed-{int(time.time())}")
        started = time.perf_counter()
        fill(installation, corpus, owners, arguments.facts)
        if arguments.big:
            fill(installation, corpus, ["api:big"], arguments.big)
        print(f"filled {installation.principal.workspace.slug} in {time.perf_counter() - started:.0f} s")
    run = Run(installation, corpus, arguments)
    rows = [run.compare(f"{len(owners):,} of {arguments.facts}", owners, STATEMENT)]
    if arguments.big:
        rows.append(run.compare(f"one of {arguments.big:,}", ["api:big"], STATEMENT_LARGE))
    print_table(HEADS, rows)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--owners", type=int, default=1_000)
    parser.add_argument("--facts", type=int, default=100)
    parser.add_argument("--big", type=int, default=0)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--use", help="the slug of a workspace that an earlier run has filled")
    return parser.parse_args()


class Run:
    """One corpus, searched in two ways."""

    def __init__(self, installation: Installation, corpus: Corpus, arguments: argparse.Namespace) -> None:
        self.installation = installation
        self.corpus = corpus
        self.arguments = arguments

    def compare(self, label: str, owners: list[str], statement: str) -> tuple[Any, ...]:
        questions = self.corpus.questions(self.corpus.texts(self.arguments.searches))
        ours: list[float] = []
        by_hand: list[float] = []
        full = 0
        with writers(self.installation, owners, self.arguments.writers):
            for number, question in enumerate(questions):
                owner, vector = owners[number * 7 % len(owners)], self.corpus.vector()
                seconds, result = timed(self.search, owner, question, vector)
                ours.append(seconds)
                by_hand.append(timed(self.by_hand, owner, question, vector, statement)[0])
                full += len(result.items) == 10
        warm, warm_hand = ours[10:], by_hand[10:]
        ratios = [f"{percentile(warm, share) / percentile(warm_hand, share):.1f}" for share in (0.5, 0.95)]
        times = [milliseconds(values, share) for values in (warm, warm_hand) for share in (0.5, 0.95)]
        return (label, *times, *ratios, f"{full} of {len(questions)}")

    def search(self, owner: str, question: str, vector: Vector) -> SearchResult:
        return search_memories(
            question,
            principal=acting_as(self.installation, owner),
            agent=self.installation.agent,
            sources=("facts",),
            query_vector=vector,
        )

    def by_hand(self, owner: str, question: str, vector: Vector, statement: str) -> list[tuple[Any, ...]]:
        terms = list(dict.fromkeys(tokenize(question)))
        values: dict[str, Any] = {
            "workspace": self.installation.principal.workspace.pk,
            "agent": self.installation.agent.pk,
            "owner": owner,
            "terms": terms,
            "query": " | ".join(map(quoted, terms)),
            "vector": as_halfvec(vector),
        }
        with workspace_scope(self.installation.principal.workspace), connection.cursor() as cursor:
            if statement is STATEMENT_LARGE:
                cursor.execute("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)")
            cursor.execute(statement, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - started, result


if __name__ == "__main__":
    main()
