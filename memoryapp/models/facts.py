"""Facts: the one table of atomic memory, with where each came from and everything that happened to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from memoryapp.models.agents import Agent
from memoryapp.models.categories import CategoryTraits, FactCategory
from memoryapp.models.conversations import Conversation, Message
from memoryapp.models.files import FileSection
from tenants.scoping import OwnedModel, OwnedQuerySet

TRUST_FLOOR = 0.05
TRUST_START = 0.5
# Facts whose trust follows from more than the day they were last confirmed.
JUDGED = Q(helpful_count__gt=0) | Q(unhelpful_count__gt=0) | Q(pinned=True)


class FactQuerySet(OwnedQuerySet["Fact"]):
    """Chainable vocabulary over facts."""

    def active(self) -> Self:
        return self.filter(status=Fact.Status.ACTIVE)

    def unexpired(self, at: datetime | None = None) -> Self:
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=at or timezone.now()))

    def current(self, at: datetime | None = None, *, session: Conversation | None = None) -> Self:
        """Active, not expired, valid at the time given, and not bound to another conversation than `session`."""
        return self.valid(at).in_session(session)

    def valid(self, at: datetime | None = None) -> Self:
        """Active, not expired and valid at the time given, in whatever conversation."""
        moment = at or timezone.now()
        return self.active().unexpired(moment).filter(Q(valid_to=None) | Q(valid_to__gt=moment))

    def in_session(self, session: Conversation | None) -> Self:
        """Long-term facts, and those that live with this conversation only."""
        return self.filter(Q(session=None) if session is None else Q(session=None) | Q(session=session))

    def in_category(self, *categories: str) -> Self:
        return self.filter(category__in=categories)


class Fact(OwnedModel):
    """One thing worth knowing about an owner, the team or the world, in words that stand alone."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        PENDING = "pending"
        SUPERSEDED = "superseded"
        MERGED = "merged"
        FORGOTTEN = "forgotten"

    class Origin(models.TextChoices):
        CHAT = "chat"
        TOOL = "tool"
        API = "api"
        IMPORT = "import"
        PROJECTION = "projection"
        DREAM = "dream"

    class Source(models.TextChoices):
        """Whose word a fact is; trust is capped by it."""

        USER = "user"
        AGENT = "agent"
        TOOL = "tool"

    SOURCE_TRUST = {"user": 1.0, "agent": 0.7, "tool": 0.4}

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="facts")
    text = models.TextField()
    # Hex SHA-256 of the normalised text: what makes two facts the same fact.
    text_key = models.CharField(max_length=64, db_collation="C")
    category = models.CharField(max_length=64, blank=True)
    labels = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    importance = models.FloatField()
    confidence = models.FloatField(default=1.0)
    language = models.CharField(max_length=16, blank=True)
    metadata: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    attributed_to = models.CharField(max_length=8, choices=Source.choices, default=Source.USER)
    origin = models.CharField(max_length=10, choices=Origin.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ACTIVE)
    immutable = models.BooleanField(default=False)
    pinned = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)

    # Labels of callers who have their own words for agent, app and run.
    agent_label = models.CharField(max_length=160, blank=True)
    app_id = models.CharField(max_length=160, blank=True)
    run_id = models.CharField(max_length=160, blank=True)
    # A fact that lives with one conversation: recalled there only, gone with it.
    session = models.ForeignKey(
        Conversation, null=True, blank=True, on_delete=models.CASCADE, related_name="session_facts"
    )
    # Who said it, by the name the caller gave the message: a question that names them is about their words.
    speaker = models.CharField(max_length=120, blank=True)

    # When it was said, when it holds, and which time the text itself names.
    said_at = models.DateTimeField(default=timezone.now)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    event_from = models.DateTimeField(null=True, blank=True)
    event_to = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces"
    )
    forgotten_at = models.DateTimeField(null=True, blank=True)
    # When it was last held against what else is known; empty while that is still to be done.
    compared_at = models.DateTimeField(null=True, blank=True, editable=False)

    helpful_count = models.PositiveIntegerField(default=0)
    unhelpful_count = models.PositiveIntegerField(default=0)
    mention_count = models.PositiveIntegerField(default=1)
    recall_count = models.PositiveIntegerField(default=0)
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(default=timezone.now)

    lexemes = SearchVectorField(null=True, editable=False)
    length = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar[models.Manager[Any]] = models.Manager.from_queryset(FactQuerySet)()

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(text=""), name="memoryapp_fact_has_text"),
            models.CheckConstraint(
                condition=Q(importance__gte=0, importance__lte=1), name="memoryapp_fact_importance_range"
            ),
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "text_key", "run_id", "said_at"],
                condition=Q(status="active", valid_to=None),
                name="memoryapp_fact_observation_unique",
            ),
        ]
        indexes = [
            # A person's facts of one state, newest first: narrowed by category and by the day of the last confirmation
            # before any row is read.
            models.Index(
                fields=[
                    *("workspace", "agent", "owner_key", "status"),
                    *("-created_at", "-id", "confirmed_at", "category"),
                ],
                name="memoryapp_fact_by_age",
            ),
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at", "-id"],
                condition=JUDGED,
                name="memoryapp_fact_judged",
            ),
            models.Index(
                fields=["workspace", "agent", "owner_key", "text_key"], name="memoryapp_fact_text_key"
            ),
            models.Index(
                fields=["workspace", "agent", "owner_key", "run_id", "said_at"], name="memoryapp_fact_run"
            ),
            models.Index(
                fields=["workspace", "expires_at"],
                condition=~Q(expires_at=None),
                name="memoryapp_fact_expiry",
            ),
            models.Index(
                fields=["workspace", "agent", "owner_key"],
                condition=Q(compared_at=None, status="active"),
                name="memoryapp_fact_uncompared",
            ),
            # What stands in every prompt: the newest of a category, and how many are in force, without a look at any
            # row. Only over these categories, or the planner would sort what another index finds.
            models.Index(
                fields=["workspace", "agent", "owner_key", "category", "-updated_at"],
                include=["id", "scope", "session", "expires_at", "valid_to"],
                condition=Q(status="active", category__in=FactCategory.always_on()),
                name="memoryapp_fact_newest",
            ),
            GinIndex(fields=["lexemes"], name="memoryapp_fact_lexemes"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def traits(self) -> CategoryTraits:
        return FactCategory.traits_of(self.category)

    def trust_at(self, moment: datetime | None = None) -> float:
        """How far the fact is to be trusted at a moment, 0.05 to 1.

        `clamp(0.5 + 0.1·helpful − 0.2·unhelpful, 0, 1) · 2^(−days since last confirmation / half-life)`, capped by its
        source. Computed when read, so that no night has to touch every row; a pinned fact does not decay.
        """
        base = min(max(TRUST_START + 0.1 * self.helpful_count - 0.2 * self.unhelpful_count, 0.0), 1.0)
        half_life = settings.MEMORY_FACT_TRUST_HALF_LIFE_DAYS
        days = max(((moment or timezone.now()) - self.confirmed_at).total_seconds() / 86400, 0.0)
        decay = 1.0 if self.pinned or not half_life else 2.0 ** (-days / half_life)
        return max(min(base * decay, self.SOURCE_TRUST[self.attributed_to]), TRUST_FLOOR)

    @property
    def trust(self) -> float:
        return self.trust_at()


class FactSource(OwnedModel):
    """Where a fact comes from: the characters of a message, or a section of a file. Kept through merges."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="sources")
    message = models.ForeignKey(Message, null=True, on_delete=models.CASCADE, related_name="facts_made")
    section = models.ForeignKey(FileSection, null=True, on_delete=models.SET_NULL, related_name="facts_made")
    path = models.CharField(max_length=200, blank=True)
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    # Where a fact that came with a snapshot came from, when that place did not come along.
    told: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "fact", "message", "start", "end"],
                condition=~Q(message=None),
                name="memoryapp_source_message_unique",
            ),
        ]

    def __str__(self) -> str:
        return f"source of {self.fact_id}"


class FactRevision(OwnedModel):
    """One change of a fact. It outlives a purge, then without any text."""

    class Operation(models.TextChoices):
        ADD = "ADD"
        UPDATE = "UPDATE"
        MERGE = "MERGE"
        SUPERSEDE = "SUPERSEDE"
        DELETE = "DELETE"
        RESTORE = "RESTORE"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    # No database constraint: the history of a purged fact stays.
    fact = models.ForeignKey(Fact, on_delete=models.DO_NOTHING, db_constraint=False, related_name="revisions")
    operation = models.CharField(max_length=10, choices=Operation.choices)
    before: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True)
    after: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True)
    actor = models.CharField(max_length=200)
    origin = models.CharField(max_length=10, blank=True)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [*OwnedModel.Meta.constraints]
        indexes = [models.Index(fields=["workspace", "agent", "created_at"], name="memoryapp_factrev_recent")]

    def __str__(self) -> str:
        return f"{self.operation} of {self.fact_id}"


class FactFeedback(OwnedModel):
    """One person's judgement of one fact; a later one replaces it."""

    class Kind(models.TextChoices):
        HELPFUL = "helpful"
        UNHELPFUL = "unhelpful"

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="feedback")
    given_by = models.CharField(max_length=170, db_collation="C")
    kind = models.CharField(max_length=10, choices=Kind.choices)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(fields=["workspace", "fact", "given_by"], name="memoryapp_feedback_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.given_by}"


class Tombstone(OwnedModel):
    """What was forgotten, as a keyed hash: extraction, projection, dreams and imports cannot bring it back."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, db_collation="C")
    fact_id = models.UUIDField(null=True, blank=True)

    class Meta:
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "digest"],
                name="memoryapp_tombstone_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.digest[:12]
