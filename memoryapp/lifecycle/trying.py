"""Trying memory rules on a conversation that somebody pastes: the real reading and the real gates, nothing stored."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.overlay_rules import checked_overlay_rules
from memoryapp.exceptions import ModelUnavailable, ValidationFailed
from memoryapp.lifecycle.asking import ask_model
from memoryapp.lifecycle.background import Background
from memoryapp.lifecycle.judging import judge_reply
from memoryapp.lifecycle.off_record import take_off_record
from memoryapp.lifecycle.reading import Judged, Reading
from memoryapp.lifecycle.transcripts import Stretch, transcribe
from memoryapp.llm.errors import ModelError
from memoryapp.llm.tasks import Candidate
from memoryapp.model_settings import client_for
from memoryapp.models import Agent, Conversation, Message
from tenants.principals import Principal

LONGEST_TRIAL = 20_000
MOST_MESSAGES = 60
USER_WORDS = "user|me|person|human|customer|usuario|usuaria|nutzer|nutzerin|用户|我|ユーザー"
AGENT_WORDS = "assistant|agent|ai|bot|asistente|assistent|assistentin|助手|助理|アシスタント"


@dataclass(frozen=True, slots=True)
class TrialItem:
    """One candidate: whether it would be kept, as what and how long, else which gate stopped it and why."""

    accepted: bool
    text: str
    op: str = ""
    category: str = ""
    quote: str = ""
    kept_days: int | None = None
    expires: date | None = None
    gate: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """What rules make of a conversation."""

    messages: int
    items: tuple[TrialItem, ...]
    daily_entry: str
    reason: str

    @property
    def kept(self) -> list[TrialItem]:
        return [item for item in self.items if item.accepted]

    @property
    def refused(self) -> list[TrialItem]:
        return [item for item in self.items if not item.accepted]


def try_rules(
    *,
    principal: Principal,
    agent: Agent,
    conversation: str,
    overlay: str | None = None,
    rules: dict[str, Any] | None = None,
) -> Trial:
    """What the agent would keep of a pasted conversation, as of somebody it knows nothing of; nothing is stored.

    `overlay` and `rules` stand in for the agent's own, so that they can be tried before they are saved. Raises
    ValidationFailed, and ModelUnavailable when the model cannot answer. Not inside a scope: a model may be asked.
    """
    tried = _with_rules(agent, overlay, rules)
    stretch = _stretch_of(principal, tried, parse_talk(conversation, agent.name))
    transcript = transcribe(stretch, principal.workspace)
    reading = Reading(principal, tried, stretch, Background(), take_off_record(transcript))
    try:
        judged = judge_reply(reading, ask_model(reading, client_for(principal.workspace)))
    except ModelError as error:
        raise ModelUnavailable(error.detail, errors={"model": [error.code]}) from error
    return Trial(len(stretch.messages), tuple(_items(judged, tried)), judged.daily_entry, judged.reason)


def _with_rules(agent: Agent, overlay: str | None, rules: dict[str, Any] | None) -> Agent:
    """The agent under other rules, never to be saved."""
    tried = copy.copy(agent)
    if overlay is not None:
        if overlay not in Agent.Overlay.values:
            raise ValidationFailed.of("overlay", f"One of {', '.join(Agent.Overlay.values)}.")
        tried.overlay = overlay
    if rules is not None:
        tried.overlay_rules = checked_overlay_rules(rules)
    return tried


def parse_talk(text: str, agent_name: str = "") -> list[tuple[str, str]]:
    """Plain lines "User: …" and "Assistant: …" as roles and texts; a line without a label goes on, the first is theirs.

    Raises ValidationFailed when there is nothing in it, or too much.
    """
    if len(text) > LONGEST_TRIAL:
        raise ValidationFailed.of("conversation", f"At most {LONGEST_TRIAL:,} characters.")
    agents = f"{AGENT_WORDS}|{re.escape(agent_name)}" if agent_name.strip() else AGENT_WORDS
    label = re.compile(
        rf"\s*(?:(?P<user>{USER_WORDS})|(?P<agent>{agents}))\s*[:：]\s*(?P<rest>.*)", re.IGNORECASE
    )
    said: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        found = label.fullmatch(line)
        if found:
            role = Message.Role.USER if found["user"] else Message.Role.ASSISTANT
            said.append((role, [found["rest"]]))
        elif said:
            said[-1][1].append(line)
        elif line.strip():
            said.append((Message.Role.USER, [line]))
    talk = [(role, "\n".join(lines).strip()) for role, lines in said]
    talk = [(role, words) for role, words in talk if words]
    if not any(role == Message.Role.USER for role, _ in talk):
        raise ValidationFailed.of("conversation", "Write what a person says, in lines such as “User: …”.")
    limit = settings.MEMORY_MAX_TRANSCRIPT_MESSAGES or MOST_MESSAGES
    if len(talk) > limit:
        raise ValidationFailed.of(
            "conversation", f"At most {limit} messages: a reading takes no more at once."
        )
    return talk


def _stretch_of(principal: Principal, agent: Agent, talk: Sequence[tuple[str, str]]) -> Stretch:
    now = timezone.now()
    conversation = Conversation(workspace=principal.workspace, agent=agent, owner_key=principal.owner_key)
    messages = [
        Message(conversation=conversation, number=number, role=role, text=text, said_at=now)
        for number, (role, text) in enumerate(talk, start=1)
    ]
    return Stretch(conversation, tuple(messages), principal.workspace.zone)


def _items(judged: Judged, agent: Agent) -> list[TrialItem]:
    kept = [_kept(candidate, agent) for candidate in judged.candidates]
    refused = [
        TrialItem(False, refusal.text, gate=refusal.gate, reason=refusal.reason)
        for refusal in judged.refusals
    ]
    return [*kept, *refused]


def _kept(candidate: Candidate, agent: Agent) -> TrialItem:
    return TrialItem(
        True,
        candidate.text,
        op=candidate.op.value,
        category=candidate.category,
        quote=candidate.quote,
        kept_days=agent.traits_of(candidate.category).kept_days,
        expires=candidate.expires,
    )
