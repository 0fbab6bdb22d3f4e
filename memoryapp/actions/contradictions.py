"""The inbox of contradictions: opened once per pair of texts, resolved by edits that change facts, undone whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memoryapp.actions.access import require_own
from memoryapp.actions.fact_history import restore_snapshot
from memoryapp.actions.fact_lifecycle import confirm_fact, merge_facts, retire_fact
from memoryapp.actions.forget_files import put_back_files, strike_files
from memoryapp.actions.forget_reach import Reach, names_of
from memoryapp.actions.forget_texts import Removal
from memoryapp.actions.statements import Statements
from memoryapp.actions.tombstones import Place, place_tombstones
from memoryapp.actions.webhooks import note_happening
from memoryapp.exceptions import Conflict, NotFound, ValidationFailed
from memoryapp.models import Agent, Contradiction, DismissedPair, Fact, FactRevision, Tombstone, Webhook
from tenants.actions import record_audit
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope
from tenants.secrets import decrypt, encrypt, keyed_digest

PROMPT_FILES = ("MEMORY.md", "PROFILE.md")
Resolution = Contradiction.Resolution


def pair_key(one: Fact, other: Fact) -> str:
    """What tells a pair of texts whichever comes first and whatever rows they stand in."""
    return keyed_digest("\n".join(sorted((one.text_key, other.text_key))), purpose="contradiction")


def open_contradiction(*, principal: Principal, one: Fact, other: Fact, reason: str) -> Contradiction | None:
    """Put a pair of facts into the inbox; None when it is there already, was dismissed, or is no pair of two claims."""
    bucket = {"agent_id": one.agent_id, "scope": one.scope, "owner_key": one.owner_key}
    same_bucket = all(getattr(other, name) == value for name, value in bucket.items())
    if one.pk == other.pk or one.text_key == other.text_key or not same_bucket:
        return None
    key = pair_key(one, other)
    older, newer = sorted((one, other), key=lambda fact: (fact.said_at, fact.created_at, fact.pk))
    with workspace_scope(principal.workspace):
        if DismissedPair.objects.filter(**bucket, pair_key=key).exists():
            return None
        if Contradiction.objects.filter(**bucket, pair_key=key).exists():
            return None
        pair = Contradiction(
            workspace=principal.workspace, **bucket, fact_a=older, fact_b=newer, reason=reason, pair_key=key
        )
        created = Contradiction.objects.bulk_create([pair], ignore_conflicts=True)
        note_happening(
            principal.workspace,
            Webhook.Happening.CONTRADICTION_OPENED,
            subject_id=pair.pk,
            agent_id=one.agent_id,
            owner_key=one.owner_key,
        )
        return created[0] if Contradiction.objects.filter(pk=pair.pk).exists() else None


def open_contradictions(principal: Principal, agent: Agent) -> QuerySet[Contradiction]:
    """What waits for the principal's decision: pairs of which both sides still stand. Inside the workspace's scope."""
    return inbox(principal, agent).filter(resolution=Resolution.OPEN)


def inbox(principal: Principal, agent: Agent) -> QuerySet[Contradiction]:
    """All pairs the principal may see, open and decided, without those of which a side was forgotten."""
    pairs: QuerySet[Contradiction] = Contradiction.objects.visible_to(principal).filter(agent=agent)
    hidden = [Fact.Status.FORGOTTEN]
    shown = pairs.exclude(fact_a__status__in=hidden).exclude(fact_b__status__in=hidden)
    return shown.select_related("fact_a", "fact_b")


def load_contradiction(principal: Principal, agent: Agent, pair_id: object) -> Contradiction:
    """The pair of that id; NotFound when missing or not the principal's to see."""
    try:
        key = UUID(str(pair_id))
    except ValueError as error:
        raise NotFound from error
    with workspace_scope(principal.workspace):
        pair = inbox(principal, agent).filter(pk=key).first()
    if pair is None:
        raise NotFound
    return pair


def resolve_contradiction(
    *, principal: Principal, pair: Contradiction, resolution: str, text: str = ""
) -> Contradiction:
    """Decide a pair: keep one side, merge both into one text, or let both stand for good.

    Raises Conflict when somebody decided before or a side has changed since, ValidationFailed for another word.
    """
    if resolution not in RESOLVERS:
        raise ValidationFailed.of("resolution", f"One of {', '.join(RESOLVERS)}.")
    require_own(principal, pair)
    with workspace_scope(principal.workspace):
        row = Contradiction.objects.select_for_update().get(pk=pair.pk)
        if row.resolution != Resolution.OPEN:
            raise Conflict("This was decided already.", code="already_resolved")
        sides = {fact.pk: fact for fact in Fact.objects.filter(pk__in=[row.fact_a_id, row.fact_b_id])}
        known = _revisions(sides)
        RESOLVERS[resolution](principal, row, sides[row.fact_a_id], sides[row.fact_b_id], text)
        row.resolution, row.resolved_by, row.resolved_at = resolution, principal.actor, timezone.now()
        row.changes = [pk for pk in _revisions(sides) if pk not in known]
        row.save()
        record_audit(
            principal=principal, action="contradiction.resolved", target=str(row.pk), resolution=resolution
        )
    return row


