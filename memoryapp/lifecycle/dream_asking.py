"""The one question of a dream, fitted into what the model can read: the newest notes first, and said what was cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from memoryapp.lifecycle.dream_candidates import Judged
from memoryapp.lifecycle.dream_sources import DreamMaterial
from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ContextTooLong
from memoryapp.llm.night_requests import build_dream_request
from memoryapp.llm.night_tasks import DreamCandidate, DreamInput, DreamReply, NoteLines
from memoryapp.models import Dream

# A cautious count for any script, so that what is sent fits a window of so many tokens.
CHARACTERS_PER_TOKEN = 2
LEAST_CHARACTERS = 4_000
SHORTER = 0.4


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said, and what the report keeps of how it was asked."""

    reply: DreamReply
    statistics: dict[str, Any] = field(default_factory=dict)


def ask_for_dream(client: LLMClient, material: DreamMaterial, judged: Judged, dream: Dream) -> Answer:
    """Ask the model, with shorter notes when it says that they are too long. Raises ModelError; not inside a scope."""
    room = starting_room(material)
    while True:
        notes, cut = fit_notes(material.notes, room)
        task = dream_input(material, judged, notes, dream.topic)
        try:
            given = client.complete_json(
                build_dream_request(task, model=material.bucket.agent.model), DreamReply
            )
        except ContextTooLong:
            longest = sum(len(note.text) for note in notes)
            room = int(min(room, longest) * SHORTER)
            if room < LEAST_CHARACTERS:
                raise
            continue
        usage = {
            "tokens": given.completion.usage.total_tokens,
            "model": given.completion.model or client.model,
        }
        return Answer(given.value, {"notesCut": cut, "room": room, "usage": usage})


def starting_room(material: DreamMaterial) -> int:
    """How many characters of notes are sent at first: what the window takes, or what went through the last time."""
    window = settings.MEMORY_WINDOW_MAX_INPUT_TOKENS * settings.MEMORY_WINDOW_COMPACT_TRIGGER_RATIO
    room = int(window * CHARACTERS_PER_TOKEN) - len(material.memory)
    return max(min(room, material.room_before or room), LEAST_CHARACTERS)


def fit_notes(notes: tuple[NoteLines, ...], room: int) -> tuple[tuple[NoteLines, ...], list[str]]:
    """The notes within so many characters, the newest first served, and the names of those cut or left out."""
    kept: list[NoteLines] = []
    cut: list[str] = []
    for note in reversed(notes):
        if len(note.text) <= room:
            kept.append(note)
        else:
            cut.append(f"memory/{note.day.isoformat()}.md")
            if room > 0:
                kept.append(
                    NoteLines(note.day, note.text[-room:].partition("\n")[2] or note.text[-room:], cut=True)
                )
        room = max(room - len(note.text), 0)
    return tuple(reversed(kept)), sorted(cut)


def dream_input(
    material: DreamMaterial, judged: Judged, notes: tuple[NoteLines, ...], topic: str
) -> DreamInput:
    """The typed data of a dream, for models and rules alike."""
    candidates = (
        DreamCandidate(number, one.text, round(one.score, 3), one.why, one.day)
        for number, one in enumerate(judged.passed, start=1)
    )
    return DreamInput(
        notes=notes,
        memory=material.memory,
        candidates=tuple(candidates),
        today=material.today,
        topic=topic,
        limit=settings.MEMORY_MEMORY_MD_MAX_CHARS,
        protected=material.protected,
        outdated=material.outdated_texts,
        conflicts=material.conflicts,
    )
