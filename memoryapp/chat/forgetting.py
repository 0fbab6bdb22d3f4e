"""“Forget that”, said in a chat: found, asked about when several things may be meant, done at once, taken back.

It needs no model, so it works the same with any and with none. What was asked and what was done stand in the reply's
detail as ids; no word of what went stands anywhere afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.forget import forget_facts, load_forgetting, undo_forget
from memoryapp.actions.forget_requests import FORGETTING, mask_request, withhold_message
from memoryapp.actions.statements import Statements
from memoryapp.actions.turns import BegunTurn
from memoryapp.chat.forget_matching import find_meant, own_facts
from memoryapp.chat.forget_words import is_about_forgetting, language_of, tell
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.llm.backends.offline.reply import QUESTION
from memoryapp.llm.language.forget_talk import (
    Request,
    agrees,
    calls_off,
    chosen_among,
    means_all,
    means_other,
    points_back,
    request_in,
    sentences_of,
    takes_back,
)
from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.models import Agent, Fact, Message, WorkspaceFile
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# A reply tells a fact when it has at least this share of the fact's own words.
TOLD_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class ForgetReply:
    """What is answered, and what the next message may go on with."""

    text: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Talk:
    """Where a request to forget was made, in which words and language: the row itself may lose them on the way."""

    principal: Principal
    agent: Agent
    begun: BegunTurn
    said: str
    language: str

    @classmethod
    def of(cls, principal: Principal, agent: Agent, begun: BegunTurn) -> Talk:
        said = begun.said.text
        language = language_of(said, *(earlier.text for earlier in reversed(begun.history[-4:])))
        return cls(principal, agent, begun, said, language)

    def answer(self, key: str, named: Sequence[Fact] = (), count: int = 0, **detail: Any) -> ForgetReply:
        """One of the fixed answers, with what the next message may be about."""
        text = tell(key, self.language, [fact.text for fact in named], count)
        return ForgetReply(text, detail)

    def facts(self, ids: Sequence[str]) -> list[Fact]:
        """The facts of these ids that still stand, in the order in which they were named."""
        with workspace_scope(self.principal.workspace):
            rows = Fact.objects.visible_to(self.principal).filter(agent=self.agent, pk__in=ids)
            known = {str(fact.pk): fact for fact in rows.exclude(status=Fact.Status.FORGOTTEN)}
        return [known[key] for key in ids if key in known]


def answer_forgetting(talk: Talk) -> ForgetReply | None:
    """Do what a message asks for about forgetting, and say what was done; None when it asks for nothing of the kind."""
    before = talk.begun.history[-1] if talk.begun.history else None
    if before is not None and is_about_forgetting(before.text):
        answered = _go_on(talk, before.number)
        if answered is not None:
            return answered
    try:
        return _begin(talk)
    except NotPermitted:
        return talk.answer("off")


def asks_to_forget(said: str) -> bool:
    """Whether a message asks for nothing but forgetting, so that no model is asked when it is plain what is meant."""
    sentences = sentences_of(said)
    return bool(sentences) and all(points_back(each) or request_in(each) for each in sentences)


def _begin(talk: Talk) -> ForgetReply | None:
    """A request made afresh. One beside other things is done when it is clear, and the rest is answered as ever."""
    sentences = sentences_of(talk.said)
    if len(sentences) == 1 and points_back(sentences[0]):
        return _forget_last(talk)
    requests = [request for sentence in sentences if (request := request_in(sentence))]
    if not requests:
        return None
    answers = [_answer_one(talk, request) for request in requests]
    answers = [answer for answer in answers if answer is not None]
    return answers[-1] if answers and len(requests) == len(sentences) else None


def _answer_one(talk: Talk, request: Request) -> ForgetReply | None:
    if request.means_person:
        with workspace_scope(talk.principal.workspace):
            count = own_facts(talk.principal, talk.agent).count()
        return talk.answer("everything", count=count, person=True) if count else None
    match = find_meant(talk.principal, talk.agent, request)
    if match.meant:
        return _forget(talk, match.meant, request, others=match.others)
    if match.maybe:
        key = "this" if len(match.maybe) == 1 else "which"
        return talk.answer(key, match.maybe, asked=_ids(match.maybe))
    return _forget_unkept(talk, request)


def _forget(
    talk: Talk, facts: Sequence[Fact], request: Request | None = None, others: Sequence[Fact] = ()
) -> ForgetReply:
    forget_facts(principal=talk.principal, facts=facts)
    mask_request(principal=talk.principal, turn=talk.begun, sentence=request.sentence if request else "")
    # What was asked before it was clear names what went as well.
    key = "forgotten" if len(facts) == 1 else "forgotten_many"
    return talk.answer(key, count=len(facts), done=_ids(facts), others=_ids(others))


def _ids(facts: Sequence[Fact]) -> list[str]:
    return [str(fact.pk) for fact in facts]


def _forget_unkept(talk: Talk, request: Request) -> ForgetReply | None:
    """Forget what stands in the talk or in the person's files only, by way of a fact that says it."""
    statements = Statements([request.what])
    spoken = any(statements.inside(earlier.text) for earlier in talk.begun.history if earlier.role == "user")
    if not spoken and not _stands_in_files(talk, statements):
        return None
    new = NewFact(text=request.what, origin=Fact.Origin.CHAT)
    fact = add_fact(principal=talk.principal, agent=talk.agent, new=new, lift_tombstone=True).fact
    return _forget(talk, [fact], request)


