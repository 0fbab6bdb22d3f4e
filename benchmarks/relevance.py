"""Whether a score tells what answers a question from what does not, in four languages alike.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.relevance [--cache vectors.sqlite] [--show LANGUAGE]

Made-up people with 36 facts, and with 12 of them, are asked short and long questions that use other words than the
facts, and some that nothing answers (`relevance.json`). What answers should have at least 0.4, all else less: clients
send fixed thresholds up to that. The same facts and questions stand in every language.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from benchmarks.corpus import Installation, make_installation
from benchmarks.tables import print_table
from benchmarks.writing import acting_as
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.retrieval.search import search_memories
from memoryapp.retrieval.vectors import get_embedder

DATA = Path(__file__).with_name("relevance.json")
LIMIT = 0.4
PARTS = 3
HEADS = (
    "language", "facts", "first", "in the first 3", "answers from 0.4", "others below 0.4", "nothing where nothing is",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """One question to one owner: what answers it, and each fact's key and score, best first."""

    question: str
    answers: frozenset[str]
    scores: tuple[tuple[str, float], ...]

    def place(self) -> int:
        return next(
            (place for place, (key, _) in enumerate(self.scores) if key in self.answers), len(self.scores)
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", default="")
    parser.add_argument("--show", default="", help="print every question of a language with what is wrong")
    arguments = parser.parse_args()
    if arguments.cache:
        settings.EMBEDDING_CACHE = arguments.cache
    data = json.loads(DATA.read_text(encoding="utf-8"))
    installation = make_installation(f"relevance-{int(time.time())}")
    rows = []
    for language in data["facts"]:
        for parts in (1, PARTS):
            asked = list(ask_all(installation, data, language, parts))
            rows.append((language, len(data["facts"][language]) // parts, *measure(asked)))
            if language == arguments.show and parts == 1:
                show(asked, data["facts"][language])
    print_table(HEADS, rows)


def ask_all(
    installation: Installation, data: Mapping[str, Any], language: str, parts: int
) -> Iterator[Asked]:
    """Every question to every owner, each of whom has a share of the facts."""
    keys = list(data["facts"][language])
    for part in range(parts):
        owner = f"api:{language}-{parts}-{part}"
        facts = {key: data["facts"][language][key] for key in keys[part::parts]}
        stored = {remember(installation, owner, text): key for key, text in facts.items()}
        for each in data["questions"]:
            found = search_memories(
                each[language],
                principal=acting_as(installation, owner),
                agent=installation.agent,
                sources=("facts",),
                top_k=len(facts),
            )
            scores = tuple((stored[hit.id], hit.score) for hit in found.items)
            yield Asked(each[language], frozenset(each["answers"]) & set(facts), scores)


def remember(installation: Installation, owner: str, text: str) -> Any:
    vector = get_embedder().embed_passages([text])[0]
    principal = acting_as(installation, owner)
    return add_fact(
        principal=principal, agent=installation.agent, new=NewFact(text=text), vector=vector
    ).fact.pk


def measure(asked: list[Asked]) -> list[str]:
    """The figures of a table's line."""
    answered = [each for each in asked if each.answers]
    unanswered = [each for each in asked if not each.answers]
    right = [score for each in asked for key, score in each.scores if key in each.answers]
    wrong = [score for each in asked for key, score in each.scores if key not in each.answers]
    silent = [not any(score >= LIMIT for _, score in each.scores) for each in unanswered]
    return [
        share([each.place() == 0 for each in answered]),
        share([each.place() < 3 for each in answered]),
        share([score >= LIMIT for score in right]),
        share([score < LIMIT for score in wrong]),
        share(silent),
    ]


def share(values: list[bool]) -> str:
    return f"{sum(values) / max(len(values), 1):.2f}"


def show(asked: list[Asked], facts: Mapping[str, str]) -> None:
    for each in asked:
        print(f"{each.question}")
        for place, (key, score) in enumerate(each.scores):
            if key in each.answers or (place < 3 and score >= LIMIT) or place == 0:
                print(f"   {'*' if key in each.answers else ' '} {place:2} {score:.3f} {facts[key]}")


if __name__ == "__main__":
    main()
