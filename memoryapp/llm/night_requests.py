"""The requests of the night: what a model is told about conflicts, dreams, consolidation and the persona."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from memoryapp.llm.night_tasks import (
    ConflictInput,
    ConflictReply,
    ConsolidationInput,
    ConsolidationReply,
    DatedFact,
    DreamInput,
    DreamReply,
    SoulInput,
    SoulReply,
)
from memoryapp.llm.structured import reply_schema
from memoryapp.llm.transcript import LINE_ENDS, NOTHING, format_file
from memoryapp.llm.types import ChatMessage, ChatRequest
from memoryapp.prompts import render_prompt

FOCUS = "Look only at what has to do with this topic: {topic}."


def build_conflict_request(task: ConflictInput, *, model: str = "") -> ChatRequest:
    """The request that asks which pairs of facts contradict each other."""
    prompt = render_prompt(
        "conflicts",
        today=task.today.isoformat(),
        facts=_listed(task.facts),
        pairs=", ".join(f"{a} and {b}" for a, b in task.pairs) or NOTHING,
        schema=_schema(ConflictReply),
    )
    return ChatRequest(
        (ChatMessage("user", prompt),), model=model, task="conflicts", context=task, temperature=0.0
    )


def build_dream_request(task: DreamInput, *, model: str = "", max_tokens: int | None = None) -> ChatRequest:
    """The request that asks for the new text of a bucket's MEMORY.md."""
    candidates = [f"{one.number}. ({one.score:.2f}, {one.why}) {_line(one.text)}" for one in task.candidates]
    user = render_prompt(
        "dream_user",
        today=task.today.isoformat(),
        focus=FOCUS.format(topic=_line(task.topic)) if task.topic else "",
        memory=format_file("MEMORY.md", task.memory),
        protected=_joined(task.protected),
        outdated=_joined(task.outdated),
        conflicts="\n".join(f"- {_line(pair)}" for pair in task.conflicts) or NOTHING,
        candidates="\n".join(candidates) or NOTHING,
        notes="\n\n".join(format_file(f"note of {note.day}", note.text) for note in task.notes) or NOTHING,
        max_chars=task.limit or "any number of",
    )
    messages = (
        ChatMessage("system", render_prompt("dream_system", schema=_schema(DreamReply))),
        ChatMessage("user", user),
    )
    return ChatRequest(
        messages,
        model=model,
        task="focused_dream" if task.topic else "dream",
        context=task,
        max_tokens=max_tokens,
        temperature=0.0,
    )


def build_consolidation_request(task: ConsolidationInput, *, model: str = "") -> ChatRequest:
    """The request that asks for fewer always-on entries which say the same."""
    prompt = render_prompt(
        "consolidate",
        today=task.today.isoformat(),
        entries=_listed(task.entries, fixed=task.fixed),
        schema=_schema(ConsolidationReply),
    )
    return ChatRequest(
        (ChatMessage("user", prompt),), model=model, task="consolidate", context=task, temperature=0.0
    )


def build_soul_request(task: SoulInput, *, model: str = "") -> ChatRequest:
    """The request that asks for a new persona."""
    files = {"SOUL.md": task.soul, "PROFILE.md": task.profile, "MEMORY.md": task.memory}
    prompt = render_prompt(
        "soul",
        today=task.today.isoformat(),
        word_limit=task.word_limit,
        files="\n\n".join(format_file(name, text) for name, text in files.items()),
        facts=_listed(task.facts),
        schema=_schema(SoulReply),
    )
    return ChatRequest(
        (ChatMessage("user", prompt),), model=model, task="soul", context=task, temperature=0.0
    )


def _listed(facts: Iterable[DatedFact], fixed: Iterable[int] = ()) -> str:
    unchangeable = set(fixed)
    return "\n".join(_told(fact, fact.number in unchangeable) for fact in facts) or NOTHING


def _told(fact: DatedFact, fixed: bool) -> str:
    marks = ", ".join([*(["fixed"] if fixed else []), *([fact.category] if fact.category else [])])
    said = f" (said {fact.said_at:%Y-%m-%d})" if fact.said_at else ""
    return f"{fact.number}. {f'({marks}) ' if marks else ''}{_line(fact.text)}{said}"


def _joined(texts: Sequence[str]) -> str:
    return "; ".join(_line(text) for text in texts) or NOTHING


def _line(text: str) -> str:
    return " ".join(LINE_ENDS.sub(" ", text).split())


def _schema(model_class: type[BaseModel]) -> str:
    return json.dumps(reply_schema(model_class).schema, ensure_ascii=False)