def _stands_in_files(talk: Talk, statements: Statements) -> bool:
    with workspace_scope(talk.principal.workspace):
        files = WorkspaceFile.objects.owned_by(talk.principal).filter(agent=talk.agent, scope=Scope.PERSONAL)
        for hint in statements.hints[:1]:
            files = files.filter(content__icontains=hint)
        return any(statements.inside(text) for text in files.values_list("content", flat=True).iterator(50))


def _forget_last(talk: Talk) -> ForgetReply | None:
    """“Forget that”: what the last reply told when it answered a question, else what the person just said."""
    spoken = [earlier for earlier in talk.begun.history if earlier.role == "user"]
    if not spoken:
        return None
    if QUESTION.search(spoken[-1].text):
        told = _told_by_last_reply(talk)
        if len(told) > 1:
            return talk.answer("which", told, asked=_ids(told))
        return _forget(talk, told) if told else None
    return _forget_said(talk, spoken[-1].number)


def _told_by_last_reply(talk: Talk) -> list[Fact]:
    with workspace_scope(talk.principal.workspace):
        reply = Message.objects.filter(
            conversation=talk.begun.conversation, number=talk.begun.history[-1].number
        ).first()
        noted = reply.detail.get("recalled", []) if reply else []
    facts = talk.facts([item["id"] for item in noted if item["kind"] == "fact"])
    text = reply.text if reply else ""
    return [fact for fact in facts if fact.scope == Scope.PERSONAL and _tells(text, fact.text)][:5]


def _tells(reply: str, fact: str) -> bool:
    words = frozenset(word for word in content_words(fact) if not is_weak(word))
    return fact in reply or (bool(words) and len(words & content_words(reply)) >= TOLD_SHARE * len(words))


def _forget_said(talk: Talk, number: int) -> ForgetReply:
    """Forget a message of the person's and whatever was kept of it."""
    with workspace_scope(talk.principal.workspace):
        made = own_facts(talk.principal, talk.agent).filter(
            sources__message__conversation=talk.begun.conversation, sources__message__number=number
        )
        facts = list(made.distinct())
    if facts:
        forget_facts(principal=talk.principal, facts=facts)
    withhold_message(principal=talk.principal, turn=talk.begun, number=number)
    if facts:
        return talk.answer(
            "forgotten" if len(facts) == 1 else "forgotten_many", count=len(facts), done=_ids(facts)
        )
    return talk.answer("dropped")


def _go_on(talk: Talk, number: int) -> ForgetReply | None:
    """An answer to what was asked or done; None when the message is about something else."""
    with workspace_scope(talk.principal.workspace):
        reply = Message.objects.filter(conversation=talk.begun.conversation, number=number).first()
    pending = reply.detail.get(FORGETTING) if reply else None
    if not pending:
        return None
    if "done" in pending:
        return _after_done(talk, pending)
    if calls_off(talk.said):
        return talk.answer("kept")
    if pending.get("person"):
        return _forget_person(talk) if agrees(talk.said) or means_all(talk.said) else None
    return _after_question(talk, talk.facts(pending["asked"]))


def _after_question(talk: Talk, named: list[Fact]) -> ForgetReply | None:
    if len(named) == 1 and agrees(talk.said):
        return _forget(talk, named)
    if request_in(talk.said) is not None and not means_all(talk.said):
        return None
    chosen = chosen_among(talk.said, [fact.text for fact in named])
    if not chosen:
        # Agreement with several says not which.
        return talk.answer("which", named, asked=_ids(named)) if named and agrees(talk.said) else None
    others = [fact for place, fact in enumerate(named) if place not in chosen]
    return _forget(talk, [named[place] for place in chosen], others=others)


def _after_done(talk: Talk, pending: dict[str, Any]) -> ForgetReply | None:
    """Take back what was done: for good, or because the other was meant."""
    other = means_other(talk.said)
    if not (other or takes_back(talk.said) or calls_off(talk.said)):
        return None
    try:
        act = load_forgetting(talk.principal, talk.agent, pending["done"][0])
        undo_forget(principal=talk.principal, forgetting=act)
    except (Conflict, NotFound):
        return talk.answer("late")
    others = talk.facts(pending.get("others", []))
    if not other:
        return talk.answer("back")
    if not others:
        return talk.answer("unclear")
    if len(others) == 1:
        return _forget(talk, others, others=talk.facts(pending["done"]))
    return talk.answer("which", others, asked=_ids(others))


def _forget_person(talk: Talk) -> ForgetReply:
    with workspace_scope(talk.principal.workspace):
        facts = list(own_facts(talk.principal, talk.agent))
    return _forget(talk, facts) if facts else talk.answer("unknown")
