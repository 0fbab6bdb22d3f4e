"""What a turn asks its memory: planned by rules at once, or by the model where that is switched on and it is quick."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from django.conf import settings
from django.utils import timezone

from memoryapp.llm.errors import ModelError
from memoryapp.llm.rewriting import RewrittenQuery, build_rewrite_request
from memoryapp.model_settings import client_for, has_model
from memoryapp.models.categories import FactCategory
from memoryapp.retrieval.recall_plan import RecallPlan, plan_recall
from memoryapp.retrieval.vectors import EmbedderUnavailable, Vector, get_embedder
from tenants.models import Workspace

logger = logging.getLogger(__name__)

LONGEST_REWRITTEN = 4_000
_asking = ThreadPoolExecutor(max_workers=16, thread_name_prefix="asking")
# A pool of its own: who waits for a rewriting must not keep it from being done.
_rewriting = ThreadPoolExecutor(max_workers=16, thread_name_prefix="rewriting")


@dataclass(frozen=True, slots=True)
class Asking:
    """The search of a turn on its way: how it is worded, and its vector. Neither is waited for before it is needed."""

    planning: Future[RecallPlan]
    embedding: Future[Vector | None]

    @property
    def plan(self) -> RecallPlan:
        """Waits, at the end of a network maybe: never to be asked inside a transaction."""
        return self.planning.result()


def ask_ahead(message: str, workspace: Workspace, *, with_model: bool = True) -> Asking:
    """Begin to plan and embed: that takes as long as all the rest, on another core or at the end of a network."""
    moment = timezone.now().astimezone(workspace.zone)
    planning = _asking.submit(_planned, message, moment, workspace if with_model else None)
    # Taken up after the planning it waits for, so the pool cannot fill up with those that wait.
    return Asking(planning, _asking.submit(_embedded, planning))


def _embedded(planning: Future[RecallPlan]) -> Vector | None:
    """The vector of the search; None when there is nothing to search for, or while the embedder is down."""
    query = planning.result().query
    try:
        return get_embedder().embed_query(query) if query else None
    except EmbedderUnavailable:
        return None


def _planned(message: str, moment: datetime, workspace: Workspace | None) -> RecallPlan:
    if settings.MEMORY_RECALL_REWRITE == "off":
        return RecallPlan(message, by="off")
    plan = plan_recall(message, moment)
    wanted = settings.MEMORY_RECALL_REWRITE == "model" and plan.query and workspace is not None
    return _by_model(plan, message, moment, workspace) if wanted and workspace else plan


def _by_model(plan: RecallPlan, message: str, moment: datetime, workspace: Workspace) -> RecallPlan:
    """The plan as a model words it; that of the rules when there is none, it fails, or it takes too long."""
    if not has_model(workspace):
        return plan
    seconds = settings.MEMORY_RECALL_REWRITE_TIMEOUT_MS / 1000 or None
    try:
        told = _rewriting.submit(_rewrite, message, moment.date(), workspace).result(seconds)
    except (ModelError, TimeoutError) as error:
        logger.warning("A search was not rewritten: %s", type(error).__name__)
        return plan
    return _read(told, plan, moment.tzinfo)


def _rewrite(message: str, today: date, workspace: Workspace) -> RewrittenQuery:
    request = build_rewrite_request(message[:LONGEST_REWRITTEN], today)
    return client_for(workspace).complete_json(request, RewrittenQuery).value


def _read(told: RewrittenQuery, plan: RecallPlan, zone: tzinfo | None) -> RecallPlan:
    if not told.search:
        return RecallPlan("", by="model", reason="The model saw nothing to search for.")
    known = {member.slug for member in FactCategory}
    until = told.until and told.until + timedelta(days=1)
    return replace(
        plan,
        query=told.query.strip() or plan.query,
        categories=tuple(name for name in told.categories if name in known),
        since=_midnight(told.since, zone),
        until=_midnight(until, zone),
        by="model",
    )


def _midnight(day: date | None, zone: tzinfo | None) -> datetime | None:
    return datetime.combine(day, time.min, zone) if day else None
