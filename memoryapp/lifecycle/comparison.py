"""Holding new facts against what is known of the same bucket, and putting pairs that conflict into the inbox.

It runs after a fact was written, outside of any transaction: by rules offline, by a model's judgement where one is
configured. Nothing is overwritten; both facts stay until somebody decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.actions.contradictions import open_contradiction, pair_key
from memoryapp.actions.forget_reach import Reach, names_of
from memoryapp.lifecycle.buckets import BucketOf
from memoryapp.llm.backends.offline.conflicts import at_the_same_time, why_conflicting
from memoryapp.llm.client import LLMClient
from memoryapp.llm.language.wording import NEGATION, content_words, is_weak
from memoryapp.llm.night_requests import build_conflict_request
from memoryapp.llm.night_tasks import ConflictInput, ConflictReply, DatedFact
from memoryapp.model_settings import client_for
from memoryapp.models import Contradiction, Fact
from memoryapp.retrieval.search import search_memories
from tenants.scoping import workspace_scope

AT_ONCE = 50
# Up to here every known fact is held against a new one; beyond, those that the search finds for it.
SMALL_BUCKET = 300
NEAREST = 40
NEAREST_FOR_MODEL = 8
# Facts that share fewer words of meaning are about different things.
LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many new facts were compared, how many pairs went into the inbox, and whether more wait."""

    compared: int = 0
    opened: int = 0
    more: bool = False


def compare_new_facts(bucket: BucketOf) -> Comparison:
    """Compare the facts of a bucket that were written since the last time. Raises ModelError."""
    client = client_for(bucket.workspace)
    with workspace_scope(bucket.workspace):
        fresh = list(_uncompared(bucket)[: AT_ONCE + 1])
    batch = fresh[:AT_ONCE]
    if not batch:
        return Comparison()
    facts, pairs = _pairs(bucket, batch, for_model=not client.is_offline)
    conflicts = _judge(bucket, client, facts, pairs) if pairs else ConflictReply()
    with workspace_scope(bucket.workspace):
        _close_outdated(batch)
        opened = _open(bucket, facts, pairs, conflicts)
        Fact.objects.filter(pk__in=[fact.pk for fact in batch]).update(compared_at=timezone.now())
    return Comparison(len(batch), opened, more=len(fresh) > AT_ONCE)


def _uncompared(bucket: BucketOf) -> QuerySet[Fact]:
    facts = Fact.objects.filter(**bucket.rows, status=Fact.Status.ACTIVE, compared_at=None)
    return facts.order_by("created_at", "pk")


def _pairs(
    bucket: BucketOf, fresh: Sequence[Fact], *, for_model: bool
) -> tuple[dict[int, Fact], list[tuple[int, int]]]:
    """The facts that take part, by number, and which of them are to be held against each other."""
    with workspace_scope(bucket.workspace):
        known = list(Fact.objects.filter(**bucket.rows).current().order_by("pk")[: SMALL_BUCKET + 1])
    numbers: dict[UUID, int] = {}
    facts: dict[int, Fact] = {}
    pairs: dict[tuple[int, int], None] = {}
    for fact in fresh:
        others = known if len(known) <= SMALL_BUCKET else _found_for(bucket, fact)
        for other in _likely_rivals(fact, others) if for_model else _nearest(fact, others):
            for each in (fact, other):
                number = numbers.setdefault(each.pk, len(numbers) + 1)
                facts[number] = each
            one, two = sorted((numbers[fact.pk], numbers[other.pk]))
            pairs[one, two] = None
    return facts, list(pairs)


def _found_for(bucket: BucketOf, fact: Fact) -> list[Fact]:
    found = search_memories(
        fact.text, principal=bucket.principal, agent=bucket.agent, top_k=NEAREST, sources=("facts",)
    )
    rows = [hit.object for hit in found.items if isinstance(hit.object, Fact)]
    return [row for row in rows if (row.scope, row.owner_key) == (bucket.scope, bucket.owner_key)]


def _nearest(fact: Fact, others: Sequence[Fact], limit: int = NEAREST) -> list[Fact]:
    """Other facts that share words with this one, most first."""
    words = content_words(fact.text) - {NEGATION}
    shared = {other.pk: len(words & content_words(other.text)) for other in others}
    rivals = [other for other in others if shared[other.pk] and other.text_key != fact.text_key]
    return sorted(rivals, key=lambda other: -shared[other.pk])[:limit]


def _likely_rivals(fact: Fact, others: Sequence[Fact]) -> list[Fact]:
    """The few that are worth a model's time: the rules see a conflict, or they say much of the same."""
    return [other for other in _nearest(fact, others) if _is_likely(fact, other)][:NEAREST_FOR_MODEL]


def _is_likely(fact: Fact, other: Fact) -> bool:
    mine, theirs = _strong(fact.text), _strong(other.text)
    shared = mine & theirs
    alike = len(shared) >= LEAST_SHARED and len(shared) * 2 >= min(len(mine), len(theirs))
    return (alike and mine > shared < theirs) or bool(why_conflicting(dated(1, fact), dated(2, other)))


def _strong(text: str) -> set[str]:
    return {word for word in content_words(text) if not is_weak(word)}


def _judge(
    bucket: BucketOf, client: LLMClient, facts: dict[int, Fact], pairs: Sequence[tuple[int, int]]
) -> ConflictReply:
    with workspace_scope(bucket.workspace):
        names = names_of(Reach(bucket.workspace.pk, bucket.agent.pk, bucket.owner_key, team=False))
    task = ConflictInput(
        facts=tuple(dated(number, fact) for number, fact in sorted(facts.items())),
        pairs=tuple(pairs),
        today=bucket.today(),
        names=tuple(names),
    )
    return client.complete_json(build_conflict_request(task, model=bucket.agent.model), ConflictReply).value


def dated(number: int, fact: Fact) -> DatedFact:
    """A fact as a model or a rule sees it."""
    return DatedFact(number, fact.text, fact.category, fact.said_at, fact.valid_from, fact.valid_to)


def _close_outdated(batch: Sequence[Fact]) -> None:
    """Take pairs out of the inbox of which a side says something else by now; they are judged anew."""
    ids = [fact.pk for fact in batch]
    waiting = Contradiction.objects.filter(resolution=Contradiction.Resolution.OPEN).select_related(
        "fact_a", "fact_b"
    )
    for pair in waiting.filter(fact_a__in=ids) | waiting.filter(fact_b__in=ids):
        if pair.pair_key != pair_key(pair.fact_a, pair.fact_b):
            pair.delete()


def _open(
    bucket: BucketOf, facts: dict[int, Fact], pairs: Sequence[tuple[int, int]], reply: ConflictReply
) -> int:
    """Open the pairs that were found, as far as they were asked about and both sides still stand."""
    asked = set(pairs)
    standing = {
        fact.pk: fact for fact in Fact.objects.current().filter(pk__in=[fact.pk for fact in facts.values()])
    }
    opened = 0
    for found in reply.conflicts:
        numbers = tuple(sorted((found.a, found.b)))
        if numbers not in asked:
            continue
        one, other = (standing.get(facts[number].pk) for number in numbers)
        if one is None or other is None or not at_the_same_time(dated(1, one), dated(2, other)):
            continue
        pair = open_contradiction(principal=bucket.principal, one=one, other=other, reason=found.reason)
        opened += pair is not None
    return opened
