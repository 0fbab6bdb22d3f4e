"""From judged candidates to changed facts: each operation by itself, so that one that cannot be done stops no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import regex
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp.actions.access import writing_scope
from memoryapp.actions.fact_lifecycle import delete_fact, merge_facts, retire_fact, supersede_fact
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.fact_text import text_key
from memoryapp.actions.facts import Forgotten, NewFact, add_fact, update_fact
from memoryapp.actions.forget import forget_fact
from memoryapp.actions.tombstones import digests_of
from memoryapp.exceptions import MemoryAppError
from memoryapp.lifecycle.background import Background
from memoryapp.lifecycle.given import given_with
from memoryapp.lifecycle.transcripts import Stretch
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.requests import asked_to_forget
from memoryapp.llm.tasks import Candidate, Operation, Refusal
from memoryapp.models import Agent, Conversation, Fact, FactRevision, Message, Tombstone
from tenants.principals import Principal
from tenants.scoping import Scope

LOW_CONFIDENCE = 0.7
STANDING = (Fact.Status.ACTIVE, Fact.Status.PENDING)
SPACES = regex.compile(r"\s+")
# Typographic marks as they are typed, one for one, so that places stay where they are.
PLAIN_MARKS = str.maketrans("’‘ʼ“”„‐‑–—", "'''\"\"\"----")
SENTENCE_END = regex.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing an extraction did to the facts."""

    op: Operation
    fact: Fact
    before: str = ""

    def as_json(self) -> dict[str, Any]:
        """What the conversation's account keeps: no text, which would outlive the fact's forgetting."""
        return {"op": self.op.value, "factId": str(self.fact.pk), "category": self.fact.category}


class NotApplied(Exception):
    """An accepted candidate that could not be carried out, at which gate and why."""

    def __init__(self, gate: str, reason: str) -> None:
        super().__init__(reason)
        self.gate, self.reason = gate, reason


