"""Counting what a workspace uses: day by day from the rows that are kept anyway, never while anybody waits for it."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import BigIntegerField, Count, F, Func, IntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from memoryapp.models import Dream, Embedding, Extraction, Fact, Message, UsageDay, WorkspaceFile
from tenants.ids import first_id_at
from tenants.models import Workspace
from tenants.scoping import workspace_scope

# How far the first count looks back.
FIRST_DAYS = 30
READ = (Extraction.Status.SUCCEEDED, Extraction.Status.NO_UPDATE)


def count_usage(workspace: Workspace) -> int:
    """Count every day since the one that was counted last, that one included; returns how many days that were."""
    today = timezone.now().astimezone(workspace.zone).date()
    with workspace_scope(workspace):
        last = UsageDay.objects.filter(workspace=workspace).values_list("day", flat=True).first()
        first = last or today - timedelta(days=FIRST_DAYS - 1)
        days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
        for day in days:
            count_day(workspace, day)
        stored = _stored(workspace)
        UsageDay.objects.filter(workspace=workspace, day=today).update(**stored)
    return len(days)


def something_happened_since(workspace: Workspace, moment: datetime) -> bool:
    """Whether there is anything to count; told by keys, which are ordered by time."""
    since = {"workspace": workspace, "pk__gte": first_id_at(moment)}
    made: tuple[type[Any], ...] = (Message, Extraction, Dream, Fact)
    return any(model.objects.filter(**since).exists() for model in made)


def count_day(workspace: Workspace, day: date) -> UsageDay:
    """Write down what one day used; counting it again gives the same row. Inside the workspace's scope."""
    start = datetime.combine(day, time(), tzinfo=workspace.zone)
    between = {
        "workspace": workspace,
        "pk__gte": first_id_at(start),
        "pk__lt": first_id_at(datetime.combine(day + timedelta(days=1), time(), tzinfo=workspace.zone)),
    }
    figures = {
        **_chat(Message.objects.filter(**between)),
        **_readings(Extraction.objects.filter(**between, status__in=READ)),
        **_dreams(Dream.objects.filter(**between)),
        "counted_at": timezone.now(),
    }
    row, _ = UsageDay.objects.update_or_create(workspace=workspace, day=day, defaults=figures)
    counted: UsageDay = row
    return counted


def _tokens(path: str) -> Any:
    return Coalesce(Sum(Cast(KT(path), BigIntegerField())), 0)


def _chat(messages: QuerySet[Message]) -> dict[str, int]:
    answered = Q(role=Message.Role.ASSISTANT, detail__has_key="usage")
    return messages.aggregate(
        messages=Count("pk"),
        answers=Count("pk", filter=answered),
        answer_tokens=_tokens("detail__usage__totalTokens"),
    )


def _readings(extractions: QuerySet[Extraction]) -> dict[str, Any]:
    kept = Func(F("kept"), function="jsonb_array_length", output_field=IntegerField())
    counts = extractions.annotate(many=kept).aggregate(
        readings=Count("pk"),
        sent=_tokens("usage__promptTokens"),
        written=_tokens("usage__completionTokens"),
        kept=Coalesce(Sum("many"), 0),
    )
    refused: Counter[str] = Counter()
    for refusals in extractions.exclude(refused=[]).values_list("refused", flat=True).iterator():
        refused.update(str(refusal.get("gate", "")) for refusal in refusals)
    tokens = counts.pop("sent") + counts.pop("written")
    return {**counts, "reading_tokens": tokens, "refused": dict(refused)}


def _dreams(dreams: QuerySet[Dream]) -> dict[str, int]:
    return dreams.aggregate(dreams=Count("pk"), dream_tokens=_tokens("statistics__usage__tokens"))


def _stored(workspace: Workspace) -> dict[str, int]:
    """What the workspace holds now, everybody's together: numbers only."""

    def count(model: type[Any], **only: Any) -> int:
        return int(model.objects.filter(workspace=workspace, **only).count())

    return {
        "stored_facts": count(Fact, status=Fact.Status.ACTIVE),
        "stored_messages": count(Message),
        "stored_files": count(WorkspaceFile),
        "stored_vectors": count(Embedding, vector__isnull=False),
    }
