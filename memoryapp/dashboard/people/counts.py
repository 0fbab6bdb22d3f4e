"""How much is kept of a person, as columns beside them: numbers, never a word."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Func, IntegerField, OuterRef
from django.db.models.functions import Coalesce

from memoryapp.dashboard.counting import MOST_COUNTED
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
    """The number of rows; one more than the limit stands for any number above it, so that nobody's page is slow."""
    theirs = rows.filter(workspace=OuterRef("workspace"), owner_key=OuterRef("owner_key"))
    few = ArraySubquery(theirs.order_by().values("pk")[: MOST_COUNTED + 1])
    return Coalesce(Func(few, function="cardinality", output_field=IntegerField()), 0)
