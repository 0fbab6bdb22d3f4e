"""What another mention does to a known fact."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from memoryapp.actions.fact_sources import SourceSpan, attach_sources
from memoryapp.models import Fact

MENTION = ["mention_count", "confirmed_at", "updated_at", "expires_at"]


def say_again(known: Fact, again: Fact, sources: Iterable[SourceSpan]) -> None:
    """A mention confirms: the counter goes up, trust is fresh, and retention counts from now."""
    known.refresh_from_db(fields=MENTION, from_queryset=Fact.objects.select_for_update())
    note_mention(known, again)
    known.save(update_fields=MENTION)
    attach_sources(known, sources)


def note_mention(known: Fact, again: Fact) -> None:
    """Count a mention on a fact that is about to be saved."""
    known.mention_count += 1
    known.confirmed_at = known.updated_at = timezone.now()
    if known.expires_at is not None:
        known.expires_at = None if again.expires_at is None else max(known.expires_at, again.expires_at)
