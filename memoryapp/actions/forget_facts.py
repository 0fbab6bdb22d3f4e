"""The facts that an act of forgetting takes: the one meant, every other row that says the same, and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils import timezone

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.forget_reach import Reach, mentioning
from memoryapp.actions.forget_texts import MARK, Removal
from memoryapp.actions.statements import Statements, restored
from memoryapp.llm.language.wording import content_words
from memoryapp.models import Fact, FactRevision, FactSource, Message
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from tenants.scoping import Scope

LABEL = Fact._meta.label


def told_by(facts: Iterable[Fact]) -> list[str]:
    """The texts of facts, of those merged into them, and their own earlier wordings that said part of the same."""
    family = list(facts)
    ids = [fact.pk for fact in family]
    absorbed = list(Fact.objects.filter(superseded_by__in=ids, status=Fact.Status.MERGED))
    if absorbed:
        return [*(fact.text for fact in family), *told_by(absorbed)]
    now = {fact.pk: content_words(fact.text) for fact in family}
    earlier = FactRevision.objects.filter(fact__in=ids, before__text__isnull=False)
    parts = [
        text
        for pk, text in earlier.values_list("fact_id", "before__text")
        if text and content_words(text) <= now[pk]
    ]
    return [*(fact.text for fact in family), *parts]


def same_facts(statements: Statements, reach: Reach, meant: Sequence[Fact]) -> list[Fact]:
    """Every row within reach that says what is being forgotten and nothing else, in whatever state it is."""
    ids = [fact.pk for fact in meant]
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
    removals = []
    for fact in rows.filter(mentioning(statements, "text")).select_for_update():
        struck = statements.strike(fact.text)
        if struck.cuts and struck.text.strip():
            _retell(fact, struck.text)
            removals.append(Removal("longer facts", LABEL, fact.pk, "text", struck.cuts, scope=fact.scope))
    return removals


def put_back_longer_facts(removals: Iterable[Removal]) -> None:
    """Give facts their full text again."""
    for removal in removals:
        fact = Fact.objects.filter(pk=removal.row).select_for_update().first()
        if fact is not None:
            _retell(fact, restored(fact.text, removal.cuts))


def _retell(fact: Fact, text: str) -> None:
    fact.text, fact.text_key = text, text_key(text)
    prepare_rows([fact])
    fact.embeddings.all().delete()
    fact.save()
    store_vectors([fact])


def mask_sources(facts: Sequence[Fact]) -> list[Removal]:
    """Mark as forgotten the words of messages that the facts were made from, however differently they put it."""
    spans = FactSource.objects.filter(fact__in=facts, message__isnull=False, scope=Scope.PERSONAL)
    removals = []
    for span in spans.select_related("message").order_by("message_id", "-start"):
        message = span.message
        if message is None or _covers_other_facts(span, message):
            continue
        before = message.text
        message.text = before[: span.start] + MARK + before[span.end :]
        prepare_rows([message])
        message.save(update_fields=["text", "lexemes", "length"])
        removals.append(
            Removal("messages", Message._meta.label, message.pk, "text", before=before, scope=span.scope)
        )
    return removals


def _covers_other_facts(span: FactSource, message: Message) -> bool:
    """Whether the span cannot tell this fact's words from others': masked already, or a whole message of several."""
    if not message.text[span.start : span.end].strip() or MARK in message.text[span.start : span.end]:
        return True
    whole = span.end - span.start >= len(message.text)
    others = FactSource.objects.filter(message=message).exclude(fact=span.fact_id)
    return whole and others.exclude(fact__status=Fact.Status.FORGOTTEN).exists()
