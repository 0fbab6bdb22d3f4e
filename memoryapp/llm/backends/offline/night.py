"""The night's tasks as the offline backend does them: by rules, out of the typed input, never by reading a prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from memoryapp.llm.backends.offline.conflicts import find_conflicts
from memoryapp.llm.backends.offline.consolidate import consolidate
from memoryapp.llm.backends.offline.dream import dream
from memoryapp.llm.backends.offline.soul import propose_soul
from memoryapp.llm.types import Task

# Task → what answers it; each takes the request's context and gives the task's reply.
NIGHT_TASKS: dict[Task, Callable[[Any], BaseModel]] = {
    "conflicts": find_conflicts,
    "consolidate": consolidate,
    "dream": dream,
    "focused_dream": dream,
    "soul": propose_soul,
}
