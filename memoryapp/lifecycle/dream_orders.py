"""Which dream is wanted, and whether it may be had."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from memoryapp.exceptions import Conflict
from memoryapp.models import Dream


class DreamingDisabled(Conflict):
    """409: dreams are switched off here."""

    code = "dreaming_disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamOrder:
    """Which dream is wanted: of which kind, for which night, about what, and whether only to see what it would do."""

    kind: str = Dream.Kind.MANUAL
    slot: str = ""
    topic: str = ""
    dry_run: bool = False
    event_id: UUID | None = None

    def check(self) -> None:
        """Raise DreamingDisabled when this kind is switched off."""
        if not settings.MEMORY_EMERGENCE_ENABLED:
            raise DreamingDisabled("Dreaming is switched off.")
        if self.kind == Dream.Kind.FOCUSED and not settings.MEMORY_DREAM_FOCUSED_ENABLED:
            raise DreamingDisabled("Focused dreams are switched off.")