@dataclass(frozen=True, slots=True)
class FactWriter:
    """Carries out candidates for one owner, out of one stretch of conversation."""

    principal: Principal
    agent: Agent
    stretch: Stretch
    background: Background

    def carry_out(self, candidate: Candidate) -> Change | Refusal:
        """Do what the candidate proposes; a Refusal when it cannot be done."""
        try:
            # A savepoint: a refusal of one operation must not undo the others.
            with transaction.atomic():
                return self._do(candidate)
        except NotApplied as error:
            return Refusal(candidate.text, error.gate, error.reason)
        except Forgotten:
            return Refusal(
                "", "forgotten", "This was forgotten on request; only saying it again brings it back."
            )
        except MemoryAppError as error:
            return Refusal(candidate.text, error.code, error.detail)

    def say_again(self, candidate: Candidate) -> None:
        """Note that the person has said a known fact once more: it is confirmed, and rests on one more place."""
        known = self._still_standing(self.background.fact(candidate.target))
        if known is None or not self._user_messages(candidate):
            return
        repeated = NewFact(
            text=known.text,
            category=known.category,
            run_id=known.run_id,
            origin=self._origin,
            said_at=known.said_at,
            expires_at=self._expiry(candidate, known.category),
        )
        add_fact(principal=self.principal, agent=self.agent, new=repeated, sources=self.spans(candidate))

    def _still_standing(self, known: Fact | None) -> Fact | None:
        """The known fact as it is now, None when it is known no more: it must not come back by being repeated."""
        if known is None:
            return None
        return (
            Fact.objects.select_for_update().filter(pk=known.pk, text=known.text, status__in=STANDING).first()
        )

    def _do(self, candidate: Candidate) -> Change:
        match candidate.op:
            case Operation.ADD:
                return self._add(candidate)
            case Operation.UPDATE:
                return self._update(candidate, self._target(candidate.target))
            case Operation.DELETE:
                return self._delete(self._target(candidate.target))
            case Operation.NONE:
                raise NotApplied("none", "The model proposed to do nothing.")

    def _target(self, number: int | None) -> Fact:
        fact = self.background.fact(number)
        if fact is None:
            raise NotApplied("target", f"There is no known fact {number}.")
        return fact

    def _add(self, candidate: Candidate) -> Change:
        added = self._new_fact(candidate)
        return Change(Operation.ADD if added.created else Operation.NONE, added.fact)

    def _new_fact(self, candidate: Candidate) -> Any:
        new = NewFact(
            text=candidate.text,
            category=candidate.category,
            importance=candidate.importance,
            confidence=candidate.confidence,
            language=detect_language(candidate.text),
            attributed_to=Fact.Source.USER if self._user_messages(candidate) else Fact.Source.AGENT,
            origin=self._origin,
            said_at=self._twin_time(candidate.text) or self.stretch.said_at,
            expires_at=self._expiry(candidate),
            pending=self._needs_review(candidate),
        )
        return add_fact(
            principal=self.principal,
            agent=self.agent,
            new=given_with(self._evidence(candidate) or self.stretch.messages).put_on(new),
            sources=self.spans(candidate),
            lift_tombstone=self._said_again(candidate),
            reason="extracted",
        )

    def _update(self, candidate: Candidate, fact: Fact) -> Change:
        if fact.said_at > self.stretch.said_at:
            raise NotApplied("novelty", "What is known was said later than this.")
        others = [
            self._target(number) for number in dict.fromkeys(candidate.also) if number != candidate.target
        ]
        if fact.immutable:
            return self._replace(candidate, fact, others)
        before = fact.text
        absorbed = [other for other in others if not other.immutable]
        if absorbed:
            merge_facts(
                principal=self.principal,
                keep=fact,
                absorbed=absorbed,
                text=candidate.text,
                by_model=True,
                reason="extracted",
            )
        changed = update_fact(
            principal=self.principal,
            fact=fact,
            by_model=True,
            sources=self.spans(candidate),
            reason="extracted",
            origin=self._origin,
            text=candidate.text,
            said_at=self.stretch.said_at,
            expires_at=self._expiry(candidate, fact.category),
            category=candidate.category or fact.category,
        )
        return Change(Operation.UPDATE, changed, before)

    def _replace(self, candidate: Candidate, old: Fact, others: Sequence[Fact]) -> Change:
        """An immutable fact is never rewritten; what the person has said since takes its place."""
        if not self._user_messages(candidate):
            raise NotApplied("immutable", "Only the person's own word replaces this fact.")
        category = candidate.category or old.category
        added = self._new_fact(candidate.model_copy(update={"category": category}))
        for outdated in (old, *others):
            if added.fact.pk != outdated.pk:
                supersede_fact(principal=self.principal, old=outdated, new=added.fact, reason="extracted")
        return Change(Operation.UPDATE, added.fact, old.text)

    def _delete(self, fact: Fact) -> Change:
        """What the person wants forgotten goes everywhere; what is merely over or absorbed stays in history."""
        before = fact.text
        if not self._asked_to_forget():
            status, operation = Fact.Status.SUPERSEDED, FactRevision.Operation.SUPERSEDE
            over = self.stretch.said_at
            retire_fact(self.principal, fact, status, operation, into=None, ended_at=over, reason="extracted")
        elif settings.MEMORY_FACT_FORGET_ENABLED:
            forget_fact(principal=self.principal, fact=fact)
        else:
            delete_fact(principal=self.principal, fact=fact)
        return Change(Operation.DELETE, fact, before)

    def _asked_to_forget(self) -> bool:
        sentences = (part for text in self.stretch.user_texts for part in SENTENCE_END.split(text))
        return any(asked_to_forget(sentence) for sentence in sentences)

    @property
    def _origin(self) -> str:
        origins = {Conversation.Trigger.IMPORT: Fact.Origin.IMPORT, Conversation.Trigger.API: Fact.Origin.API}
        return origins.get(Conversation.Trigger(self.stretch.conversation.trigger), Fact.Origin.CHAT)

    def _evidence(self, candidate: Candidate) -> list[Message]:
        numbers = [
            number
            for number in dict.fromkeys(candidate.evidence)
            if 1 <= number <= len(self.stretch.messages)
        ]
        return [self.stretch.messages[number - 1] for number in numbers]

    def _user_messages(self, candidate: Candidate) -> list[Message]:
        return [message for message in self._evidence(candidate) if message.role == Message.Role.USER]

    def spans(self, candidate: Candidate) -> list[SourceSpan]:
        """Where the candidate was said: the quoted words where they stand in a message, else the whole messages."""
        evidence = self._evidence(candidate) or [
            message for message in self.stretch.messages if _find(candidate.quote, message.text)
        ]
        quoted = [(message, _find(candidate.quote, message.text)) for message in evidence]
        exact = [SourceSpan(message=message, start=span[0], end=span[1]) for message, span in quoted if span]
        return exact or [SourceSpan(message=message) for message in evidence]

    def _needs_review(self, candidate: Candidate) -> bool:
        mode = self.agent.review_mode
        doubtful = candidate.confidence < LOW_CONFIDENCE
        return mode == Agent.ReviewMode.ALL or (mode == Agent.ReviewMode.LOW_CONFIDENCE and doubtful)

    def _expiry(self, candidate: Candidate, category: str = "") -> datetime | None:
        """When it stops mattering: as it says itself, else by its category from the last mention or date it names."""
        if candidate.expires is not None:
            return datetime.combine(candidate.expires + timedelta(days=1), time.min, self.stretch.zone)
        kept_days = self.agent.traits_of(candidate.category or category).kept_days
        if kept_days is None:
            return None
        # An imported conversation counts from now: it is being mentioned to us now.
        latest = timezone.now()
        if candidate.event_date is not None:
            latest = max(latest, datetime.combine(candidate.event_date, time.min, self.stretch.zone))
        return latest + timedelta(days=kept_days)

    def _bucket(self) -> dict[str, Any]:
        scope, owner_key = writing_scope(self.principal, Scope.PERSONAL)
        return {
            "workspace": self.principal.workspace,
            "agent": self.agent,
            "scope": scope,
            "owner_key": owner_key,
        }

    def _twin_time(self, text: str) -> datetime | None:
        """When the same fact was said before: a mention in another conversation confirms it rather than repeat it."""
        bucket = Fact.objects.filter(**self._bucket())
        twins = bucket.filter(text_key=text_key(text), status__in=STANDING, run_id="").unexpired()
        said: datetime | None = twins.order_by("created_at").values_list("said_at", flat=True).first()
        return said

    def _said_again(self, candidate: Candidate) -> bool:
        """Whether the person said it after it was forgotten, which takes the forgetting back."""
        said = max((message.created_at for message in self._user_messages(candidate)), default=None)
        if said is None:
            return False
        digests = digests_of(candidate.text)
        return not Tombstone.objects.filter(
            **self._bucket(), digest__in=digests, created_at__gte=said
        ).exists()


def _find(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands in the text, white space, case and the shape of marks apart."""
    words, text = SPACES.split(quote.strip().translate(PLAIN_MARKS)), text.translate(PLAIN_MARKS)
    if not any(words):
        return None
    found = regex.search(r"\s+".join(regex.escape(word) for word in words), text, regex.IGNORECASE)
    return found.span() if found else None
