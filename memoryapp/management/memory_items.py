"""Memories of a mem0 export on their way in: each item read, checked, and added once however often the file is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from memoryapp.actions.erasure import was_erased
from memoryapp.actions.facts import AddedFact, Forgotten, NewFact, add_fact
from memoryapp.exceptions import MemoryAppError, ValidationFailed
from memoryapp.models import Agent, Fact
from tenants.exceptions import TenancyError
from tenants.models import Workspace
from tenants.owners import SYSTEM, end_user_owner_key
from tenants.principals import principal_for_job
from tenants.scoping import Scope, workspace_scope

ADDED, KNOWN, FORGOTTEN, ERASED, REFUSED = "added", "known", "forgotten", "erased", "refused"


class DryRun(Exception):
    """Ends the transaction of an item that is only tried."""


def read_items(path: Path) -> list[Any]:
    """The items of a file: a list, or what a list API answers; raises ValidationFailed for anything else."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise ValidationFailed(f"{path} is not JSON in UTF-8.") from error
    items = content.get("results", content.get("memories")) if isinstance(content, dict) else content
    if not isinstance(items, list):
        raise ValidationFailed(f"{path} holds no list of memories.")
    return items


@dataclass
class MemoryImport:
    """One file on its way into one agent's memory, with what became of its items."""

    workspace: Workspace
    agent: Agent
    dry_run: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def take(self, items: list[Any]) -> Iterator[str]:
        """Add each item by itself, and tell what became of it."""
        for place, item in enumerate(items, start=1):
            outcome = self._outcome(place, item)
            self.counts[outcome] += 1
            yield outcome

    def _outcome(self, place: int, item: Any) -> str:
        try:
            new, owner_key = read_item(item)
            if owner_key and was_erased(self.workspace, owner_key):
                return ERASED
            added = self._added(new, owner_key)
        except Forgotten:
            return FORGOTTEN
        except (MemoryAppError, TenancyError) as error:
            self.problems.append(f"Item {place}: {error.detail}")
            return REFUSED
        return ADDED if added.created else KNOWN

    def _added(self, new: NewFact, owner_key: str) -> AddedFact:
        principal = principal_for_job(self.workspace, owner_key or SYSTEM)
        found: list[AddedFact] = []
        try:
            with workspace_scope(self.workspace):
                found.append(add_fact(principal=principal, agent=self.agent, new=new, reason="imported"))
                if self.dry_run:
                    raise DryRun
        except DryRun:
            pass
        return found[0]


def read_item(item: Any) -> tuple[NewFact, str]:
    """The fact an item is and whose, an empty key for the team's; raises ValidationFailed for what is none."""
    if not isinstance(item, Mapping):
        raise ValidationFailed.of("memory", "A memory is an object.")
    text = next((item[name] for name in ("memory", "text", "content") if item.get(name)), "")
    user = item.get("user_id")
    owner_key = end_user_owner_key(str(user)) if user not in (None, "") else ""
    categories = [str(each) for each in item.get("categories") or () if str(each).strip()]
    metadata = item.get("metadata")
    new = NewFact(
        text=text,
        category=categories[0] if categories else "",
        labels=categories[1:],
        scope=Scope.PERSONAL if owner_key else Scope.TEAM,
        metadata=metadata if isinstance(metadata, dict) else {},
        attributed_to=Fact.Source.AGENT if item.get("attributed_to") == "agent" else Fact.Source.USER,
        origin=Fact.Origin.IMPORT,
        agent_label=_label(item.get("agent_id")),
        app_id=_label(item.get("app_id")),
        run_id=_label(item.get("run_id") or item.get("session_id")),
        said_at=_moment(item.get("created_at")),
        expires_at=_end_of(item.get("expiration_date")),
        immutable=True if item.get("immutable") is True else None,
    )
    return new, owner_key


def _label(value: Any) -> str:
    return "" if value is None else str(value)[:128]


def _moment(value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise ValidationFailed.of("created_at", "created_at is a time in ISO 8601.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _end_of(value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        day = date.fromisoformat(str(value)[:10])
    except ValueError as error:
        raise ValidationFailed.of("expiration_date", "expiration_date is a date, YYYY-MM-DD.") from error
    return datetime.combine(day + timedelta(days=1), time.min, UTC)
