"""Tombstones: what was forgotten, as keyed hashes, and keeping it from coming back through any other door."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.statements import pieces, undressed
from memoryapp.llm.language.wording import content_words
from memoryapp.models import Agent, Tombstone
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope
from tenants.secrets import keyed_digest

PURPOSE = "tombstone"
# Fewer words say too little to know a text by them in whatever order.
LEAST_WORDS = 2
PLACED_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Place:
    """A bucket of memory: of the team or of one owner, with one agent."""

    agent_id: UUID
    scope: str
    owner_key: str


def digests_of(text: str) -> list[str]:
    """The keyed hashes by which a text is known again: its normalised form, and its words in any order and dress."""
    bare = undressed(text)
    digests = [keyed_digest(text_key(text), purpose=PURPOSE)]
    if bare and bare != text:
        digests.append(keyed_digest(text_key(bare), purpose=PURPOSE))
    words = sorted(content_words(bare))
    if len(words) >= LEAST_WORDS:
        digests.append(keyed_digest("\n".join(words), purpose=f"{PURPOSE}-words"))
    return digests


def place_tombstones(principal: Principal, place: Place, texts: Iterable[tuple[str, UUID | None]]) -> None:
    """Remember texts of a bucket as forgotten, each with the fact it was. Inside the workspace's scope."""
    Tombstone.objects.bulk_create(
        [
            Tombstone(
                workspace=principal.workspace,
                agent_id=place.agent_id,
                scope=place.scope,
                owner_key=place.owner_key,
                digest=digest,
                fact_id=fact_id,
            )
            for text, fact_id in texts
            for digest in dict.fromkeys(digests_of(text))
        ],
        batch_size=PLACED_AT_ONCE,
        ignore_conflicts=True,
    )


def is_forgotten(place: Place, text: str, *, lift: bool = False) -> bool:
    """Whether the text was forgotten in this bucket; `lift` allows it back, with what was forgotten beside it."""
    stones = Tombstone.objects.filter(agent_id=place.agent_id, scope=place.scope, owner_key=place.owner_key)
    found = list(stones.filter(digest__in=digests_of(text)))
    if found and lift:
        facts = [stone.fact_id for stone in found if stone.fact_id is not None]
        stones.filter(fact_id__in=facts).delete()
        stones.filter(pk__in=[stone.pk for stone in found]).delete()
        return False
    return bool(found)


class ForgottenTexts:
    """Everything forgotten in a bucket, to hold a proposed text against."""

    def __init__(self, digests: Iterable[str]) -> None:
        self._digests = frozenset(digests)

    def __bool__(self) -> bool:
        return bool(self._digests)

    def include(self, text: str) -> bool:
        """Whether the text, or a sentence or clause of it, was forgotten."""
        return bool(self._digests) and any(
            digest in self._digests for piece in pieces(text) for digest in digests_of(piece)
        )

    def without(self, text: str) -> str:
        """The text without the lines that say something forgotten."""
        if not self._digests:
            return text
        return "".join(line for line in text.splitlines(keepends=True) if not self.include(line))


def load_forgotten(
    *, principal: Principal, agent: Agent, scope: str, owner_key: str | None = None
) -> ForgottenTexts:
    """What was forgotten in one bucket of an agent."""
    key = (principal.owner_key if owner_key is None else owner_key) if scope == Scope.PERSONAL else ""
    with workspace_scope(principal.workspace):
        stones = Tombstone.objects.filter(agent=agent, scope=scope, owner_key=key)
        return ForgottenTexts(stones.values_list("digest", flat=True))
