"""What a conversation left behind: what was kept of it, what was refused at which gate, what still waits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.chat.replies import Recollection, reload_reply
from memoryapp.lifecycle.account import ConversationAccount, State, explain_conversation
from memoryapp.models import Conversation, Event, Extraction, Fact, FactSource, Message
from memoryapp.wording import say
from tenants.principals import Principal

READINGS_SHOWN = 20
QUOTE_LENGTH = 80
POLL_SOON, POLL_LATER = "every 2s", "every 20s"
# Number and name of each gate as people know them; a gate without an entry is named as the engine names it.
GATES = {
    "utility": gettext_lazy("gate 1: no use next week"),
    "novelty": gettext_lazy("gate 2: novelty"),
    "factual": gettext_lazy("gate 3: not a fact"),
    "safe": gettext_lazy("gate 4: safe"),
    "safety": gettext_lazy("gate 4: safe"),
}
UNSAFE = {"safe", "safety"}
WAITING = {State.RUNNING, State.PENDING, State.DEFERRED}
UNREAD = {State.SKIPPED, State.FAILED, State.NEVER}
# Class, icon and words of what an operation did.
DEEDS = {
    "ADD": ("add", "plus", gettext_lazy("Added")),
    "UPDATE": ("update", "arrow-right", gettext_lazy("Updated")),
    "DELETE": ("drop", "minus", gettext_lazy("Removed")),
    "NONE": ("", "equal", gettext_lazy("Said again")),
}


@dataclass(frozen=True, slots=True)
class KeptItem:
    """One thing that became memory."""

    kind: str
    icon: str
    deed: str
    fact: Fact | None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class RefusedItem:
    """One thing that did not, and why."""

    text: str
    gate: str
    reason: str
    unsafe: bool


@dataclass(frozen=True, slots=True)
class Account:
    """Everything the panel says about a conversation: the account as the API gives it, with the facts it names."""

    told: ConversationAccount
    kept: list[KeptItem] = field(default_factory=list)
    refused: list[RefusedItem] = field(default_factory=list)

    @property
    def unread(self) -> int:
        return self.told.unread

    @property
    def readings(self) -> tuple[Extraction, ...]:
        return self.told.readings[:READINGS_SHOWN]

    @property
    def waiting(self) -> Event | None:
        """The job that will read what is unread."""
        event = self.told.event
        return event if event is not None and self.told.state in WAITING else None

    @property
    def poll(self) -> str:
        if self.waiting is None or not self.unread:
            return ""
        soon = self.waiting.status == Event.Status.RUNNING or self.waiting.attempts == 0
        return POLL_SOON if soon else POLL_LATER

    @property
    def says_why(self) -> str:
        """Why what was said last is not read, when it neither is nor waits in view."""
        return self.told.reason if self.told.state in UNREAD else ""


def account_of(principal: Principal, conversation: Conversation, *, quoted: bool = True) -> Account:
    """What extraction has made of a conversation so far, in a fixed number of queries; `quoted` adds the words."""
    told = explain_conversation(principal, conversation)
    readings = list(told.readings[:READINGS_SHOWN])
    entries = [entry for reading in readings for entry in reading.kept if isinstance(entry, dict)]
    ids = {str(entry["factId"]) for entry in entries if entry.get("factId")}
    facts = (
        {str(fact.pk): fact for fact in Fact.objects.visible_to(principal).filter(pk__in=ids)} if ids else {}
    )
    quotes = _quotes(principal, conversation, facts) if quoted else {}
    return Account(told, [_kept(entry, facts, quotes) for entry in entries], _refusals(readings))


def _quotes(principal: Principal, conversation: Conversation, facts: dict[str, Fact]) -> dict[str, str]:
    """The words of this conversation that each fact rests on."""
    if not facts:
        return {}
    sources = FactSource.objects.visible_to(principal).filter(
        fact__in=facts.values(), message__conversation=conversation
    )
    quotes: dict[str, str] = {}
    for source in sources.select_related("message"):
        message = source.message
        if message is not None:
            words = message.text[source.start : source.end] or message.text
            quotes[str(source.fact_id)] = words[:QUOTE_LENGTH] + ("…" if len(words) > QUOTE_LENGTH else "")
    return quotes


def _kept(entry: dict[str, Any], facts: dict[str, Fact], quotes: dict[str, str]) -> KeptItem:
    kind, icon, word = DEEDS.get(str(entry.get("op", "")).upper(), DEEDS["ADD"])
    key = str(entry.get("factId", ""))
    category = say(str(entry.get("category", "")).capitalize()).lower()
    deed = _("%(deed)s: %(category)s") % {"deed": word, "category": category} if category else str(word)
    return KeptItem(kind, icon, deed, facts.get(key), quotes.get(key, ""))


def _refusals(readings: list[Extraction]) -> list[RefusedItem]:
    """What was refused, each once: what stands at the edge of two readings is judged in both."""
    entries = (entry for reading in readings for entry in reading.refused if isinstance(entry, dict))
    return list(dict.fromkeys(_refused(entry) for entry in entries))


def _refused(entry: dict[str, Any]) -> RefusedItem:
    gate = str(entry.get("gate", ""))
    return RefusedItem(
        str(entry.get("text", "")), str(GATES.get(gate, gate)), str(entry.get("reason", "")), gate in UNSAFE
    )


def last_recall(principal: Principal, conversation: Conversation, said: list[Message]) -> list[Recollection]:
    """What the latest reply rests on, with texts as far as they still exist."""
    replies = [
        message
        for message in said
        if message.role == Message.Role.ASSISTANT and message.detail.get("recalled")
    ]
    last = said[-1] if said else None
    if not replies or (last is not None and last.role == Message.Role.ASSISTANT and replies[-1] is not last):
        return []
    return list(reload_reply(principal, conversation, replies[-1]).recalled)
