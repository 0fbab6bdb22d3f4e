"""How facts look on the wire."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memoryapp.api.fields import Decimal, Flag, JSONObject, RawText, Text, Whole
from memoryapp.api.strict import StrictBody
from memoryapp.models import Fact, FactFeedback, FactRevision
from memoryapp.retrieval.search import MOST_RESULTS, Hit
from tenants.scoping import Scope

WRITABLE_SCOPES = [Scope.PERSONAL.value, Scope.TEAM.value]
MAX_QUERY = 8_000
SEARCHED = ["facts", "files", "messages"]


class FactBody(serializers.Serializer[Fact]):
    id = serializers.UUIDField()
    agentId = serializers.UUIDField(source="agent_id")
    text = serializers.CharField()
    category = serializers.CharField()
    categories = serializers.ListField(source="labels", child=serializers.CharField())
    scope = serializers.ChoiceField(Scope.choices)
    status = serializers.ChoiceField(Fact.Status.choices)
    importance = serializers.FloatField()
    confidence = serializers.FloatField()
    trust = serializers.FloatField(help_text="How far it is trusted now, 0.05 to 1.")
    language = serializers.CharField()
    metadata = serializers.JSONField()
    attributedTo = serializers.ChoiceField(Fact.Source.choices, source="attributed_to")
    origin = serializers.ChoiceField(Fact.Origin.choices)
    immutable = serializers.BooleanField(
        help_text="No model rewrites or merges it; the person it is about still can."
    )
    pinned = serializers.BooleanField()
    agentLabel = serializers.CharField(source="agent_label")
    appId = serializers.CharField(source="app_id")
    runId = serializers.CharField(source="run_id")
    saidAt = serializers.DateTimeField(source="said_at")
    validFrom = serializers.DateTimeField(source="valid_from", allow_null=True)
    validTo = serializers.DateTimeField(source="valid_to", allow_null=True)
    eventFrom = serializers.DateTimeField(source="event_from", allow_null=True)
    eventTo = serializers.DateTimeField(source="event_to", allow_null=True)
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    supersededBy = serializers.UUIDField(source="superseded_by_id", allow_null=True)
    helpfulCount = serializers.IntegerField(source="helpful_count")
    unhelpfulCount = serializers.IntegerField(source="unhelpful_count")
    mentionCount = serializers.IntegerField(source="mention_count")
    recallCount = serializers.IntegerField(source="recall_count")
    lastRecalledAt = serializers.DateTimeField(source="last_recalled_at", allow_null=True)
    confirmedAt = serializers.DateTimeField(source="confirmed_at")
    version = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class WrittenFact(FactBody):
    duplicate = serializers.BooleanField(help_text="It was known already; this is the known one.")
    indexing = serializers.ChoiceField(["ready", "pending"], help_text="Whether its vector is there yet.")
    masked = serializers.BooleanField(help_text="A credential was masked.")


class FactFields(StrictBody):
    """What can be set on a fact, when it is made and when it is changed."""

    category = Text(max_length=64, allow_blank=True, required=False)
    categories = serializers.ListField(
        source="labels", child=Text(max_length=64), max_length=32, required=False
    )
    importance = Decimal(min_value=0, max_value=1, required=False)
    confidence = Decimal(min_value=0, max_value=1, required=False)
    metadata = JSONObject(required=False)
    language = Text(max_length=16, allow_blank=True, required=False)
    runId = Text(source="run_id", max_length=160, allow_blank=True, required=False)
    appId = Text(source="app_id", max_length=160, allow_blank=True, required=False)
    saidAt = serializers.DateTimeField(source="said_at", required=False)
    validFrom = serializers.DateTimeField(source="valid_from", allow_null=True, required=False)
    validTo = serializers.DateTimeField(source="valid_to", allow_null=True, required=False)
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True, required=False)
    immutable = Flag(required=False)


class NewFactBody(FactFields):
    text = RawText(max_length=64_000)
    scope = serializers.ChoiceField(WRITABLE_SCOPES, required=False)
    attributedTo = serializers.ChoiceField(Fact.Source.choices, source="attributed_to", required=False)


# Not a strict body: messages come from other programs' logs, with whatever else those know of them.
class SaidBody(serializers.Serializer[Any]):
    role = serializers.ChoiceField(["user", "assistant"])
    content = Text(max_length=64_000)
    name = Text(max_length=120, required=False)
    at = serializers.DateTimeField(required=False, help_text="When it was said; now by default.")


class NewMessages(StrictBody):
    """Messages to be read for what is worth keeping."""

    infer = Flag()
    messages = serializers.ListField(child=SaidBody(), allow_empty=False, max_length=500)
    conversationId = Text(max_length=128, required=False, allow_null=True)


class FactChanges(FactFields):
    text = RawText(max_length=64_000, required=False)


class FactQuery(serializers.Serializer[Any]):
    filter = serializers.CharField(required=False, max_length=20_000, help_text="A filter, as JSON.")
    status = serializers.ChoiceField(Fact.Status.choices, required=False)
    showExpired = serializers.BooleanField(default=False)


class FactDeletion(serializers.Serializer[Any]):
    """Which facts to delete: those of a filter, or all of them, said twice."""

    filter = JSONObject(required=False)
    all = Flag(required=False)
    confirm = Flag(required=False)
    scope = serializers.ChoiceField(WRITABLE_SCOPES, default=Scope.PERSONAL.value)


class Deleted(serializers.Serializer[Any]):
    deleted = serializers.IntegerField()


class FactSearch(StrictBody):
    query = Text(max_length=MAX_QUERY)
    filter = JSONObject(required=False, allow_null=True)
    topK = Whole(min_value=1, max_value=MOST_RESULTS, default=10)
    threshold = Decimal(min_value=0, max_value=1, required=False, allow_null=True)
    explain = Flag(default=False)
    showExpired = Flag(default=False)
    latestOnly = Flag(default=True, help_text="False: facts that newer ones have replaced are found too.")
    referenceDate = serializers.DateTimeField(
        required=False, allow_null=True, help_text="The “now” from which relative times are counted."
    )
    fields = serializers.ListField(  # type: ignore[assignment]  # the class of a serializer keeps none of its own
        source="wanted",
        child=serializers.ChoiceField(list(FactBody().fields)),
        required=False,
        help_text="The fields of each fact to send besides its id; all by default.",
    )
    sources = serializers.ListField(
        child=serializers.ChoiceField(SEARCHED),
        default=["facts"],
        allow_empty=False,
        help_text="What is searched: facts, file sections, past messages.",
    )


class FoundFact(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(["fact", "section", "message"])
    score = serializers.FloatField(
        help_text="How certain it is to be what was meant, 0 to 1; what answers has 0.4 and more."
    )
    id = serializers.UUIDField()
    text = serializers.CharField()
    place = serializers.CharField(source="source", help_text="Where it stands, for people.")
    fact = serializers.SerializerMethodField(help_text="Null for a file section or a message.")
    explain = serializers.JSONField(required=False, help_text="Each arm's rank and score, when asked for.")

    @extend_schema_field(FactBody(allow_null=True))
    def get_fact(self, hit: Hit) -> dict[str, Any] | None:
        if not isinstance(hit.object, Fact):
            return None
        body: dict[str, Any] = FactBody(hit.object).data
        wanted = self.context.get("fields")
        return {name: value for name, value in body.items() if name in wanted} if wanted else body


class FoundFacts(serializers.Serializer[Any]):
    results = FoundFact(many=True)
    degraded = serializers.BooleanField(help_text="The embedder was down, and only words were searched.")
    tookMs = serializers.FloatField()


class FactRevisionBody(serializers.Serializer[FactRevision]):
    id = serializers.UUIDField()
    operation = serializers.ChoiceField(FactRevision.Operation.choices)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    actor = serializers.CharField()
    origin = serializers.CharField()
    reason = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")


class SourceBody(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(["message", "section"])
    text = serializers.CharField(
        help_text="The words it rests on; empty where they are somebody else's or gone."
    )
    messageId = serializers.UUIDField(allow_null=True)
    conversationId = serializers.CharField(allow_null=True)
    path = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    at = serializers.DateTimeField()


class FeedbackBody(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        FactFeedback.Kind.choices, allow_null=True, help_text="Null takes it back."
    )


class PinBody(serializers.Serializer[Any]):
    pinned = Flag()
