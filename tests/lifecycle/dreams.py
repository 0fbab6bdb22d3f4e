"""What the tests of dreams share: an evening in July, notes that recur, and what a dream made of them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from memoryapp.actions.recalls import note_recalls
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.models import DreamEntry
from memoryapp.retrieval.results import Hit
from tenants.scoping import workspace_scope

TODAY = date(2026, 7, 19)
NOW = datetime(2026, 7, 19, 20, 5, tzinfo=UTC)
RECURRING = (
    "User orders oat milk with every coffee, the weather was bad",
    "Asked for a cake recipe that works with oat milk",
    "Was annoyed that the café had run out of oat milk",
)
NO_UPDATE = {"should_update": False, "reason": "nothing deserves a change"}


def dream(memory, **order):
    return run_dream(memory.bucket, DreamOrder(**order)).dream


def entries(memory, report, *operations):
    with workspace_scope(memory.person.workspace):
        rows = DreamEntry.objects.filter(dream=report)
        return list(rows.filter(operation__in=operations) if operations else rows)


def changed_to(content, reason="patterns"):
    return {"should_update": True, "reason": reason, "memory_content": content}


def recall(memory, text, *queries, kind="fact", row=None):
    """Have a memory answer questions."""
    for query in queries:
        hit = Hit(kind, row.pk, text, "", 0.9)
        note_recalls(
            principal=memory.person.principal,
            agent=memory.person.agent,
            conversation=None,
            hits=[hit],
            query=query,
        )
