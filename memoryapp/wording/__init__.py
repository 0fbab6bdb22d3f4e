"""What the engine says, in the reader's language.

Refusals and reasons are made in English, where programs compare them, models read them and tables keep them. The
rooms that show them to people translate them at that moment; each is listed here, and a test holds the lists to the
engine.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.translation import get_language, gettext

from memoryapp.wording.archives import ARCHIVES
from memoryapp.wording.names import NAMES
from memoryapp.wording.questions import QUESTIONS
from memoryapp.wording.reasons import REASONS
from memoryapp.wording.refusals import REFUSALS

SENTENCES: Final = frozenset((*ARCHIVES, *NAMES, *QUESTIONS, *REASONS, *REFUSALS))
GAP: Final = "{}"
# What several reasons are joined by.
JOINED: Final = "; "
FILLING: Final = f"((?:(?!{JOINED}).)+?)"


def say(sentence: str) -> str:
    """The engine's sentence in the reader's language; whatever is not one of its own stays as it is."""
    if not sentence or get_language() == settings.LANGUAGE_CODE:
        return sentence
    if sentence in SENTENCES:
        return gettext(sentence)
    for pattern, message in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            return gettext(message).format(*map(say, match.groups()))
    return gettext(JOINED).join(map(say, sentence.split(JOINED))) if JOINED in sentence else sentence


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The sentences with gaps, the most particular first, each as the pattern of what it can become."""
    with_gaps = sorted((message for message in SENTENCES if GAP in message), key=_plain_length, reverse=True)
    return [(_pattern(message), message) for message in with_gaps]


def _pattern(message: str) -> re.Pattern[str]:
    pieces = (piece.replace("{{", "{").replace("}}", "}") for piece in message.split(GAP))
    return re.compile(FILLING.join(map(re.escape, pieces)), re.DOTALL)


def _plain_length(message: str) -> int:
    return len(message.replace(GAP, ""))
