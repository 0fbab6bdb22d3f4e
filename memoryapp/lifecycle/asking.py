"""The one model call of an extraction: what is asked, and how long the answer may be."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.actions.masking import credential_patterns
from memoryapp.lifecycle.background import note_path
from memoryapp.lifecycle.given import given_with
from memoryapp.lifecycle.reading import Reading
from memoryapp.llm.client import LLMClient, StructuredReply
from memoryapp.llm.extraction import FileLimits, build_extraction_request
from memoryapp.llm.tasks import CustomCategory, ExtractionInput, ExtractionReply, Overlay
from memoryapp.models import Agent
from memoryapp.models.categories import FactCategory


def ask_model(reading: Reading, client: LLMClient) -> StructuredReply[ExtractionReply]:
    """What the model would keep of the stretch; raises ModelError. Never inside a transaction."""
    task = extraction_input(reading)
    request = build_extraction_request(
        task,
        categories={
            member.slug: member.value.description for member in FactCategory if member.value.proposable
        },
        limits=FileLimits(settings.MEMORY_PROFILE_MAX_CHARS, settings.MEMORY_MEMORY_MD_MAX_CHARS),
        max_tokens=_longest_answer(task),
    )
    return client.complete_json(request, ExtractionReply)


def extraction_input(reading: Reading) -> ExtractionInput:
    """Everything the extraction is about, as plain data."""
    background, stretch = reading.background, reading.stretch
    return ExtractionInput(
        messages=reading.off_record.messages,
        today=stretch.day,
        known=background.known,
        profile=background.file("PROFILE.md").content,
        memory=background.file("MEMORY.md").content,
        note=background.file(note_path(reading.note_day)).content,
        time_zone=str(stretch.zone),
        assistant_name=reading.agent.name,
        overlay=overlay_for(reading),
        secret_patterns=tuple(credential_patterns(reading.principal.workspace)),
    )


def overlay_for(reading: Reading) -> Overlay:
    """The rules of one reading: its agent's, and what was given with the messages."""
    return given_with(reading.stretch.messages).put_on_overlay(overlay_of(reading.agent))


def overlay_of(agent: Agent) -> Overlay:
    """The additional rules an agent works under; entries of the wrong shape are left out."""
    rules = agent.overlay_rules if isinstance(agent.overlay_rules, dict) else {}
    custom = [
        entry for entry in _list(rules.get("categories")) if isinstance(entry, dict) and entry.get("name")
    ]
    return Overlay(
        name="companion" if agent.overlay == Agent.Overlay.COMPANION else "default",
        include=_texts(rules.get("include")),
        exclude=_texts(rules.get("exclude")),
        custom_categories=tuple(
            CustomCategory(str(entry["name"]), str(entry.get("description", ""))) for entry in custom
        ),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(rule for rule in _list(value) if isinstance(rule, str) and rule.strip())


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _longest_answer(task: ExtractionInput) -> int | None:
    """The setting bounds what is new; room to say the files again, as a rewrite must, comes on top. 0 is no bound."""
    if not settings.MEMORY_SUMMARY_MAX_TOKENS:
        return None
    # Three bytes a token: about right for English and Spanish with room to spare, and for Chinese a character each.
    return int(settings.MEMORY_SUMMARY_MAX_TOKENS + len((task.profile + task.memory).encode()) // 3)
