"""What a caller says besides the messages it hands in: labels, metadata and rules for whatever is extracted from them.

It is kept with each message, so that it reaches the facts however much later the message is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from memoryapp.actions.facts import NewFact
from memoryapp.llm.tasks import CustomCategory, Overlay
from memoryapp.models import Message

GIVEN: Final = "given"


@dataclass(frozen=True, slots=True)
class Given:
    """One caller's wishes for the facts of a message."""

    agent_label: str = ""
    app_id: str = ""
    run_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    immutable: bool | None = None
    expires_at: datetime | None = None
    # Days that facts of a category are kept, where that differs from the category's own.
    retention: dict[str, int] = field(default_factory=dict)
    # instructions, include, exclude, categories: what a reading is asked in addition.
    rules: dict[str, Any] = field(default_factory=dict)

    def as_detail(self) -> dict[str, Any]:
        """What the message's row keeps."""
        expires_at = self.expires_at.isoformat() if self.expires_at else None
        return {GIVEN: {**asdict(self), "expires_at": expires_at}}

    def put_on(self, new: NewFact) -> NewFact:
        """The new fact with what was given; what the reading found out for itself stays."""
        return replace(
            new,
            agent_label=self.agent_label,
            app_id=self.app_id,
            run_id=self.run_id,
            metadata={**self.metadata, **new.metadata},
            immutable=self.immutable,
            expires_at=self.expires_at or self._end_of(new) or new.expires_at,
        )

    def _end_of(self, new: NewFact) -> datetime | None:
        days = self.retention.get(new.category.lower())
        return timezone.now() + timedelta(days=days) if days else None

    def put_on_overlay(self, overlay: Overlay) -> Overlay:
        """The rules of a reading with those that were given; categories that were given replace the others."""
        given = self.rules
        categories = tuple(
            CustomCategory(each["name"], each["description"]) for each in given.get("categories", ())
        )
        return replace(
            overlay,
            include=(*overlay.include, *given.get("include", ())),
            exclude=(*overlay.exclude, *given.get("exclude", ())),
            instructions=given.get("instructions", "") or overlay.instructions,
            custom_categories=categories or overlay.custom_categories,
        )


def given_with(messages: Iterable[Message]) -> Given:
    """What was given with messages; where they differ, with the last."""
    merged: dict[str, Any] = {}
    for message in messages:
        kept = message.detail.get(GIVEN)
        if isinstance(kept, dict):
            merged.update({name: value for name, value in kept.items() if value})
    if merged.get("expires_at"):
        merged["expires_at"] = datetime.fromisoformat(merged["expires_at"])
    return Given(**merged)
