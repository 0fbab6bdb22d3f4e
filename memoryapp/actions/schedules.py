"""Schedules: exactly one per agent and kind of recurring work, moved along in the workspace's own time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from croniter import croniter
from django.conf import settings
from django.utils import timezone

from memoryapp.actions.calendar import next_run
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Agent, Schedule
from tenants.actions import record_audit
from tenants.models import Role, Workspace
from tenants.principals import Principal
from tenants.scoping import workspace_scope

DREAM, CONSOLIDATION, PROJECTION, ARCHIVE, SWEEP = "dream", "consolidation", "projection", "archive", "sweep"
USAGE = "usage"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """One kind of recurring work: the settings with its time and its switch, and whether each agent has it."""

    kind: str
    cron_setting: str
    switch: str = ""
    per_agent: bool = True

    @property
    def cron(self) -> str:
        return str(getattr(settings, self.cron_setting))

    @property
    def enabled(self) -> bool:
        return not self.switch or bool(getattr(settings, self.switch))


RECURRENCES = {
    recurrence.kind: recurrence
    for recurrence in (
        Recurrence(DREAM, "MEMORY_DREAMING_CRON", "MEMORY_EMERGENCE_ENABLED"),
        Recurrence(
            CONSOLIDATION, "MEMORY_STRUCTURED_CONSOLIDATION_CRON", "MEMORY_STRUCTURED_CONSOLIDATION_ENABLED"
        ),
        Recurrence(PROJECTION, "MEMORY_FACT_PROJECTION_REBUILD_CRON", "MEMORY_FACT_PROJECTION_ENABLED"),
        Recurrence(ARCHIVE, "MEMORY_DREAM_ARCHIVE_CRON", "MEMORY_DREAM_ARCHIVE_ENABLED"),
        Recurrence(SWEEP, "MEMORY_SWEEP_CRON", per_agent=False),
        Recurrence(USAGE, "MEMORY_USAGE_CRON", per_agent=False),
    )
}


def ensure_schedules(workspace: Workspace) -> None:
    """Give the workspace and each of its agents the schedules they lack; those that exist stay as they are."""
    with workspace_scope(workspace):
        agents = list(Agent.objects.filter(workspace=workspace))
        rows = [
            _new(workspace, recurrence, agent)
            for recurrence in RECURRENCES.values()
            for agent in (agents if recurrence.per_agent else [None])
        ]
        Schedule.objects.bulk_create(rows, ignore_conflicts=True)


def ensure_agent_schedules(workspace: Workspace, agent: Agent) -> None:
    """Give a new agent and its workspace their schedules, first due at their next time and not before."""
    rows = [
        _new(workspace, recurrence, agent if recurrence.per_agent else None)
        for recurrence in RECURRENCES.values()
    ]
    Schedule.objects.bulk_create(rows, ignore_conflicts=True)


def _new(workspace: Workspace, recurrence: Recurrence, agent: Agent | None) -> Schedule:
    schedule = Schedule(workspace=workspace, agent=agent, kind=recurrence.kind)
    set_next_run(schedule, workspace, timezone.now())
    return schedule


def cron_of(schedule: Schedule) -> str:
    """The schedule's own time, else the installation's for its kind."""
    return schedule.cron or RECURRENCES[schedule.kind].cron


def set_next_run(schedule: Schedule, workspace: Workspace, after: datetime) -> None:
    """Work out when the schedule is due next, and note from what; the row is not saved."""
    cron = cron_of(schedule)
    schedule.computed_for = computed_for(cron, workspace.time_zone)
    schedule.next_run = next_run(cron, ZoneInfo(workspace.time_zone), after)


def computed_for(cron: str, time_zone: str) -> str:
    """What a next run rests on: when this changes, it has to be worked out anew."""
    return f"{cron} {time_zone}"


def schedules_of(principal: Principal, agent: Agent) -> Iterable[Schedule]:
    """The agent's schedules with their next runs."""
    return Schedule.objects.visible_to(principal).filter(agent_id=agent.pk).order_by("kind")


def update_schedule(*, principal: Principal, agent: Agent, kind: str, **changes: Any) -> Schedule:
    """Switch a schedule on or off or give it a time of its own; an empty time is the installation's. Members only.

    Raises NotFound for a kind that agents do not have, ValidationFailed for what is no cron time.
    """
    principal.require(Role.MEMBER)
    cron = str(changes.get("cron", "")).strip()
    if cron and (len(cron.split()) != 5 or not croniter.is_valid(cron)):
        raise ValidationFailed.of("cron", "A time in cron's five fields, such as “0 3 * * *”.")
    with workspace_scope(principal.workspace):
        rows = Schedule.objects.visible_to(principal).filter(agent_id=agent.pk, kind=kind)
        schedule = rows.select_for_update(of=("self",)).first()
        if schedule is None:
            raise NotFound
        for name in ("enabled", "cron"):
            setattr(schedule, name, changes.get(name, getattr(schedule, name)))
        if schedule.computed_for != computed_for(cron_of(schedule), principal.workspace.time_zone):
            set_next_run(schedule, principal.workspace, timezone.now())
        schedule.save()
        record_audit(principal=principal, action="schedule.changed", target=f"{agent.slug} {kind}")
    return schedule
