"""English: all ways of saying something worth keeping, tried from top to bottom."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.companion import COMPANION
from memoryapp.llm.backends.offline.english.decisions import DECISIONS
from memoryapp.llm.backends.offline.english.oneself import IDENTITY, WORK_AND_PLACE
from memoryapp.llm.backends.offline.english.people import PEOPLE
from memoryapp.llm.backends.offline.english.preferences import CHOICES, FAVOURITES, PREFERENCES, SWITCHES
from memoryapp.llm.backends.offline.english.projects import CONSTRAINTS, PROJECTS
from memoryapp.llm.backends.offline.english.rhythms import RHYTHMS
from memoryapp.llm.backends.offline.english.standing import STANDING_RULES
from memoryapp.llm.backends.offline.english.systems import NEW_MACHINES, OWN_TOOLS, SET_UP, SYSTEMS

RULES = (
    *CONSTRAINTS,
    *STANDING_RULES,
    *RHYTHMS,
    *SWITCHES,
    *FAVOURITES,
    *CHOICES,
    *DECISIONS,
    *IDENTITY,
    *NEW_MACHINES,
    *OWN_TOOLS,
    *PEOPLE,
    *WORK_AND_PLACE,
    *PREFERENCES,
    *COMPANION,
    *SET_UP,
    *PROJECTS,
    *SYSTEMS,
)
