"""A fact as mem0's clients know a memory."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from memoryapp.models import Fact
from tenants.owners import end_user_of


def as_item(fact: Fact) -> dict[str, Any]:
    """Every field that one client or another reads; the run's id under both of its names."""
    return {
        "id": str(fact.pk),
        "memory": fact.text,
        "hash": hashlib.md5(fact.text.encode(), usedforsecurity=False).hexdigest(),
        "user_id": end_user_of(fact.owner_key) if fact.owner_key else None,
        "agent_id": fact.agent_label or None,
        "app_id": fact.app_id or None,
        "run_id": fact.run_id or None,
        "session_id": fact.run_id or None,
        "actor_id": fact.speaker or None,
        "attributed_to": fact.attributed_to,
        "metadata": fact.metadata or None,
        "categories": list(dict.fromkeys(name for name in (fact.category, *fact.labels) if name)) or None,
        "immutable": fact.immutable,
        "lifecycle_state": fact.status,
        "replaced_by": str(fact.superseded_by_id) if fact.superseded_by_id else None,
        "synthesized": fact.origin == Fact.Origin.DREAM,
        "expiration_date": _last_day(fact.expires_at),
        "created_at": fact.said_at.isoformat(),
        "updated_at": fact.updated_at.isoformat(),
        "structured_attributes": _attributes(fact.said_at),
    }


def projected(item: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """The fields of a memory that are wanted, its id always; all of them when none is named."""
    return {name: value for name, value in item.items() if not fields or name == "id" or name in fields}


def _last_day(expires_at: datetime | None) -> str | None:
    return (expires_at - timedelta(microseconds=1)).date().isoformat() if expires_at else None


def _attributes(moment: datetime) -> dict[str, Any]:
    return {
        "year": moment.year,
        "month": moment.month,
        "day": moment.day,
        "hour": moment.hour,
        "minute": moment.minute,
        "day_of_week": moment.strftime("%A").lower(),
        "week_of_year": moment.isocalendar().week,
        "day_of_year": moment.timetuple().tm_yday,
        "quarter": (moment.month + 2) // 3,
        "is_weekend": moment.weekday() >= 5,
    }
