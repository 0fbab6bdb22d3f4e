"""`/v1/chat/completions`: an agent answers by its slug, any other model through us; both with memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import default_agent, load_agent
from memoryapp.chat.replies import TurnReply
from memoryapp.chat.returning import events_of_reply, tell
from memoryapp.chat.streaming import stream_turn
from memoryapp.chat.turns import OpenTurn, Said, answer_turn, open_turn
from memoryapp.compat.openai.answers import chunks, whole
from memoryapp.compat.openai.base import OpenAIView
from memoryapp.compat.openai.proxy import forward
from memoryapp.compat.openai.requests import Asked, read_asked
from memoryapp.compat.openai.talks import find_talk, named_talk
from memoryapp.exceptions import NotFound
from memoryapp.models import Agent
from tenants.principals import Principal

CHANNEL = "openai"


class ChatCompletionsView(OpenAIView):
    def post(self, request: Request) -> HttpResponseBase:
        """Say something and be answered from what is known; what is worth keeping is kept."""
        asked = read_asked(self.body)
        talk = named_talk(request.headers.get("X-Conversation-Id"))
        principal = self.acting()
        agent = self._named_agent(principal, asked.model)
        if agent is None:
            return forward(principal, self._agent_beside(principal), asked, self.body, talk)
        return self._answer(principal, agent, asked, talk)

    @staticmethod
    def _named_agent(principal: Principal, model: str) -> Agent | None:
        try:
            return load_agent(principal, model)
        except NotFound:
            return None

    def _agent_beside(self, principal: Principal) -> Agent:
        """The agent whose memory goes with a model that is none itself."""
        named = self.request.headers.get("X-Agent")
        return load_agent(principal, named) if named else default_agent(principal)

    def _answer(
        self, principal: Principal, agent: Agent, asked: Asked, named: str | None
    ) -> HttpResponseBase:
        key = self.request.headers.get("Idempotency-Key", "").strip()
        talk = find_talk(principal, agent, asked, named, key)
        said = Said(
            agent=str(agent.pk), text=asked.text, conversation=talk, channel=CHANNEL, idempotency_key=key
        )
        turn = open_turn(principal=principal, said=said)
        if isinstance(turn, OpenTurn):
            turn = turn.asked_with(asked.instructions, **asked.settings)
        return self._streamed(turn, asked) if asked.stream else self._whole(turn, asked)

    @staticmethod
    def _whole(turn: OpenTurn | TurnReply, asked: Asked) -> HttpResponseBase:
        reply = turn if isinstance(turn, TurnReply) else answer_turn(turn)
        return Response(whole(reply, asked.model), headers={"X-Conversation-Id": reply.conversation})

    @staticmethod
    def _streamed(turn: OpenTurn | TurnReply, asked: Asked) -> HttpResponseBase:
        if isinstance(turn, OpenTurn):
            events, talk = stream_turn(turn), turn.begun.conversation.external_id
        else:
            events, talk = tell(str(turn.message_id), events_of_reply(turn)), turn.conversation
        return event_stream(chunks(events, asked.model, with_usage=asked.with_usage), talk)


def event_stream(pieces: AsyncGenerator[bytes, None], talk: str) -> StreamingHttpResponse:
    """Server-sent events that no proxy in between holds back."""
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no", "X-Conversation-Id": talk}
    return StreamingHttpResponse(pieces, content_type="text/event-stream", headers=headers)
