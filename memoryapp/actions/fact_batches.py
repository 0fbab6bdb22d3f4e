"""Many facts at once, word for word: the same outcome as adding each, in a number of statements that does not grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from django.db import connection

from memoryapp.actions.access import require_team_role, writing_scope
from memoryapp.actions.comparing import request_comparison
from memoryapp.actions.events import request_job_after_commit
from memoryapp.actions.fact_history import added_happenings, snapshot
from memoryapp.actions.facts import AddedFact, Forgotten, NewFact, times_overlap, unsaved_fact
from memoryapp.actions.mentions import MENTION, note_mention
from memoryapp.actions.tombstones import Place, is_forgotten, load_forgotten
from memoryapp.actions.webhooks import note_of_facts
from memoryapp.models import Agent, Fact, FactRevision
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.principals import Principal
from tenants.scoping import workspace_scope

Drafts: TypeAlias = Sequence[tuple[NewFact, Fact, bool]]

# All locks of a batch in one order, so that two batches that share texts never wait for each other in a ring.
TAKE_TURNS = """
    SELECT pg_advisory_xact_lock(hashtextextended(key, 0))
    FROM (SELECT key FROM unnest(%s::text[]) AS key ORDER BY hashtextextended(key, 0)) AS ordered
"""


def add_facts(
    *,
    principal: Principal,
    agent: Agent,
    news: Sequence[NewFact],
    lift_tombstones: bool = False,
    reason: str = "",
) -> list[AddedFact]:
    """Add facts of one owner and scope, all or none; found by words at once, by meaning when the worker is done.

    A text that is known, or comes twice, is the same fact. Raises as `add_fact` does: a text that was forgotten on
    request refuses the batch, unless `lift_tombstones` is set.
    """
    if not news:
        return []
    scope, owner_key = writing_scope(principal, news[0].scope)
    require_team_role(principal, scope)
    drafts = [(new, *unsaved_fact(principal, agent, new, scope, owner_key)) for new in news]
    with workspace_scope(principal.workspace):
        _take_turns(drafts)
        _mind_tombstones(principal, agent, [fact for _, fact, _ in drafts], lift=lift_tombstones)
        added = _told_apart(drafts)
        _store(principal, [each.fact for each in added if each.created], reason)
    return added


def _take_turns(drafts: Drafts) -> None:
    keys = {f"{f.workspace_id}:{f.agent_id}:{f.scope}:{f.owner_key}:{f.text_key}" for _, f, _ in drafts}
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TURNS, [sorted(keys)])


def _mind_tombstones(principal: Principal, agent: Agent, facts: Sequence[Fact], *, lift: bool) -> None:
    place = Place(agent.pk, facts[0].scope, facts[0].owner_key)
    forgotten = load_forgotten(principal=principal, agent=agent, scope=place.scope)
    for fact in facts:
        if forgotten.include(fact.text) and is_forgotten(place, fact.text, lift=lift):
            raise Forgotten("This was forgotten on request.")


def _told_apart(drafts: Drafts) -> list[AddedFact]:
    """Each draft with the fact that says it: itself, one that is known, or an earlier one of the batch."""
    known = _known(drafts)
    added: list[AddedFact] = []
    again: list[tuple[Fact, Fact]] = []
    for new, fact, was_masked in drafts:
        twins = known.setdefault(fact.text_key, [])
        twin = next((each for each in twins if _is_same(each, fact, new)), None)
        if twin is None:
            twins.append(fact)
        elif not twin._state.adding:
            again.append((twin, fact))
        added.append(AddedFact(twin or fact, twin is None, was_masked))
    _say_again(again)
    return added


def _say_again(pairs: Sequence[tuple[Fact, Fact]]) -> None:
    """Note mentions of known facts as `say_again` does for one, in one go."""
    known = {twin.pk: twin for twin, _ in pairs}
    latest = Fact.objects.select_for_update().in_bulk(known)
    for key, twin in known.items():
        twin.mention_count, twin.expires_at = latest[key].mention_count, latest[key].expires_at
    for twin, fact in pairs:
        note_mention(twin, fact)
    Fact.objects.bulk_update(known.values(), MENTION)


def _known(drafts: Drafts) -> dict[str, list[Fact]]:
    first = drafts[0][1]
    found = (
        Fact.objects.filter(
            workspace_id=first.workspace_id,
            agent_id=first.agent_id,
            scope=first.scope,
            owner_key=first.owner_key,
            text_key__in={fact.text_key for _, fact, _ in drafts},
            status__in=[Fact.Status.ACTIVE, Fact.Status.PENDING],
        )
        .unexpired()
        .order_by("created_at")
    )
    known: dict[str, list[Fact]] = {}
    for fact in found:
        known.setdefault(fact.text_key, []).append(fact)
    return known


def _is_same(known: Fact, fact: Fact, new: NewFact) -> bool:
    same_place = known.run_id == fact.run_id and known.session_id == fact.session_id
    return same_place and (new.said_at is None or known.said_at == new.said_at) and times_overlap(known, fact)


def _store(principal: Principal, facts: Sequence[Fact], reason: str) -> None:
    if not facts:
        return
    prepare_rows(facts)
    Fact.objects.bulk_create(facts)
    FactRevision.objects.bulk_create(_addition(principal, fact, reason) for fact in facts)
    for fact in facts:
        for happening in added_happenings(fact):
            note_of_facts(principal.workspace, happening, [fact])
    store_vectors(facts)
    agent_id = facts[0].agent_id
    request_job_after_commit(principal=principal, kind="embed", subject_id=agent_id, agent_id=agent_id)
    request_comparison(principal, facts[0])


def _addition(principal: Principal, fact: Fact, reason: str) -> FactRevision:
    return FactRevision(
        workspace_id=fact.workspace_id,
        agent_id=fact.agent_id,
        owner_key=fact.owner_key,
        scope=fact.scope,
        fact=fact,
        operation=FactRevision.Operation.ADD,
        after=snapshot(fact),
        actor=principal.actor,
        origin=fact.origin,
        reason=reason[:300],
    )
