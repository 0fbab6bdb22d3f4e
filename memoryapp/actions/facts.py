"""Every change to facts: added once however often they are said, changed with history, never revived once forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from memoryapp.actions.access import require_own, require_team_role, writing_scope
from memoryapp.actions.comparing import request_comparison
from memoryapp.actions.events import request_job_after_commit
from memoryapp.actions.fact_fields import (
    check_importance,
    check_validity,
    checked_category,
    checked_changes,
    checked_labels,
)
from memoryapp.actions.fact_history import keep_revision, snapshot
from memoryapp.actions.fact_sources import SourceSpan, attach_sources
from memoryapp.actions.fact_text import checked_text, text_key
from memoryapp.actions.masking import masked, masked_tree
from memoryapp.actions.mentions import say_again
from memoryapp.actions.quotas import check_fact_quota
from memoryapp.actions.rewording import reword_files
from memoryapp.actions.tombstones import Place, is_forgotten
from memoryapp.exceptions import Conflict, NotFound, PreconditionFailed
from memoryapp.models import Agent, Conversation, Fact, FactRevision
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """What a caller says of a fact to be added; everything but the text has a default."""

    text: str
    category: str = ""
    scope: str = Scope.PERSONAL
    labels: Sequence[str] = ()
    importance: float | None = None
    confidence: float = 1.0
    metadata: dict[str, Any] = field(default_factory=dict)
    language: str = ""
    attributed_to: str = Fact.Source.USER
    origin: str = Fact.Origin.API
    agent_label: str = ""
    app_id: str = ""
    run_id: str = ""
    speaker: str = ""
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    immutable: bool | None = None
    pending: bool = False
    session: Conversation | None = None


@dataclass(frozen=True, slots=True)
class AddedFact:
    """The fact that now says it, whether it is new, and whether a credential was masked on the way."""

    fact: Fact
    created: bool
    masked: bool


class Forgotten(Conflict):
    """409: the text was forgotten on request; only the person themselves brings it back."""

    code = "forgotten"


def load_fact(principal: Principal, agent: Agent, fact_id: object) -> Fact:
    """The fact of that id, in any state but forgotten; NotFound when missing or not the principal's to see."""
    try:
        key = UUID(str(fact_id))
    except ValueError as error:
        raise NotFound from error
    with workspace_scope(principal.workspace):
        fact = (
            Fact.objects.visible_to(principal)
            .for_agent(agent)
            .exclude(status=Fact.Status.FORGOTTEN)
            .filter(pk=key)
            .first()
        )
    if fact is None:
        raise NotFound
    return fact


def add_fact(
    *,
    principal: Principal,
    agent: Agent,
    new: NewFact,
    sources: Iterable[SourceSpan] = (),
    lift_tombstone: bool = False,
    vector: Any = None,
    reason: str = "",
) -> AddedFact:
    """Add a fact, or note that a known one was said again.

    The same normalised text of the same agent, owner and scope is the same fact while its validity overlaps, unless the
    caller marks another observation by its run id or time. Raises ValidationFailed, TooLarge, NotPermitted, and
    Forgotten when the text was forgotten and `lift_tombstone` is not set. `vector` is the embedding when known already.
    """
    scope, owner_key = writing_scope(principal, new.scope)
    require_team_role(principal, scope)
    fact, was_masked = unsaved_fact(principal, agent, new, scope, owner_key)
    with workspace_scope(principal.workspace):
        _take_turns(fact)
        _mind_tombstones(fact, lift=lift_tombstone)
        known = _same_fact(fact, new)
        if known is not None:
            say_again(known, fact, sources)
            return AddedFact(known, False, was_masked)
        check_fact_quota(principal)
        prepare_rows([fact])
        fact.save(force_insert=True)
        attach_sources(fact, sources)
        keep_revision(principal, fact, FactRevision.Operation.ADD, before=None, reason=reason)
        _embed(principal, fact, vector)
        request_comparison(principal, fact)
    return AddedFact(fact, True, was_masked)


def unsaved_fact(
    principal: Principal, agent: Agent, new: NewFact, scope: Scope, owner_key: str
) -> tuple[Fact, bool]:
    """The checked and masked row of a new fact, and whether a credential was masked in it."""
    text, was_masked = masked(checked_text(new.text), principal.workspace)
    traits = agent.traits_of(new.category)
    said_at = new.said_at or timezone.now()
    fact = Fact(
        workspace=principal.workspace,
        agent=agent,
        owner_key=owner_key,
        scope=scope,
        text=text,
        text_key=text_key(text),
        category=checked_category(new.category),
        labels=checked_labels(new.labels),
        importance=traits.importance if new.importance is None else new.importance,
        confidence=new.confidence,
        metadata=masked_tree(new.metadata, principal.workspace),
        language=new.language,
        attributed_to=new.attributed_to,
        origin=new.origin,
        status=Fact.Status.PENDING if new.pending else Fact.Status.ACTIVE,
        immutable=traits.immutable if new.immutable is None else new.immutable,
        agent_label=new.agent_label[:160],
        app_id=new.app_id[:160],
        run_id=new.run_id[:160],
        session=new.session,
        speaker=new.speaker[:120],
        said_at=said_at,
        valid_from=new.valid_from,
        valid_to=new.valid_to,
        expires_at=new.expires_at
        or (said_at + timedelta(days=traits.kept_days) if traits.kept_days else None),
        confirmed_at=timezone.now(),
    )
    check_importance(fact.importance)
    check_validity(fact)
    return fact, was_masked


