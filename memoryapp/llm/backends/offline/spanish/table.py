"""Spanish: all ways of saying something worth keeping, tried from top to bottom."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.companion import COMPANION
from memoryapp.llm.backends.offline.spanish.oneself import PEOPLE_AND_LIKES
from memoryapp.llm.backends.offline.spanish.projects import CONSTRAINTS, PROJECTS_AND_SYSTEMS
from memoryapp.llm.backends.offline.spanish.standing import STANDING_RULES

RULES = (*CONSTRAINTS, *STANDING_RULES, *PEOPLE_AND_LIKES, *COMPANION, *PROJECTS_AND_SYSTEMS)
