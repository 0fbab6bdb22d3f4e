"""The messages of a request to forget: its own words go too, and nothing of it is read for what is worth keeping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memoryapp.actions.forget_texts import MARK, reindex_messages
from memoryapp.actions.statements import Statements, pieces
from memoryapp.actions.tombstones import Place, place_tombstones
from memoryapp.actions.turns import BegunTurn
from memoryapp.models import Conversation, Message
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# In the detail of the two messages of a turn about forgetting: what it asked about or did, as ids.
FORGETTING = "forgetting"


def note_forgetting(*, principal: Principal, turn: BegunTurn, detail: dict[str, Any]) -> None:
    """Note of a message that it was about forgetting, and of the reply's place what it asked about or did."""
    with workspace_scope(principal.workspace):
        turn.said.refresh_from_db()
        turn.said.detail = {**turn.said.detail, FORGETTING: {}}
        turn.said.save(update_fields=["detail", "updated_at"])
        turn.reply.detail = {**turn.reply.detail, FORGETTING: detail}


def mask_request(*, principal: Principal, turn: BegunTurn, sentence: str) -> None:
    """Take the words of a request that has been carried out from the message that made it."""
    with workspace_scope(principal.workspace):
        turn.said.refresh_from_db()
        words = sentence.strip()
        if words and words in turn.said.text:
            _retitle(turn.conversation, words)
            _tell_anew([(turn.said, turn.said.text.replace(words, MARK))])


def withhold_message(*, principal: Principal, turn: BegunTurn, number: int) -> None:
    """Take a whole message of the person's back, and what the answers to it repeat of it; no reading brings it back."""
    with workspace_scope(principal.workspace):
        rows = Message.objects.filter(conversation=turn.conversation, number__gte=number)
        said = rows.filter(number=number, role=Message.Role.USER).first()
        if said is None or said.text == MARK:
            return
        told = pieces(said.text)
        place = Place(said.agent_id, Scope.PERSONAL.value, said.owner_key)
        place_tombstones(principal, place, [(piece, None) for piece in told])
        _retitle(turn.conversation, said.text)
        echoes = Statements(told)
        replies = rows.filter(role=Message.Role.ASSISTANT, state=Message.State.COMPLETE)
        struck = [(reply, echoes.strike(reply.text, MARK)) for reply in replies]
        _tell_anew([(said, MARK), *((reply, left.text) for reply, left in struck if left.cuts)])


def _tell_anew(changed: Sequence[tuple[Message, str]]) -> None:
    for message, text in changed:
        message.text = text
        message.save(update_fields=["text", "updated_at"])
    reindex_messages([message for message, _ in changed])


def _retitle(conversation: Conversation, words: str) -> None:
    """A conversation is called after its first message: with that, its name goes."""
    start = words.strip().splitlines()[0] if words.strip() else ""
    if start and conversation.title and (start.startswith(conversation.title) or start in conversation.title):
        conversation.title = MARK
        Conversation.objects.filter(pk=conversation.pk).update(title=MARK)
