"""How dreams, their entries and what surrounds them look on the wire."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memoryapp.api.fields import Flag, Text
from memoryapp.models import Dream, DreamArchive, DreamEntry, Schedule, SoulProposal
from tenants.scoping import Scope


class EntryBody(serializers.Serializer[DreamEntry]):
    id = serializers.UUIDField()
    position = serializers.IntegerField()
    operation = serializers.ChoiceField(DreamEntry.Operation.choices)
    path = serializers.CharField()
    heading = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField()
    gate = serializers.CharField(help_text="For a `keep`: what stopped it.")
    score = serializers.FloatField(allow_null=True)
    scoreParts = serializers.JSONField(source="score_parts")
    sources = serializers.JSONField(help_text="Where it came from: notes by path, facts by id.")
    factId = serializers.UUIDField(source="fact_id", allow_null=True)
    verdict = serializers.CharField()
    revertedAt = serializers.DateTimeField(source="reverted_at", allow_null=True)


class ReportLine(serializers.Serializer[Dream]):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(Dream.Kind.choices)
    status = serializers.ChoiceField(Dream.Status.choices)
    scope = serializers.ChoiceField(Scope.choices)
    topic = serializers.CharField()
    dryRun = serializers.BooleanField(source="dry_run")
    reason = serializers.CharField()
    statistics = serializers.JSONField()
    slot = serializers.CharField()
    eventId = serializers.UUIDField(source="event_id", allow_null=True)
    startedAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)


class Report(ReportLine):
    diary = serializers.CharField()
    entries = EntryBody(many=True)


class ReportQuery(serializers.Serializer[Any]):
    dryRun = serializers.BooleanField(default=False, help_text="The dry runs instead of the dreams.")
    status = serializers.ChoiceField(
        Dream.Status.choices, required=False, help_text="Only these; without it all but the skipped ones."
    )
    kind = serializers.ChoiceField(Dream.Kind.choices, required=False)


class NewWords(serializers.Serializer[Any]):
    text = Text(max_length=2_000)


class DreamWish(serializers.Serializer[Any]):
    dryRun = Flag(default=False)


class EmergenceWish(DreamWish):
    buckets = serializers.ChoiceField(
        ["own", "all"], default="own", help_text="`all`: every owner's as well, for admins."
    )


class FocusedWish(DreamWish):
    topic = Text(max_length=200)


class DreamResult(serializers.Serializer[Any]):
    scope = serializers.ChoiceField(Scope.choices)
    status = serializers.ChoiceField(Dream.Status.choices)
    reason = serializers.CharField()
    reportId = serializers.CharField(source="dreamId", required=False)
    candidates = serializers.IntegerField(required=False)
    promoted = serializers.IntegerField(required=False)
    merged = serializers.IntegerField(required=False)
    superseded = serializers.IntegerField(required=False)
    dropped = serializers.IntegerField(required=False)
    kept = serializers.IntegerField(required=False)


class DreamResults(serializers.Serializer[Any]):
    reports = DreamResult(many=True)


class JobStarted(serializers.Serializer[Any]):
    eventId = serializers.UUIDField()


class ConsolidationResult(serializers.Serializer[Any]):
    ownersConsolidated = serializers.IntegerField()
    updated = serializers.IntegerField()
    skippedSmall = serializers.IntegerField()
    skippedOverCap = serializers.IntegerField()
    failed = serializers.IntegerField()
    entriesBefore = serializers.IntegerField()
    entriesAfter = serializers.IntegerField()


class CandidateBody(serializers.Serializer[Any]):
    text = serializers.CharField()
    scope = serializers.ChoiceField(Scope.choices)
    day = serializers.DateField(allow_null=True)
    score = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())
    recallCount = serializers.IntegerField()
    queryCount = serializers.IntegerField()
    lastRecalledAt = serializers.DateTimeField(allow_null=True)
    days = serializers.ListField(child=serializers.DateField(), help_text="The days that named it.")
    sources = serializers.JSONField()
    gate = serializers.CharField(help_text="What stops it from being promoted; empty: nothing does.")
    why = serializers.CharField()


class DreamingStatus(serializers.Serializer[Any]):
    enabled = serializers.BooleanField()
    cron = serializers.CharField()
    timeZone = serializers.CharField()
    lastRun = serializers.DateTimeField(allow_null=True)
    nextRun = serializers.DateTimeField(allow_null=True)
    running = serializers.BooleanField()
    latestEntry = serializers.CharField(
        help_text="The latest entry of DREAMS.md, your own before the shared one."
    )
    candidates = serializers.IntegerField(help_text="How many would be looked at now.")
    stopped = serializers.IntegerField()
    nearMisses = CandidateBody(many=True)


class ScheduleBody(serializers.Serializer[Schedule]):
    kind = serializers.CharField()
    enabled = serializers.BooleanField()
    cron = serializers.CharField(help_text="Its own time; empty: the installation's.")
    effectiveCron = serializers.SerializerMethodField()
    nextRun = serializers.DateTimeField(source="next_run", allow_null=True)
    lastRun = serializers.DateTimeField(source="last_run", allow_null=True)
    lastSlot = serializers.CharField(source="last_slot")

    def get_effectiveCron(self, schedule: Schedule) -> str:
        # The time its next run was worked out from, without the zone behind it.
        return schedule.computed_for.rpartition(" ")[0]


class ScheduleChange(serializers.Serializer[Any]):
    enabled = Flag(required=False)
    cron = Text(max_length=60, allow_blank=True, required=False)


class ArchiveLine(serializers.Serializer[DreamArchive]):
    month = serializers.CharField()
    scope = serializers.ChoiceField(Scope.choices)
    reports = serializers.IntegerField()


class ArchiveBody(serializers.Serializer[Any]):
    month = serializers.CharField()
    reports = serializers.JSONField(help_text="The reports of the month with their entries, as they were.")


class MorningItem(serializers.Serializer[Any]):
    id = serializers.CharField()
    reportId = serializers.CharField()
    operation = serializers.ChoiceField(DreamEntry.Operation.choices)
    scope = serializers.ChoiceField(Scope.choices)
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField()
    factId = serializers.CharField(allow_null=True)
    verdict = serializers.CharField()
    actions = serializers.ListField(child=serializers.CharField())


class MorningCardBody(serializers.Serializer[Any]):
    reportIds = serializers.ListField(child=serializers.CharField())
    since = serializers.DateTimeField()
    reasons = serializers.ListField(child=serializers.CharField())
    items = MorningItem(many=True)
    more = serializers.IntegerField(help_text="How many further changes there are.")
    openContradictions = serializers.IntegerField()
    pendingReviews = serializers.IntegerField()


class Morning(serializers.Serializer[Any]):
    card = MorningCardBody(allow_null=True, help_text="Null when nothing is new.")


class SoulProposalBody(serializers.Serializer[SoulProposal]):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(SoulProposal.Status.choices)
    before = serializers.CharField()
    after = serializers.CharField()
    reason = serializers.CharField()
    baseVersion = serializers.IntegerField(source="base_version")
    decidedBy = serializers.CharField(source="decided_by")
    decidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
