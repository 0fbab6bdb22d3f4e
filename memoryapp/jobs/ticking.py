"""The tick: once a minute, what has become due of the recurring work turns into jobs, each time exactly once.

A schedule's row is locked while its job is written and its next run set, in one transaction; of several tickers one
gets it. What was missed while nothing ran is caught up with one run, named after the latest time that was missed.
"""

from __future__ import annotations

import logging
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone

from memoryapp.actions.calendar import last_run, slot_of
from memoryapp.actions.events import request_job
from memoryapp.actions.schedules import (
    RECURRENCES,
    cron_of,
    ensure_schedules,
    set_next_run,
)
from memoryapp.exceptions import Conflict
from memoryapp.jobs.by_hand import new_slot
from memoryapp.jobs.night_kinds import KIND_OF_SCHEDULE
from memoryapp.jobs.queue import wake
from memoryapp.jobs.sweeping import is_needed
from memoryapp.jobs.worker import drain
from memoryapp.models import Schedule
from tenants.actions import record_audit
from tenants.models import Role, Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope
from tenants.sessions import SessionStore

logger = logging.getLogger(__name__)

# The only minute of the hour in which the tick looks for agents without schedules (creating one makes them anyway) and
# for sessions that have expired.
CHECK_MINUTE = 7


def every_minute() -> int:
    """Start what has become due and work on what waits. The queue calls this once a minute."""
    tick()
    return drain()


def tick() -> int:
    """Turn everything that is due into jobs, and return how many that were."""
    now = timezone.now()
    if now.minute == CHECK_MINUTE:
        ensure_all_schedules()
        SessionStore.clear_expired()
    follow_changed_times(now)
    due = Schedule.objects.due().filter(enabled=True).order_by("next_run")
    started = sum(_start_safely(pk) for pk in due.values_list("pk", flat=True))
    if started:
        wake()
    return started


def _start_safely(schedule_id: UUID) -> bool:
    try:
        return start_due(schedule_id)
    except Exception:
        logger.exception("Schedule %s could not be started.", schedule_id)
        return False


def ensure_all_schedules() -> None:
    """Give every workspace and agent of the installation the schedules they lack."""
    for workspace in Workspace.objects.all():
        ensure_schedules(workspace)


def follow_changed_times(now: datetime) -> None:
    """Move next runs that rest on a zone or time which has changed since; nothing is started by that."""
    schedules = Schedule.objects.select_related("workspace").filter(cron="")
    for recurrence in RECURRENCES.values():
        zone = Concat(Value(f"{recurrence.cron} "), F("workspace__time_zone"))
        _follow(schedules.filter(kind=recurrence.kind).exclude(computed_for=zone), now)
    own = Schedule.objects.select_related("workspace").exclude(cron="")
    _follow(own.exclude(computed_for=Concat(F("cron"), Value(" "), F("workspace__time_zone"))), now)


def _follow(stale: QuerySet[Schedule], now: datetime) -> None:
    for schedule in stale:
        set_next_run(schedule, schedule.workspace, now)
        schedule.save(update_fields=["next_run", "computed_for"])


def start_due(schedule_id: UUID) -> bool:
    """Start one schedule's run if it is still due and nobody else is at it."""
    with transaction.atomic():
        now = timezone.now()
        due = Schedule.objects.due().filter(pk=schedule_id, enabled=True)
        schedule = due.select_for_update(skip_locked=True).first()
        if schedule is None:
            return False
        workspace = Workspace.objects.get(pk=schedule.workspace_id)
        zone = ZoneInfo(workspace.time_zone)
        slot = slot_of(last_run(cron_of(schedule), zone, now), zone)
        is_new = slot != schedule.last_slot and RECURRENCES[schedule.kind].enabled
        wanted = is_new and is_needed(schedule, workspace)
        if wanted:
            _request(schedule, workspace, slot)
        schedule.last_slot, schedule.last_run = slot, now
        set_next_run(schedule, workspace, now)
        schedule.save()
    return wanted


def run_schedule_now(*, principal: Principal, schedule: Schedule) -> None:
    """Have a schedule's work done once now, besides its times. For admins; one that waits already is joined.

    Raises Conflict for what is switched off in the whole installation.
    """
    principal.require(Role.ADMIN)
    if not RECURRENCES[schedule.kind].enabled:
        raise Conflict("This work is switched off for the whole installation.")
    with workspace_scope(principal.workspace):
        _request(schedule, principal.workspace, new_slot())
        record_audit(principal=principal, action="schedule.run", target=schedule.kind)


def _request(schedule: Schedule, workspace: Workspace, slot: str) -> None:
    request_job(
        principal=principal_for_job(workspace),
        kind=KIND_OF_SCHEDULE[schedule.kind],
        subject_id=schedule.pk,
        agent_id=schedule.agent_id,
        payload={"slot": slot, **({"since": schedule.last_run.isoformat()} if schedule.last_run else {})},
    )
