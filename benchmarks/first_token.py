"""How long a turn with memory lets one wait for the first token, over a plain call to the same model.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.first_token [--turns 200] [--facts 10000] [--notes 400]

A scripted model on the loopback answers at once. Each message is sent three times in turn, one client, real sockets:
to the model itself with nothing but the message, to an agent without memory sources, and to the agent with the owner's
facts, always-on facts among them, and daily notes. The messages' vectors are computed beforehand and kept, so that
embedding, measured by itself, is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import httpx2
from django.conf import settings

from benchmarks.corpus import Corpus, Installation, fill, make_installation
from benchmarks.serving import serving
from benchmarks.tables import milliseconds, percentile, print_table
from memoryapp.actions.agents import create_agent, update_agent
from memoryapp.actions.files import write_file
from memoryapp.chat.asking import ask_memory
from memoryapp.models.categories import FactCategory
from memoryapp.retrieval.indexing import embed_missing
from tenants.actions import issue_token

FIRST_DAY: Final = date(2025, 1, 1)
TALK_LENGTH: Final = 10
WARM_UP: Final = 10
ENTRIES: Final = 3


def main() -> None:
    options = read_arguments()
    cache = Path(settings.DATA_DIR) / "benchmark-vectors.sqlite"
    settings.EMBEDDING_CACHE = str(cache)
    corpus, installation = Corpus(), make_installation(f"first-{int(time.time())}")
    remember(installation, corpus, options.facts, options.notes)
    create_plain_agent(installation)
    questions = corpus.questions(corpus.texts(options.turns + WARM_UP))
    embedding = [timed(ask_memory, question, installation.principal.workspace) for question in questions]
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
            waits = ask_in_turn(Asking(client, model.address, product.address), questions)
    report(waits, embedding[WARM_UP:])


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


class Asking:
    """The three ways to ask, each giving the seconds to its first token."""

    def __init__(self, client: httpx2.Client, model: str, product: str) -> None:
        self.client = client
        self.model = model
        self.product = product

    def model_alone(self, question: str, _talk: str) -> float:
        body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": question}]}
        return self.until('"content"', f"{self.model}/v1/chat/completions", body)

    def without_memory(self, question: str, talk: str) -> float:
        return self.through("plain", question, talk)

    def with_memory(self, question: str, talk: str) -> float:
        return self.through("bench", question, talk)

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


def ask_in_turn(asking: Asking, questions: list[str]) -> dict[str, list[float]]:
    ways: dict[str, Callable[[str, str], float]] = {
        "the model alone": asking.model_alone,
        "an agent without memory": asking.without_memory,
        "the agent with memory": asking.with_memory,
    }
    waits: dict[str, list[float]] = {name: [] for name in ways}
    for number, question in enumerate(questions):
        for name, ask in ways.items():
            waits[name].append(ask(question, f"talk-{number // TALK_LENGTH}"))
    return {name: seconds[WARM_UP:] for name, seconds in waits.items()}


def timed(function: Callable[..., Any], *arguments: Any) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def report(waits: dict[str, list[float]], embedding: list[float]) -> None:
    alone, plain, with_memory = waits.values()
    rows = [*waits.items(), ("embedding of the message, left out above", embedding)]
    shares = (0.5, 0.95)
    print_table(
        ("first token from", "p50 ms", "p95 ms"),
        [(name, *(milliseconds(seconds, share) for share in shares)) for name, seconds in rows],
    )
    for name, less in (("the model alone", alone), ("an agent without memory", plain)):
        added = [
            f"{1000 * (percentile(with_memory, share) - percentile(less, share)):.1f}" for share in shares
        ]
        print(f"memory adds to {name}: p50 {added[0]} ms, p95 {added[1]} ms")


if __name__ == "__main__":
    main()
