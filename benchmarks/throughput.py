"""How many facts a second can be added word for word: one by one, and a hundred in one request.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.throughput [--single 200] [--batches 20]

Through mem0's route, in this process and without a network between. “Without embedding” leaves it to the worker, as a
batch does anyway; “with” embeds every single fact as it is added.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from unittest.mock import patch

from django.test import Client

from benchmarks.corpus import Corpus, make_installation
from benchmarks.tables import print_table
from memoryapp.retrieval.vectors import Vector
from tenants.actions import issue_token

BATCH = 100


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--single", type=int, default=200)
    parser.add_argument("--batches", type=int, default=20)
    arguments = parser.parse_args()
    installation, corpus = make_installation(f"throughput-{int(time.time())}"), Corpus()
    token = issue_token(principal=installation.principal, name="throughput")[1]
    client = Client(headers={"Authorization": f"Token {token}"})

    def add(texts: list[str]) -> None:
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"messages": messages, "user_id": "ana", "infer": False}
        response = client.post("/v1/memories/", body, content_type="application/json")
        if response.status_code != 200:
            raise SystemExit(response.content.decode())

    embedding = rate(add, [[text] for text in corpus.texts(arguments.single)])
    with patch("memoryapp.compat.mem0.adding.embed_now", without_embedding):
        single = rate(add, [[text] for text in corpus.texts(arguments.single)])
        batch = rate(add, [corpus.texts(BATCH) for _ in range(arguments.batches)])
    rows = [
        ("one by one, with embedding", f"{embedding:.0f}", ""),
        ("one by one, without", f"{single:.0f}", "1.0"),
        (f"{BATCH} in one request", f"{batch:.0f}", f"{batch / single:.1f}"),
    ]
    print_table(("facts added", "facts a second", "times one by one"), rows)


def without_embedding(texts: list[str]) -> list[Vector | None]:
    return [None] * len(texts)


def rate(add: Callable[[list[str]], None], requests: list[list[str]]) -> float:
    started = time.perf_counter()
    for texts in requests:
        add(texts)
    return sum(map(len, requests)) / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
