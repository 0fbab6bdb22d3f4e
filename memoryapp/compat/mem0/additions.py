"""What a mem0 client wants stored: read from the many shapes its versions send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.utils import timezone

from memoryapp.actions.facts import NewFact
from memoryapp.compat.mem0.places import Labels, read_labels
from memoryapp.compat.mem0.rules import read_rules
from memoryapp.exceptions import ValidationFailed
from memoryapp.lifecycle.given import Given
from memoryapp.models import Fact
from tenants.scoping import Scope

MAX_MESSAGES: Final = 1_000
MAX_CATEGORY: Final = 64
ROLES: Final = ("user", "assistant", "system", "agent")
PERSON: Final = "user"
# A transcript stored as one user's memories tells the parts apart by name: these are the agent's.
AGENT_NAMES: Final = frozenset(["assistant", "agent", "ai", "bot"])
LATEST: Final = datetime(9990, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Said:
    """One message with text in it."""

    role: str
    text: str
    name: str = ""

    @property
    def attributed_to(self) -> str:
        is_agent = self.role in {"assistant", "agent"} or self.name.strip().lower() in AGENT_NAMES
        return Fact.Source.AGENT if is_agent else Fact.Source.USER


@dataclass(frozen=True, slots=True)
class Addition:
    """One call that adds memories."""

    labels: Labels
    messages: list[Said]
    infer: bool
    metadata: dict[str, Any] = field(default_factory=dict)
    said_at: datetime | None = None
    expires_at: datetime | None = None
    immutable: bool | None = None
    # What the caller asks of whoever reads the messages.
    rules: dict[str, Any] = field(default_factory=dict)

    @property
    def category(self) -> str:
        """What agents that sort facts themselves say in the metadata; retention and importance follow from it."""
        category = self.metadata.get("category")
        return category.strip() if isinstance(category, str) and len(category) <= MAX_CATEGORY else ""

    @property
    def importance(self) -> float | None:
        value = self.metadata.get("importance")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if 0 <= value <= 1 else None

    def as_facts(self, retention: Mapping[str, int]) -> list[NewFact]:
        """Every message as one fact, word for word; what the system was told is nobody's memory."""
        return [self._fact(message, retention) for message in self.messages if message.role != "system"]

    def given(self, retention: Mapping[str, int]) -> Given:
        """What is to be put on every fact that a reading draws from these messages."""
        return Given(
            agent_label=self.labels.agent_id,
            app_id=self.labels.app_id,
            run_id=self.labels.run_id,
            metadata=self.metadata,
            immutable=self.immutable,
            expires_at=self.expires_at,
            retention=dict(retention),
            rules=self.rules,
        )

    def _expiry(self, retention: Mapping[str, int]) -> datetime | None:
        days = retention.get(self.category.lower())
        if self.expires_at is not None or not days:
            return self.expires_at
        return (self.said_at or timezone.now()) + timedelta(days=days)

    def _fact(self, message: Said, retention: Mapping[str, int]) -> NewFact:
        return NewFact(
            text=message.text,
            category=self.category,
            importance=self.importance,
            scope=Scope.PERSONAL if self.labels.user_id else Scope.TEAM,
            metadata=self.metadata,
            attributed_to=message.attributed_to,
            origin=Fact.Origin.API,
            agent_label=self.labels.agent_id,
            app_id=self.labels.app_id,
            run_id=self.labels.run_id,
            speaker=message.name,
            said_at=self.said_at,
            expires_at=self._expiry(retention),
            immutable=self.immutable,
        )


def read_addition(body: Mapping[str, Any], rules: Mapping[str, Any]) -> Addition:
    """The addition a body asks for; raises ValidationFailed for what cannot be understood."""
    labels = read_labels(body)
    if not labels.any:
        raise ValidationFailed(
            "At least one of user_id, agent_id, app_id and run_id is required.", code="entity_required"
        )
    return Addition(
        labels=labels,
        messages=_messages(body),
        infer=_flag(body, "infer", default=True),
        metadata=_object(body, "metadata"),
        said_at=read_timestamp(body.get("timestamp")),
        expires_at=read_expiration(body.get("expiration_date")),
        immutable=_flag(body, "immutable", default=False) or None,
        rules={**rules, **read_rules(body)},
    )


def _messages(body: Mapping[str, Any]) -> list[Said]:
    # Facts that an agent has drawn already come beside one message that has them all glued together.
    drawn = body.get("deduced_memories")
    given = drawn if isinstance(drawn, list) and drawn else body.get("messages")
    if isinstance(given, str | Mapping):
        given = [given]
    if not isinstance(given, list) or not given:
        raise ValidationFailed.of(
            "messages", "messages is a text, or a list of messages with role and content."
        )
    if len(given) > MAX_MESSAGES:
        raise ValidationFailed.of("messages", f"At most {MAX_MESSAGES} messages in one call.")
    said = [said for message in given if (said := _message(message)) is not None]
    if not said and all(_is_blank(message) for message in given):
        raise ValidationFailed.of("messages", "There is nothing in these messages.", code="blank")
    return said


def _is_blank(message: object) -> bool:
    """Whether a message says nothing at all, not even with a picture, which is left aside."""
    content = message.get("content") if isinstance(message, Mapping) else message
    return content is None or (isinstance(content, str) and not content.strip())


def _message(given: object) -> Said | None:
    """A message with its text; None for one that is only a picture or a file."""
    if isinstance(given, str):
        given = {"role": PERSON, "content": given}
    if not isinstance(given, Mapping):
        raise ValidationFailed.of("messages", "A message is an object with role and content.")
    role, name = given.get("role", PERSON), given.get("name") or ""
    if role not in ROLES:
        raise ValidationFailed.of("messages", f"A message's role is one of {', '.join(ROLES)}.")
    if not isinstance(name, str):
        raise ValidationFailed.of("messages", "A message's name is a text.")
    text = _text(given.get("content"))
    return Said(role, text, name) if text.strip() else None


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return _text(content.get("text")) if content.get("type", "text") == "text" else ""
    if isinstance(content, Sequence):
        return "\n".join(filter(None, map(_text, content)))
    if content is None:
        return ""
    raise ValidationFailed.of("messages", "A message's content is a text or a list of parts.")


def _flag(body: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ValidationFailed.of(name, f"{name} is true or false.")
    return value


def _object(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = body.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ValidationFailed.of(name, f"{name} is an object.")
    return value


def read_timestamp(value: object) -> datetime | None:
    """Unix seconds, as a number or in digits, or an ISO time."""
    if value is None:
        return None
    try:
        moment = _moment(value)
    except (ValueError, OverflowError, OSError) as error:
        raise ValidationFailed.of("timestamp", "timestamp is in Unix seconds.") from error
    if not datetime(1, 1, 2, tzinfo=UTC) <= moment <= LATEST:
        raise ValidationFailed.of("timestamp", "timestamp is out of the calendar.")
    return moment


def _moment(value: object) -> datetime:
    if isinstance(value, str) and not value.strip().lstrip("-").isdecimal():
        moment = datetime.fromisoformat(value.strip())
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    return datetime.fromtimestamp(float(value), UTC)


def read_expiration(value: object) -> datetime | None:
    """The end of the day through which a memory is shown; raises ValidationFailed for what is no date."""
    if value is None:
        return None
    try:
        day = date.fromisoformat(str(value)[:10]) if isinstance(value, str) else None
    except ValueError:
        day = None
    if day is None or day.year >= LATEST.year:
        raise ValidationFailed.of("expiration_date", "expiration_date is a date, YYYY-MM-DD.")
    return datetime.combine(day + timedelta(days=1), time.min, UTC)
