"""Dreaming: starting it, its times, what it would look at; and consolidation, its sister."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.schedules import DREAM, schedules_of, update_schedule
from memoryapp.actions.sections import split_sections
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.dream_bodies import (
    CandidateBody,
    ConsolidationResult,
    DreamingStatus,
    DreamResults,
    EmergenceWish,
    FocusedWish,
    JobStarted,
    ScheduleBody,
    ScheduleChange,
)
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.api.readings import WAIT, WaitQuery
from memoryapp.jobs import dream_now, enqueue_consolidation, enqueue_dreams
from memoryapp.jobs.by_hand import own_buckets
from memoryapp.lifecycle.consolidation_round import consolidate_agent
from memoryapp.lifecycle.diary import DIARY
from memoryapp.lifecycle.dream_candidates import Candidate, judge_candidates
from memoryapp.lifecycle.dream_sources import load_material
from memoryapp.models import Agent, Dream, WorkspaceFile
from tenants.principals import Principal


class AgentDreamsView(WorkspaceAPIView):
    """A view of an agent's nights."""

    def agent(self, agent_id: str) -> Agent:
        return load_agent(self.principal, agent_id)


class StartingView(AgentDreamsView):
    """A view that starts a dream: as a job, or while the caller waits."""

    # A dream waits for the model.
    unscoped = frozenset({"post"})

    def start(self, agent_id: str, everybody: bool = False, **wish: Any) -> Response:
        who: dict[str, Any] = {"principal": self.principal, "agent": self.agent(agent_id)}
        if self.read_query(WaitQuery)["wait"] and not everybody:
            return Response(DreamResults({"reports": dream_now(**who, **wish)}).data)
        event = enqueue_dreams(**who, everybody=everybody, **wish)
        return Response({"eventId": event.pk}, status=202)


class EmergenceView(StartingView):
    @extend_schema(
        operation_id="start_dream",
        parameters=[WAIT],
        request=EmergenceWish,
        responses={200: DreamResults, 202: JobStarted},
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """Dream of the shared memory and the acting owner's now; 409 `dream_running` while one of them is dreamt of."""
        wish = self.read(EmergenceWish)
        return self.start(agent_id, dry_run=wish["dryRun"], everybody=wish["buckets"] == "all")


class FocusedDreamView(StartingView):
    @extend_schema(
        operation_id="start_focused_dream",
        parameters=[WAIT],
        request=FocusedWish,
        responses={200: DreamResults, 202: JobStarted},
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """Dream of one topic only."""
        wish = self.read(FocusedWish)
        return self.start(agent_id, topic=wish["topic"], dry_run=wish["dryRun"])


class ConsolidationView(AgentDreamsView):
    unscoped = frozenset({"post"})

    @extend_schema(
        operation_id="start_consolidation",
        parameters=[WAIT],
        request=None,
        responses={200: ConsolidationResult, 202: JobStarted},
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """Merge the always-on entries of the agent's memories without losing anything."""
        agent = self.agent(agent_id)
        if self.read_query(WaitQuery)["wait"]:
            totals = consolidate_agent(self.principal.workspace, agent, again=True)
            return Response(ConsolidationResult(totals.as_json()).data)
        event = enqueue_consolidation(principal=self.principal, agent=agent)
        return Response({"eventId": event.pk}, status=202)


class DreamingStatusView(AgentDreamsView):
    @extend_schema(operation_id="read_dreaming_status", responses=DreamingStatus)
    def get(self, request: Request, agent_id: str) -> Response:
        """Whether and when the next dream takes place, and what it will look at."""
        agent = self.agent(agent_id)
        schedule = next((row for row in schedules_of(self.principal, agent) if row.kind == DREAM), None)
        passed, stopped = candidates_of(self.principal, agent)
        dreams = Dream.objects.visible_to(self.principal).filter(agent=agent, dry_run=False)
        last = dreams.exclude(finished_at=None).order_by("-finished_at").first()
        status = {
            "enabled": settings.MEMORY_EMERGENCE_ENABLED and bool(schedule and schedule.enabled),
            "cron": schedule.computed_for.rpartition(" ")[0] if schedule else "",
            "timeZone": self.principal.workspace.time_zone,
            "lastRun": last.finished_at if last else None,
            "nextRun": schedule.next_run if schedule and schedule.enabled else None,
            "running": dreams.filter(status=Dream.Status.RUNNING).exists(),
            "latestEntry": latest_entry(self.principal, agent),
            "candidates": len(passed),
            "stopped": len(stopped),
            "nearMisses": stopped[:20],
        }
        return Response(DreamingStatus(status).data)


def candidates_of(principal: Principal, agent: Agent) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What a dream of the shared memory and the principal's own would promote now, and what a gate stops."""
    passed: list[dict[str, Any]] = []
    stopped: list[dict[str, Any]] = []
    for bucket in own_buckets(principal, agent):
        judged = judge_candidates(load_material(bucket))
        passed += [_told(one, bucket.scope) for one in judged.passed]
        stopped += [_told(one, bucket.scope) for one in judged.stopped]
    return passed, sorted(stopped, key=lambda one: -one["score"])


def _told(candidate: Candidate, scope: str) -> dict[str, Any]:
    return {**candidate.as_json(), "scope": scope}


def latest_entry(principal: Principal, agent: Agent) -> str:
    """The last entry of the principal's own diary, else of the shared one."""
    diaries = (
        WorkspaceFile.objects.visible_to(principal).filter(agent=agent, path=DIARY).order_by("-owner_key")
    )
    for content in diaries.values_list("content", flat=True):
        entries = [piece.text for piece in split_sections(content) if piece.heading[:1].isdigit()]
        if entries:
            return entries[-1].strip()
    return ""


class CandidatesView(AgentDreamsView):
    @extend_schema(
        operation_id="list_dream_candidates", parameters=PAGE_PARAMETERS, responses=page_of(CandidateBody)
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """Everything that came up, with its score and the gate that stops it; what would be promoted comes first."""
        passed, stopped = candidates_of(self.principal, self.agent(agent_id))
        return self.page([*passed, *stopped], CandidateBody)


class SchedulesView(AgentDreamsView):
    @extend_schema(operation_id="list_schedules", parameters=PAGE_PARAMETERS, responses=page_of(ScheduleBody))
    def get(self, request: Request, agent_id: str) -> Response:
        """When the agent's recurring work runs next, in UTC; the times are the workspace's."""
        return self.page(list(schedules_of(self.principal, self.agent(agent_id))), ScheduleBody)


class ScheduleView(AgentDreamsView):
    @extend_schema(operation_id="change_schedule", request=ScheduleChange, responses=ScheduleBody)
    def patch(self, request: Request, agent_id: str, kind: str) -> Response:
        """Switch recurring work on or off, or give it a time of its own in the workspace's zone."""
        schedule = update_schedule(
            principal=self.principal, agent=self.agent(agent_id), kind=kind, **self.read(ScheduleChange)
        )
        return Response(ScheduleBody(schedule).data)
