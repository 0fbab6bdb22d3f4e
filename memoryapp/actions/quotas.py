"""How much a workspace may use: turns per day and facts in total, 0 for no limit. Calls per minute are tenancy's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.utils import timezone

from memoryapp.exceptions import QuotaReached, ValidationFailed
from memoryapp.models import Fact, Message
from tenants.ids import first_id_at
from tenants.limits import QUOTAS
from tenants.models import Workspace
from tenants.principals import Principal

# How long the workspace keeps conversations, in days after their last message; 0 for ever.
CONVERSATION_DAYS = "conversation_days"
HIGHEST = 1_000_000_000
# Nothing of a quota of facts comes back by waiting; a client that tries again by itself should not do so often.
LOOK_AGAIN_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Quotas:
    """A workspace's quotas, each 0 for none."""

    calls_per_minute: int = 0
    turns_per_day: int = 0
    facts: int = 0


def quotas_of(workspace: Workspace) -> Quotas:
    """The quotas as they are set."""
    given = workspace.setting(QUOTAS, {})
    known = Quotas.__dataclass_fields__
    return Quotas(**{name: int(value) for name, value in given.items() if name in known})


def checked_quotas(given: Mapping[str, Any]) -> dict[str, int]:
    """Quotas as a workspace may keep them; raises ValidationFailed for what is no whole number from 0."""
    for name, value in given.items():
        if type(value) is not int or not 0 <= value <= HIGHEST:
            raise ValidationFailed.of(name, "A whole number; 0 for no limit.")
    return asdict(Quotas(**given))


def check_turn_quota(principal: Principal) -> None:
    """Raise QuotaReached when the workspace has had its turns of the day. Inside its scope."""
    most = quotas_of(principal.workspace).turns_per_day
    if not most:
        return
    zone = principal.workspace.zone
    midnight = datetime.combine(timezone.now().astimezone(zone).date(), time(), tzinfo=zone)
    today = Message.objects.filter(
        workspace=principal.workspace, role=Message.Role.USER, pk__gte=first_id_at(midnight)
    )
    if today.order_by().values("pk")[:most].count() >= most:
        left = midnight + timedelta(days=1) - timezone.now()
        raise QuotaReached(
            f"This workspace has used its {most} turns for today.",
            retry_after=math.ceil(left.total_seconds()),
        )


def check_fact_quota(principal: Principal) -> None:
    """Raise QuotaReached when the workspace holds as many facts as it may. Inside its scope."""
    most = quotas_of(principal.workspace).facts
    if not most:
        return
    held = Fact.objects.filter(workspace=principal.workspace, status=Fact.Status.ACTIVE)
    if held.order_by().values("pk")[:most].count() >= most:
        raise QuotaReached(
            f"This workspace holds all the {most} facts that it may hold.", retry_after=LOOK_AGAIN_SECONDS
        )
