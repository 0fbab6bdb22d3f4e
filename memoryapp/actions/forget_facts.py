"""The facts that an act of forgetting takes: the one meant, every other row that says the same, and its parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.forget_reach import Reach, mentioning
from memoryapp.actions.forget_texts import MARK, WRITTEN_AT_ONCE, Removal, reindex_messages
from memoryapp.actions.statements import Statements, restored
from memoryapp.llm.language.wording import content_words
from memoryapp.models import Embedding, Fact, FactRevision, FactSource, Message
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.scoping import Scope

LABEL = Fact._meta.label


def told_by(facts: Iterable[Fact]) -> list[str]:
    """The texts of facts, of those merged into them, and their own earlier wordings that said part of the same."""
    return [text for texts in told_by_each(facts).values() for text in texts]


def told_by_each(facts: Iterable[Fact]) -> dict[UUID, list[str]]:
    """What each of the facts tells, by its key."""
    head_of = {fact.pk: fact.pk for fact in facts}
    family = generation = list(facts)
    parents: set[UUID | None] = set()
    while generation:
        ids = [fact.pk for fact in generation]
        generation = list(
            Fact.objects.filter(superseded_by__in=ids, status=Fact.Status.MERGED).exclude(pk__in=head_of)
        )
        head_of |= {fact.pk: head_of[fact.superseded_by_id] for fact in generation if fact.superseded_by_id}
        parents |= {fact.superseded_by_id for fact in generation}
        family = [*family, *generation]
    told: dict[UUID, list[str]] = {key: [] for key in head_of.values()}
    for fact in family:
        told[head_of[fact.pk]].append(fact.text)
    # What a merged fact said before is told by the ones merged into it.
    for key, text in _earlier_wordings([fact for fact in family if fact.pk not in parents]):
        told[head_of[key]].append(text)
    return told


def _earlier_wordings(facts: Sequence[Fact]) -> Iterator[tuple[UUID, str]]:
    """Texts that facts had before, where those say nothing that the facts do not say now."""
    now = {fact.pk: content_words(fact.text) for fact in facts}
    earlier = FactRevision.objects.filter(fact__in=list(now), before__text__isnull=False)
    for key, text in earlier.values_list("fact_id", "before__text"):
        if text and content_words(text) <= now[key]:
            yield key, text


def same_facts(statements: Statements, reach: Reach, meant: Sequence[Fact]) -> list[Fact]:
    """Every row within reach that says what is being forgotten and nothing else, in whatever state it is."""
    ids = {fact.pk for fact in meant}
    rows = Fact.objects.filter(reach.rows).exclude(status=Fact.Status.FORGOTTEN)
    rows = rows.filter(Q(pk__in=ids) | Q(superseded_by__in=ids) | mentioning(statements, "text"))
    found = []
    for fact in rows.order_by("pk").select_for_update():
        absorbed = fact.status == Fact.Status.MERGED and fact.superseded_by_id in ids
        if fact.pk in ids or absorbed or statements.made_by(fact.text):
            found.append(fact)
    return found


def hide_facts(facts: Sequence[Fact]) -> None:
    """Take facts out of every list and search; they can still come back."""
    Fact.objects.filter(pk__in=[fact.pk for fact in facts]).update(
        status=Fact.Status.FORGOTTEN, forgotten_at=timezone.now()
    )


def strike_longer_facts(statements: Statements, reach: Reach) -> list[Removal]:
    """Take the statements out of facts that say more than them."""
    rows = Fact.objects.filter(reach.rows).exclude(status=Fact.Status.FORGOTTEN)
    changed, removals = [], []
    for fact in (
        rows.filter(mentioning(statements, "text")).select_related("workspace").select_for_update(of=["self"])
    ):
        struck = statements.strike(fact.text)
        if struck.cuts and struck.text.strip():
            fact.text = struck.text
            changed.append(fact)
            removals.append(Removal("longer facts", LABEL, fact.pk, "text", struck.cuts, scope=fact.scope))
    _retell(changed)
    return removals


def put_back_longer_facts(removals: Sequence[Removal]) -> None:
    """Give facts their full text again."""
    rows = Fact.objects.select_related("workspace").select_for_update(of=["self"])
    facts = rows.in_bulk({removal.row for removal in removals})
    for removal in removals:
        if removal.row in facts:
            facts[removal.row].text = restored(facts[removal.row].text, removal.cuts)
    _retell(list(facts.values()))


RETOLD = ["text", "text_key", "lexemes", "length", "event_from", "event_to", "updated_at"]


def _retell(facts: Sequence[Fact]) -> None:
    """Save facts that have other texts now, and have them found by these."""
    if not facts:
        return
    for fact in facts:
        fact.text_key, fact.updated_at = text_key(fact.text), timezone.now()
    prepare_rows(facts)
    Embedding.objects.filter(fact__in=[fact.pk for fact in facts]).delete()
    Fact.objects.bulk_update(facts, RETOLD, batch_size=WRITTEN_AT_ONCE)
    store_vectors(facts)


def mask_sources(facts: Sequence[Fact]) -> list[Removal]:
    """Mark as forgotten the words of messages that the facts were made from, however differently they put it."""
    ids = [fact.pk for fact in facts]
    spans = list(FactSource.objects.filter(fact__in=ids, message__isnull=False, scope=Scope.PERSONAL))
    keys = {span.message_id for span in spans if span.message_id is not None}
    messages = Message.objects.in_bulk(keys)
    shared = _told_by_others(keys)
    before = {key: message.text for key, message in messages.items()}
    # From the end of each message, so that the places of earlier spans stay right.
    for span in sorted(spans, key=lambda span: -span.start):
        if span.message_id in messages:
            _mask(messages[span.message_id], span, shared)
    masked = [message for key, message in messages.items() if message.text != before[key]]
    if masked:
        Message.objects.bulk_update(masked, ["text"], batch_size=WRITTEN_AT_ONCE)
        reindex_messages(masked)
    label = Message._meta.label
    return [
        Removal("messages", label, each.pk, "text", before=before[each.pk], scope=Scope.PERSONAL.value)
        for each in masked
    ]


def _told_by_others(messages: Collection[UUID]) -> set[UUID]:
    """The messages from which there are facts that stay."""
    sources = FactSource.objects.filter(message__in=messages).exclude(fact__status=Fact.Status.FORGOTTEN)
    return set(sources.values_list("message_id", flat=True))


def _mask(message: Message, span: FactSource, shared: Collection[UUID]) -> None:
    """Mark the span, unless its words cannot be told from others': marked already, or a whole message of several."""
    words = message.text[span.start : span.end]
    whole = span.end - span.start >= len(message.text)
    if words.strip() and MARK not in words and not (whole and message.pk in shared):
        message.text = message.text[: span.start] + MARK + message.text[span.end :]
