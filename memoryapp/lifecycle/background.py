"""What is known already when a conversation is read: the owner's facts that bear on it, and their files."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from memoryapp.actions.access import writing_scope
from memoryapp.llm.tasks import KnownFact
from memoryapp.models import Agent, Fact, WorkspaceFile
from memoryapp.models.categories import FactCategory
from memoryapp.models.facts import FactQuerySet
from memoryapp.retrieval.search import search_memories
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# Up to here all facts are shown to the model; beyond, those that the search finds for what was said.
ALL_FACTS = 60
FOUND_FACTS = 40
ALWAYS_SHOWN = 20
QUERY_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as it was read; version 0 when there is none."""

    path: str
    content: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class Background:
    """What an extraction starts from. Facts go by their place in the list: a model never sees an id."""

    facts: tuple[Fact, ...] = ()
    files: dict[str, FileText] = field(default_factory=dict)

    @property
    def known(self) -> tuple[KnownFact, ...]:
        return tuple(
            KnownFact(number, fact.text, fact.category) for number, fact in enumerate(self.facts, start=1)
        )

    def fact(self, number: int | None) -> Fact | None:
        """The fact a model calls by this number, None for a number it was never given."""
        return self.facts[number - 1] if number is not None and 1 <= number <= len(self.facts) else None

    def file(self, path: str) -> FileText:
        return self.files.get(path, FileText(path))


def note_path(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


def load_background(principal: Principal, agent: Agent, said: list[str], day: date) -> Background:
    """The facts and files of the owner's own bucket. Not inside a scope: the search may ask an embedding server."""
    scope, owner_key = writing_scope(principal, Scope.PERSONAL)
    bucket = {"workspace": principal.workspace, "agent": agent, "scope": scope, "owner_key": owner_key}
    with workspace_scope(principal.workspace):
        facts = list(_standing(bucket)[: ALL_FACTS + 1])
        paths = ["PROFILE.md", "MEMORY.md", note_path(day)]
        files = WorkspaceFile.objects.visible_to(principal).filter(**bucket, path__in=paths)
        texts = {file.path: FileText(file.path, file.content, file.version) for file in files}
    if len(facts) > ALL_FACTS:
        facts = _relevant(principal, agent, bucket, said)
    return Background(tuple(facts), texts)


def _standing(bucket: dict[str, Any]) -> FactQuerySet:
    states = [Fact.Status.ACTIVE, Fact.Status.PENDING]
    facts: FactQuerySet = Fact.objects.filter(**bucket, status__in=states)
    return facts.unexpired().order_by("-confirmed_at", "id")


def _relevant(principal: Principal, agent: Agent, bucket: dict[str, Any], said: list[str]) -> list[Fact]:
    query = " ".join(said)[-QUERY_CHARS:]
    found = search_memories(query, principal=principal, agent=agent, top_k=FOUND_FACTS, sources=("facts",))
    ids = [hit.object.pk for hit in found.items if isinstance(hit.object, Fact)]
    with workspace_scope(principal.workspace):
        hits = {fact.pk: fact for fact in _standing(bucket).filter(pk__in=ids)}
        always = _standing(bucket).in_category(*FactCategory.always_on())[:ALWAYS_SHOWN]
        return list({**hits, **{fact.pk: fact for fact in always}}.values())
