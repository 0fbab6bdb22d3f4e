"""A person's conversations: what became of each, and in its messages the words that became facts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryapp.dashboard.conversation_memory import account_of
from memoryapp.dashboard.pages import Visit
from memoryapp.dashboard.people.kept import key_of
from memoryapp.dashboard.people.marks import mark_message
from memoryapp.dashboard.whose import Subject
from memoryapp.exceptions import NotFound
from memoryapp.models import Conversation, Extraction, Fact, FactSource, Message

TALKS_SHOWN = 30
MESSAGES_SHOWN = 60
# So many messages after the one with the chosen words are shown below it.
AFTER_CHOSEN = 20
MADE_SHOWN = 20


def show_talks(visit: Visit, subject: Subject) -> dict[str, Any]:
    """The conversations by last message, the chosen one marked, and what the chosen words made."""
    rows = _talks(subject)
    older_than = _Place.read(visit.request.GET.get("before", ""))
    page = list((rows.filter(older_than.below) if older_than else rows)[: TALKS_SHOWN + 1])
    if older_than and not page:
        # What stood there is gone: the first page is always right.
        older_than, page = None, list(rows[: TALKS_SHOWN + 1])
    chosen = _chosen(visit, rows, page)
    context = {
        "talks": [(talk, *_outcome(talk)) for talk in page[:TALKS_SHOWN]],
        "older": _Place.of(page[TALKS_SHOWN - 1]) if len(page) > TALKS_SHOWN else "",
        "newer": older_than is not None,
        "talk": chosen,
    }
    if chosen is None:
        return context
    account = account_of(subject.principal, chosen, quoted=False)
    return {**context, **_opened(visit, subject, chosen), "account": account}


class _Place(NamedTuple):
    """Where a page of conversations begins: below this time and id, whether or not that one is still there."""

    at: datetime
    key: UUID

    @classmethod
    def of(cls, talk: Conversation) -> _Place:
        return cls(talk.last_message_at or talk.created_at, talk.pk)

    @classmethod
    def read(cls, text: str) -> _Place | None:
        at, _, key = text.partition("_")
        try:
            return cls(datetime.fromtimestamp(int(at) / 1e6, UTC), UUID(key))
        except (ValueError, OverflowError, OSError):
            return None

    @property
    def below(self) -> Q:
        return Q(ends__lt=self.at) | Q(ends=self.at, pk__lt=self.key)

    def __str__(self) -> str:
        return f"{round(self.at.timestamp() * 1e6)}_{self.key}"


def _talks(subject: Subject) -> Any:
    """The person's conversations with what was kept of each and how its last reading ended."""
    kept = (
        FactSource.objects.filter(message__conversation=OuterRef("pk"))
        .order_by()
        .values("message__conversation")
        .annotate(amount=Count("fact", distinct=True))
        .values("amount")
    )
    readings = Extraction.objects.filter(conversation=OuterRef("pk")).order_by("-created_at")
    rows = Conversation.objects.owned_by(subject.principal).filter(owner_key=subject.key)
    return (
        rows.select_related("agent")
        .annotate(kept=Coalesce(Subquery(kept), 0), outcome=Subquery(readings.values("status")[:1]))
        .annotate(ends=Coalesce("last_message_at", "created_at"))
        .order_by("-ends", "-pk")
    )


def _chosen(visit: Visit, rows: Any, page: list[Conversation]) -> Conversation | None:
    """The conversation that the address names, whatever page it is on, else the first one listed."""
    wanted = key_of(visit, "c")
    if wanted is None:
        return next(iter(page), None)
    listed = next((talk for talk in page if talk.pk == wanted), None)
    talk: Conversation | None = listed or rows.filter(pk=wanted).first()
    if talk is None:
        raise NotFound
    return talk


def _outcome(talk: Any) -> tuple[str, str]:
    """What became of a conversation, as a badge's kind and words."""
    if talk.kept:
        return "ok", ngettext("%(n)d kept", "%(n)d kept", talk.kept) % {"n": talk.kept}
    return {
        Extraction.Status.SUCCEEDED.value: ("", _("nothing kept")),
        Extraction.Status.NO_UPDATE.value: ("", _("nothing kept")),
        Extraction.Status.DEFERRED.value: ("warn", _("deferred")),
        Extraction.Status.SKIPPED.value: ("", _("not read")),
        Extraction.Status.FAILED.value: ("bad", _("failed")),
    }.get(talk.outcome, ("", _("not read yet")))


def _opened(visit: Visit, subject: Subject, talk: Conversation) -> dict[str, Any]:
    """The messages around the chosen fact, else the last ones, with their marks."""
    fact_id = key_of(visit, "fact")
    sources = FactSource.objects.visible_to(subject.principal).filter(message__conversation=talk)
    first = (
        sources.filter(fact=fact_id).order_by("message__number").values("message__number")[:1]
        if fact_id
        else None
    )
    messages = Message.objects.visible_to(subject.principal).filter(conversation=talk)
    until = _number(visit)
    if until is not None:
        messages = messages.filter(number__lte=until)
    elif first is not None:
        messages = messages.filter(number__lte=Coalesce(Subquery(first), talk.message_count) + AFTER_CHOSEN)
    said = list(messages.order_by("-number")[: MESSAGES_SHOWN + 1])
    shown = said[:MESSAGES_SHOWN][::-1]
    spans = list(sources.filter(message__in=shown).select_related("fact__agent"))
    marked = [mark_message(message, spans, fact_id) for message in shown]
    made = _made([source.fact for source in spans], fact_id)
    return {
        "said": marked,
        "earlier": shown[0].number - 1 if len(said) > MESSAGES_SHOWN else 0,
        "later": bool(shown) and shown[-1].number < talk.message_count,
        "made": made,
        "made_of_talk": len({source.fact_id for source in spans}),
        "fact_id": fact_id,
    }


def _number(visit: Visit) -> int | None:
    value = visit.request.GET.get("until", "")
    return int(value) if value.isdecimal() and len(value) < 9 else None


def _made(facts: list[Fact], chosen: UUID | None) -> list[Fact]:
    """The chosen fact, else all that the shown words made, each once."""
    each = {fact.pk: fact for fact in facts if fact.status != Fact.Status.FORGOTTEN}
    if chosen is not None:
        return [each[chosen]] if chosen in each else []
    return list(each.values())[:MADE_SHOWN]


def show_made(visit: Visit, subject: Subject) -> dict[str, Any]:
    """The facts that the words between two places of a message made."""
    message, start, end = key_of(visit, "m"), _place(visit, "from"), _place(visit, "to")
    sources = FactSource.objects.visible_to(subject.principal).filter(
        Q(start__lt=end, end__gt=start) | Q(end=0), message=message, message__owner_key=subject.key
    )
    facts = [source.fact for source in sources.select_related("fact__agent")[:200]]
    return {"made": _made(facts, None), "by_selection": True, "fact_id": None}


def _place(visit: Visit, name: str) -> int:
    value = visit.request.GET.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 9 else 0
