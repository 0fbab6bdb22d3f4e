"""Writers that keep adding facts while something else is measured."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from django.db import connection

from benchmarks.corpus import Corpus, Installation
from memoryapp.actions.facts import NewFact, add_fact
from tenants.principals import Principal


def acting_as(installation: Installation, owner: str) -> Principal:
    return replace(installation.principal, owner_key=owner)


@contextmanager
def writers(
    installation: Installation, owners: Sequence[str], count: int, pause: float = 0.05
) -> Iterator[None]:
    """So many threads, each adding a fact to the next owner and waiting a little, until the block ends."""
    ended = threading.Event()
    threads = [
        threading.Thread(
            target=_write, args=(installation, owners[number:], number, pause, ended), daemon=True
        )
        for number in range(min(count, len(owners)))
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _write(
    installation: Installation, owners: Sequence[str], seed: int, pause: float, ended: threading.Event
) -> None:
    corpus = Corpus(seed=1_000 + seed)
    for owner in itertools.cycle(owners):
        if ended.wait(pause):
            break
        text, vector = corpus.texts(1)[0], corpus.vector()
        add_fact(
            principal=acting_as(installation, owner),
            agent=installation.agent,
            new=NewFact(text=text),
            vector=vector,
        )
    connection.close()