def _take_turns(fact: Fact) -> None:
    """Make writers of the same text of the same owner wait for each other, so that twenty at once make one fact."""
    key = f"{fact.workspace_id}:{fact.agent_id}:{fact.scope}:{fact.owner_key}:{fact.text_key}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [key])


def _mind_tombstones(fact: Fact, *, lift: bool) -> None:
    if is_forgotten(Place(fact.agent_id, fact.scope, fact.owner_key), fact.text, lift=lift):
        raise Forgotten("This was forgotten on request.")


def _same_fact(fact: Fact, new: NewFact) -> Fact | None:
    """The known fact that says the same over an overlapping time, None when this is a new observation."""
    twins = Fact.objects.filter(
        workspace_id=fact.workspace_id,
        agent_id=fact.agent_id,
        scope=fact.scope,
        owner_key=fact.owner_key,
        text_key=fact.text_key,
        status__in=[Fact.Status.ACTIVE, Fact.Status.PENDING],
        run_id=fact.run_id,
        session=fact.session,
    ).unexpired()
    if new.said_at is not None:
        twins = twins.filter(said_at=new.said_at)
    return next((twin for twin in twins.order_by("created_at") if times_overlap(twin, fact)), None)


def times_overlap(one: Fact, other: Fact) -> bool:
    """Whether two facts hold at a common time, as far as either says when."""
    starts = [moment for moment in (one.valid_from, other.valid_from) if moment is not None]
    ends = [moment for moment in (one.valid_to, other.valid_to) if moment is not None]
    return not starts or not ends or max(starts) < min(ends)


def _embed(principal: Principal, fact: Fact, vector: Any) -> None:
    store_vectors([fact], [vector])
    if vector is None:
        request_job_after_commit(
            principal=principal, kind="embed", subject_id=fact.agent_id, agent_id=fact.agent_id
        )


def update_fact(
    *,
    principal: Principal,
    fact: Fact,
    if_version: int | None = None,
    by_model: bool = False,
    sources: Iterable[SourceSpan] = (),
    vector: Any = None,
    reason: str = "",
    origin: str = "",
    **changes: Any,
) -> Fact:
    """Change a fact in place and keep what it was.

    Raises NotFound for a fact that is not the principal's, PreconditionFailed when it moved on from `if_version`,
    Conflict when a model would change an immutable one, ValidationFailed for bad fields. New words by a person also
    replace the old ones in the memory files.
    """
    require_own(principal, fact)
    changes = checked_changes(principal, changes)
    with workspace_scope(principal.workspace):
        row = _locked(fact, if_version, by_model)
        before = snapshot(row)
        for name, value in changes.items():
            setattr(row, name, value)
        if row.text != before["text"]:
            _mind_tombstones(row, lift=not by_model)
        check_validity(row)
        if snapshot(row) == before:
            attach_sources(row, sources)
            return row
        _save_change(principal, row, before, vector=vector, reason=reason, origin=origin)
        if row.text != before["text"] and not by_model:
            reword_files(principal, row, before["text"])
        attach_sources(row, sources)
    return row


def _locked(fact: Fact, if_version: int | None, by_model: bool) -> Fact:
    """The stored row of a fact, locked, once it is known that it may be changed."""
    rows = Fact.objects.select_for_update().exclude(status=Fact.Status.FORGOTTEN)
    row: Fact | None = rows.filter(pk=fact.pk).first()
    if row is None:
        raise NotFound
    if if_version is not None and if_version != row.version:
        raise PreconditionFailed("The fact has changed since you read it.")
    if by_model and row.immutable:
        raise Conflict("This fact is immutable: no model rewrites it.", code="immutable")
    return row


def _save_change(
    principal: Principal, fact: Fact, before: dict[str, Any], *, vector: Any, reason: str, origin: str
) -> None:
    new_text = fact.text != before["text"]
    fact.version += 1
    fact.confirmed_at = timezone.now()
    if new_text:
        fact.text_key, fact.compared_at = text_key(fact.text), None
        prepare_rows([fact])
        fact.embeddings.all().delete()
    fact.save()
    keep_revision(principal, fact, FactRevision.Operation.UPDATE, before=before, reason=reason, origin=origin)
    if new_text:
        _embed(principal, fact, vector)
        request_comparison(principal, fact)
