"""How long a turn with memory lets one wait for the first token, over a plain call to the same model.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.first_token [--turns 200] [--facts 10000] [--notes 400]

A scripted model on the loopback answers at once. One client, real sockets, messages in turn: to the model itself with
nothing but the message, to an agent without memory sources, and two to the agent with the owner's facts, always-on ones
among them, and daily notes. The first of these two has to be embedded, as what people write has: that is begun with the
turn and waited for when it is needed. What it takes by itself is measured right afterwards and taken off. The vector of
the second was computed beforehand.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx2
from django.conf import settings

from benchmarks.corpus import Corpus, Installation, fill, make_installation
from benchmarks.serving import serving
from benchmarks.tables import milliseconds, percentile, print_table
from memoryapp.actions.agents import create_agent, update_agent
from memoryapp.actions.files import write_file
from memoryapp.models.categories import FactCategory
from memoryapp.retrieval.indexing import embed_missing
from memoryapp.retrieval.vectors import get_embedder
from memoryapp.retrieval.vectors.packaged import PackagedEmbedder
from tenants.actions import issue_token

FIRST_DAY: Final = date(2025, 1, 1)
TALK_LENGTH: Final = 10
WARM_UP: Final = 10
ENTRIES: Final = 3

ALONE: Final = "the model alone"
PLAIN: Final = "an agent without memory"
FRESH: Final = "the agent with memory"
EMBEDDING: Final = "embedding the message, by itself"
REST: Final = "the agent with memory, less embedding"
KNOWN: Final = "the agent with memory, its vector known"


def main() -> None:
    options = read_arguments()
    cache = Path(settings.DATA_DIR) / "benchmark-vectors.sqlite"
    settings.EMBEDDING_CACHE = str(cache)
    corpus, installation = Corpus(), make_installation(f"first-{int(time.time())}")
    remember(installation, corpus, options.facts, options.notes)
    create_plain_agent(installation)
    asked = corpus.questions(corpus.texts((options.turns + WARM_UP) * len(Messages._fields)))
    messages = [Messages(*each) for each in zip(*[iter(asked)] * len(Messages._fields), strict=True)]
    for each in messages:
        get_embedder().embed_query(each.known)
        # Embedding begins before it is known that the agent has no use for it; it is no part of what is compared with.
        get_embedder().embed_query(each.plain)
    token = issue_token(principal=installation.principal, name="benchmark")[1]
    with serving("benchmarks.model_server:application", options.port + 1, ready="/") as model:
        environment = {
            "MEMORYAPP_LLM_BASE_URL": f"{model.address}/v1",
            "MEMORYAPP_LLM_MODEL": "m",
            "MEMORYAPP_EMBEDDING_CACHE": str(cache),
        }
        with (
            serving("benchmarks.bare:application", options.port, "/bare", **environment) as product,
            httpx2.Client(timeout=60, headers={"Authorization": f"Bearer {token}"}) as client,
        ):
            waits = ask_in_turn(Asking(client, model.address, product.address), messages)
    report(waits)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--notes", type=int, default=400)
    parser.add_argument("--port", type=int, default=8151)
    return parser.parse_args()


def remember(installation: Installation, corpus: Corpus, facts: int, notes: int) -> None:
    """Give the owner facts of all categories and a note a day."""
    principal = installation.principal
    categories = [member.slug for member in FactCategory]
    fill(installation, corpus, [principal.owner_key], facts, progress=False, categories=categories)
    entries = corpus.texts(notes * ENTRIES)
    for number in range(notes):
        day = FIRST_DAY + timedelta(days=number)
        told = "\n".join(f"- {entry}" for entry in entries[number * ENTRIES : (number + 1) * ENTRIES])
        write_file(
            principal=principal,
            agent=installation.agent,
            path=f"memory/{day}.md",
            content=f"# {day}\n\n{told}\n",
            scope="PERSONAL",
        )
    while embed_missing(principal.workspace).left:
        pass


def create_plain_agent(installation: Installation) -> None:
    """An agent that asks no memory source."""
    agent = create_agent(principal=installation.principal, name="Plain", slug="plain")
    off = {"providersOff": list(settings.MEMORY_PROVIDERS)}
    update_agent(principal=installation.principal, agent=agent, settings=off)


class Messages(NamedTuple):
    """One of each: no text is sent twice, since vectors are remembered."""

    alone: str
    plain: str
    fresh: str
    known: str


class Asking:
    """The ways to ask, each giving the seconds to its first token."""

    def __init__(self, client: httpx2.Client, model: str, product: str) -> None:
        self.client = client
        self.model = model
        self.product = product

    def model_alone(self, question: str, _talk: str) -> float:
        body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": question}]}
        return self.until('"content"', f"{self.model}/v1/chat/completions", body)

    def through(self, agent: str, question: str, talk: str) -> float:
        body = {"agentId": agent, "message": question, "conversationId": talk}
        return self.until("event: delta", f"{self.product}/api/v1/chat/stream", body)

    def until(self, mark: str, url: str, body: dict[str, Any]) -> float:
        """Read the stream to its end and tell when the line with the mark came."""
        started, seen = time.perf_counter(), 0.0
        with self.client.stream("POST", url, json=body) as response:
            for line in response.raise_for_status().iter_lines():
                if not seen and mark in line:
                    seen = time.perf_counter() - started
        if not seen:
            raise SystemExit(f"No first token came from {url}.")
        return seen


def ask_in_turn(asking: Asking, messages: list[Messages]) -> dict[str, list[float]]:
    """The seconds of each way, the first few left out; with what is left of the third without its embedding."""
    embedder = PackagedEmbedder()
    waits: dict[str, list[float]] = defaultdict(list)
    for number, each in enumerate(messages):
        talk = f"talk-{number // TALK_LENGTH}"
        waits[ALONE].append(asking.model_alone(each.alone, talk))
        waits[PLAIN].append(asking.through("plain", each.plain, talk))
        waits[FRESH].append(asking.through("bench", each.fresh, talk))
        waits[EMBEDDING].append(timed(embedder.embed_query, each.fresh))
        waits[REST].append(waits[FRESH][-1] - waits[EMBEDDING][-1])
        waits[KNOWN].append(asking.through("bench", each.known, talk))
    return {name: seconds[WARM_UP:] for name, seconds in waits.items()}


def timed(function: Callable[..., Any], *arguments: Any) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def report(waits: dict[str, list[float]]) -> None:
    shares = (0.5, 0.95)
    print_table(
        ("first token from", "p50 ms", "p95 ms"),
        [(name, *(milliseconds(seconds, share) for share in shares)) for name, seconds in waits.items()],
    )
    for name in (REST, KNOWN):
        for less in (ALONE, PLAIN):
            added = [
                1000 * (percentile(waits[name], share) - percentile(waits[less], share)) for share in shares
            ]
            print(f"{name}, beyond {less}: p50 {added[0]:.1f} ms, p95 {added[1]:.1f} ms")


if __name__ == "__main__":
    main()
