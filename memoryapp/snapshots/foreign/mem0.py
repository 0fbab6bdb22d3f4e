"""A mem0 export: the JSON of its list API, item by item."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from memoryapp.actions.facts import NewFact
from memoryapp.exceptions import MemoryAppError, ValidationFailed
from memoryapp.models import Fact
from memoryapp.snapshots.archive import Archive
from memoryapp.snapshots.foreign.facts import Told, ToldFact, reason_of
from memoryapp.snapshots.foreign.target import Sorted, Target
from memoryapp.snapshots.incoming import MAX_DEPTH, nesting
from memoryapp.snapshots.limits import ArchiveRefused
from memoryapp.snapshots.names import Contents, Part, Placed
from tenants.exceptions import TenancyError
from tenants.owners import end_user_owner_key
from tenants.scoping import Scope


def place_export(archive: Archive, target: Target) -> Contents:
    """Every file of JSON as the facts it holds; of several people's memories those of one are taken."""
    found = Sorted(target)
    for record in archive.records:
        if record.is_folder:
            continue
        if record.is_special or not record.name.endswith(".json"):
            found.refuse(record, "not a file of JSON")
            continue
        tells = partial(read_export, target)
        found.placed.append(Placed(record, target.part, record.name[:200], "facts", tells))
    return found.contents()


def read_export(target: Target, content: str) -> Told:
    """The memories of an export that go to the target; raises ArchiveRefused for what is no list of memories."""
    try:
        items = items_of(content)
    except ValidationFailed as error:
        raise ArchiveRefused(error.detail, "not_an_export") from error
    told = Told()
    wanted = _user_of(items, target)
    for number, item in enumerate(items, start=1):
        try:
            new, _ = read_item(item)
            reason = _reason_to_leave(item, wanted)
        except (MemoryAppError, TenancyError) as error:
            reason = reason_of(error)
        if reason:
            told.complain(number, reason)
        else:
            told.facts.append(ToldFact(number, new))
    return told


def _user_of(items: list[Any], target: Target) -> str:
    """The `user_id` whose memories are taken; empty for those of nobody in particular."""
    if target.part is not Part.PERSONAL:
        return ""
    users = {str(item["user_id"]) for item in items if isinstance(item, Mapping) and item.get("user_id")}
    if target.user and target.user in users:
        return target.user
    if target.user or len(users) != 1:
        raise ArchiveRefused(
            f"The file has memories of {len(users)} users. Say which user_id is meant.", "which_user"
        )
    return users.pop()


def _reason_to_leave(item: Mapping[str, Any], wanted: str) -> str:
    user = str(item.get("user_id") or "")
    if user == wanted:
        return ""
    return "a memory of somebody, which is not shared" if not wanted else "not a memory of this user"


def items_of(content: str) -> list[Any]:
    """The items of a file: a list, or what a list API answers; raises ValidationFailed for anything else."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValidationFailed("The file is not JSON.") from error
    items = value.get("results", value.get("memories")) if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise ValidationFailed("The file holds no list of memories.")
    return items


def read_item(item: Any) -> tuple[NewFact, str]:
    """The fact an item is and whose, an empty key for the team's; raises ValidationFailed for what is none."""
    if not isinstance(item, Mapping):
        raise ValidationFailed.of("memory", "A memory is an object.")
    _check_form(item)
    text = next((item[name] for name in ("memory", "text", "content") if item.get(name)), "")
    user = item.get("user_id")
    owner_key = end_user_owner_key(str(user)) if user not in (None, "") else ""
    listed = item.get("categories")
    categories = [str(each) for each in listed if str(each).strip()] if isinstance(listed, list) else []
    given = item.get("metadata")
    metadata: dict[str, Any] = given if isinstance(given, dict) else {}
    if isinstance(metadata.get("category"), str) and metadata["category"].strip():
        categories = list(dict.fromkeys([metadata["category"], *categories]))
    new = NewFact(
        text=text,
        category=categories[0] if categories else "",
        labels=categories[1:],
        scope=Scope.PERSONAL if owner_key else Scope.TEAM,
        metadata=metadata,
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


def _check_form(item: Mapping[str, Any]) -> None:
    if nesting(item) > MAX_DEPTH:
        raise ValidationFailed.of("metadata", "nested too deeply")
    for name in ("user_id", "agent_id", "app_id", "run_id", "session_id", "categories"):
        value = item.get(name)
        try:
            " ".join(map(str, value if isinstance(value, list) else [value])).encode()
        except UnicodeEncodeError as error:
            raise ValidationFailed.of(name, f"{name} has lone surrogates.") from error


def _label(value: Any) -> str:
    return "" if value is None else str(value)[:128]


def _moment(value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValidationFailed.of("created_at", "created_at is a time in ISO 8601.") from error


def _end_of(value: Any) -> datetime | None:
    if value is None:
        return None
    try:
        day = date.fromisoformat(str(value)[:10]) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise ValidationFailed.of("expiration_date", "expiration_date is a date, YYYY-MM-DD.") from error
    return datetime.combine(day, time.min, UTC)
