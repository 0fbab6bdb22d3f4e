"""The request that asks a model what of a conversation is worth keeping."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from memoryapp.llm.structured import reply_schema
from memoryapp.llm.tasks import ExtractionInput, ExtractionReply, Overlay
from memoryapp.llm.transcript import format_file, format_known, format_transcript
from memoryapp.llm.types import ChatMessage, ChatRequest
from memoryapp.prompts import render_prompt


@dataclass(frozen=True, slots=True)
class FileLimits:
    """How many characters the files may have after a rewrite, 0 for no limit."""

    profile: int = 0
    memory: int = 0


def build_extraction_request(
    given: ExtractionInput,
    *,
    categories: Mapping[str, str],
    limits: FileLimits,
    max_tokens: int | None = None,
) -> ChatRequest:
    """The request for one extraction; `categories` are those a model may propose, with their descriptions."""
    own = {category.name: category.description for category in given.overlay.custom_categories}
    system = render_prompt(
        "extract_system",
        categories=_listed({**categories, **own}),
        overlay=_overlay_rules(given.overlay),
        profile_limit=limits.profile or "any number of",
        memory_limit=limits.memory or "any number of",
        schema=json.dumps(reply_schema(ExtractionReply).schema, ensure_ascii=False),
    )
    files = {"PROFILE.md": given.profile, "MEMORY.md": given.memory, "today's note": given.note}
    user = render_prompt(
        "extract_user",
        today=given.today.isoformat(),
        time_zone=given.time_zone,
        assistant_name=given.assistant_name or "the assistant",
        known=format_known(given.known),
        files="\n\n".join(format_file(name, text) for name, text in files.items()),
        transcript=format_transcript(given.messages),
    )
    messages = (ChatMessage("system", system), ChatMessage("user", user))
    return ChatRequest(messages, task="extract", context=given, max_tokens=max_tokens, temperature=0.0)


def _overlay_rules(overlay: Overlay) -> str:
    """What the agent's overlay adds to the rules, in the words of the workspace's own people where it has any."""
    parts = [render_prompt("overlay_companion")] if overlay.is_companion else []
    if overlay.include:
        parts.append("\nKeep in addition:\n" + "\n".join(f"- {rule}" for rule in overlay.include) + "\n")
    if overlay.exclude:
        parts.append("\nNever keep:\n" + "\n".join(f"- {rule}" for rule in overlay.exclude) + "\n")
    if overlay.instructions:
        parts.append(f"\nWhoever handed this in asks for the following:\n{overlay.instructions}\n")
    return "\n" + "".join(parts) if parts else ""


def _listed(categories: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {description}".rstrip(": ") for name, description in categories.items())
