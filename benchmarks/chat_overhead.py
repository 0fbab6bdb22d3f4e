"""What a chat turn costs the server itself, beside a bare Django view behind the same server in the same run.

The offline backend answers, so no model is waited for; the owner has 1,000 facts, every message is new and is embedded.
Requests alternate between the two, one client, one connection, real sockets.

    export MEMORYAPP_DATA_DIR=/tmp/scratch
    python manage.py migrate && python -m benchmarks.chat_overhead [--turns 300] [--facts 1000]
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import httpx2
from django.contrib.auth.models import User

from benchmarks.corpus import Corpus
from benchmarks.serving import serving
from memoryapp.actions.agents import create_agent
from memoryapp.actions.facts import NewFact, add_fact
from tenants.actions import create_workspace, issue_token

CATEGORIES: Final = ("identity", "preference", "rule", "technical", "project", "decision", "relationship", "")
THINGS: Final = (
    "bicycle",
    "invoice",
    "garden",
    "server",
    "recipe",
    "contract",
    "violin",
    "passport",
    "lathe",
    "ferry",
)
PLACES: Final = (
    "shed",
    "cellar",
    "office",
    "attic",
    "harbour",
    "workshop",
    "kitchen",
    "archive",
    "garage",
    "studio",
)


def main() -> None:
    options = _options()
    token = make_owner(options.facts)
    with (
        serving("benchmarks.bare:application", options.port, ready="/bare") as server,
        httpx2.Client(base_url=server.address, timeout=60) as client,
    ):
        headers = {"Authorization": f"Bearer {token}"}
        asked = itertools.count(1)

        def turn() -> None:
            body = {"agentId": "bench", "message": question(next(asked)), "conversationId": "bench"}
            client.post("/api/v1/chat", json=body, headers=headers).raise_for_status()

        def bare() -> None:
            client.get("/bare").raise_for_status()

        turns, bares = alternate(turn, bare, options.turns)
    report("bare Django view", bares)
    report(f"chat turn, {options.facts:,} facts", turns)
    for name, at in (("median", 0.5), ("p95", 0.95)):
        print(f"ratio of {name}s: {quantile(turns, at) / quantile(bares, at):.1f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--facts", type=int, default=1_000)
    parser.add_argument("--port", type=int, default=8149)
    return parser.parse_args()


def make_owner(facts: int) -> str:
    """A fresh workspace whose owner has so many facts with vectors, and a token of theirs."""
    slug = f"bench-{datetime.now(UTC):%Y%m%d%H%M%S}"
    principal = create_workspace(name="Benchmark", slug=slug, owner=User.objects.create_user(slug))
    agent = create_agent(principal=principal, name="Bench", slug="bench")
    for number, vector in enumerate(Corpus().vectors(facts)):
        text = (
            f"The {THINGS[number % 10]} number {number} is kept in the {PLACES[number // 10 % 10]} since May."
        )
        new = NewFact(text=text, category=CATEGORIES[number % len(CATEGORIES)])
        add_fact(principal=principal, agent=agent, new=new, vector=vector)
    return issue_token(principal=principal, name="benchmark")[1]


def question(number: int) -> str:
    """A message of less than 100 characters that was never asked before."""
    return (
        f"Where did I put the {THINGS[number % 10]} with the number {number * 7 % 1000}, please? ({number})"
    )


def alternate(
    one: Callable[[], None], other: Callable[[], None], times: int
) -> tuple[list[float], list[float]]:
    """Milliseconds of each call, the two taking turns, after a warm-up."""
    for _ in range(20):
        one()
        other()
    pairs = [(measure(one), measure(other)) for _ in range(times)]
    return [first for first, _ in pairs], [second for _, second in pairs]


def measure(call: Callable[[], None]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def quantile(values: list[float], at: float) -> float:
    return sorted(values)[min(int(len(values) * at), len(values) - 1)]


def report(name: str, values: list[float]) -> None:
    p95 = quantile(values, 0.95)
    print(
        f"{name:28} median {statistics.median(values):7.1f} ms   p95 {p95:7.1f} ms   max {max(values):7.1f} ms"
    )


if __name__ == "__main__":
    main()
