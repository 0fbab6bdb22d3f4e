"""How much is kept of a person, as columns beside them: numbers, never a word."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from memoryapp.models import Conversation, Fact, Message, WorkspaceFile

KINDS = {
    "facts": Fact.objects.active(),
    "files": WorkspaceFile.objects.all(),
    "conversations": Conversation.objects.all(),
    "messages": Message.objects.all(),
}


def with_counts(owners: Any, *names: str) -> Any:
    """The owners with the number of rows of each kind named, else of every kind."""
    return owners.annotate(**{name: _amount(KINDS[name]) for name in names or KINDS})


def _amount(rows: Any) -> Coalesce:
    theirs = rows.filter(workspace=OuterRef("workspace"), owner_key=OuterRef("owner_key"))
    count = theirs.order_by().values("owner_key").annotate(amount=Count("pk")).values("amount")
    return Coalesce(Subquery(count), 0)