def _revisions(sides: dict[UUID, Fact]) -> list[str]:
    made = FactRevision.objects.filter(fact__in=list(sides)).order_by("created_at", "pk")
    return [str(pk) for pk in made.values_list("pk", flat=True)]


def _keep_a(principal: Principal, row: Contradiction, a: Fact, b: Fact, _text: str) -> None:
    _keep(principal, row, kept=a, dropped=b)


def _keep_b(principal: Principal, row: Contradiction, a: Fact, b: Fact, _text: str) -> None:
    _keep(principal, row, kept=b, dropped=a)


def _keep(principal: Principal, row: Contradiction, *, kept: Fact, dropped: Fact) -> None:
    """One side stands, confirmed; the other ends, leaves the prompt files and needs a new word to come back."""
    retire_fact(
        principal,
        dropped,
        Fact.Status.SUPERSEDED,
        FactRevision.Operation.SUPERSEDE,
        into=kept,
        ended_at=max(kept.said_at, dropped.said_at),
        reason="contradiction decided",
    )
    confirm_fact(principal=principal, fact=kept)
    place_tombstones(principal, _place(dropped), [(dropped.text, dropped.pk)])
    _strike_from_prompt_files(principal, row, [dropped])


def _merge(principal: Principal, row: Contradiction, a: Fact, b: Fact, text: str) -> None:
    """Both become one text: the one given, else the newer with the older kept as history."""
    merged = text.strip() or f"{b.text.rstrip(' .。')} (before: {a.text.rstrip(' .。')})"
    _strike_from_prompt_files(principal, row, [a, b])
    merge_facts(principal=principal, keep=b, absorbed=[a], text=merged, reason="contradiction decided")


def _ignore(principal: Principal, row: Contradiction, a: Fact, b: Fact, _text: str) -> None:
    """Both are true: the pair is never held against each other again while they say what they say."""
    pair = DismissedPair(
        workspace=principal.workspace,
        agent_id=row.agent_id,
        scope=row.scope,
        owner_key=row.owner_key,
        pair_key=pair_key(a, b),
    )
    DismissedPair.objects.bulk_create([pair], ignore_conflicts=True)


RESOLVERS: dict[str, Callable[[Principal, Contradiction, Fact, Fact, str], None]] = {
    Resolution.KEEP_A.value: _keep_a,
    Resolution.KEEP_B.value: _keep_b,
    Resolution.MERGE.value: _merge,
    Resolution.IGNORE.value: _ignore,
}


def _place(fact: Fact) -> Place:
    return Place(fact.agent_id, fact.scope, fact.owner_key)


def _strike_from_prompt_files(principal: Principal, row: Contradiction, facts: list[Fact]) -> None:
    """Take a side's lines out of the files a model reads every turn; notes and history keep what was said."""
    team = row.scope == Scope.TEAM
    reach = Reach(row.workspace_id, row.agent_id, "" if team else row.owner_key, team)
    statements = Statements([fact.text for fact in facts], names_of(reach))
    removals = strike_files(principal, statements, reach, paths=PROMPT_FILES)
    row.sealed = encrypt(json.dumps([removal.sealed() for removal in removals])).decode() if removals else ""


def undo_resolution(*, principal: Principal, pair: Contradiction) -> Contradiction:
    """Take a decision back: both facts are what they were, the pair waits again. Raises Conflict when open."""
    require_own(principal, pair)
    with workspace_scope(principal.workspace):
        row = Contradiction.objects.select_for_update().get(pk=pair.pk)
        if row.resolution == Resolution.OPEN:
            raise Conflict("This is still waiting for a decision.", code="not_resolved")
        _restore_sides(principal, row)
        if row.sealed:
            kept = json.loads(decrypt(row.sealed.encode()))
            put_back_files(principal, [Removal.unsealed(data) for data in kept])
        DismissedPair.objects.filter(
            agent=row.agent_id, scope=row.scope, owner_key=row.owner_key, pair_key=row.pair_key
        ).delete()
        row.resolution, row.resolved_by, row.resolved_at = Resolution.OPEN, "", None
        row.changes, row.sealed = [], ""
        row.save()
        record_audit(principal=principal, action="contradiction.reopened", target=str(row.pk))
    return row


def _restore_sides(principal: Principal, row: Contradiction) -> None:
    """Give each fact back what it was before the first change of the decision."""
    seen: set[UUID] = set()
    for revision in FactRevision.objects.filter(pk__in=row.changes).order_by("created_at", "pk"):
        fact = Fact.objects.select_for_update().filter(pk=revision.fact_id).first()
        if fact is None or revision.fact_id in seen or revision.before is None:
            continue
        seen.add(revision.fact_id)
        restore_snapshot(principal, fact, revision.before, reason="decision undone")
        Tombstone.objects.filter(agent=row.agent_id, fact_id=fact.pk).delete()
