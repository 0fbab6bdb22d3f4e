"""When two texts are the same fact, and other rules about a fact's text that need no database."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from memoryapp.actions.masking import clean
from memoryapp.exceptions import TooLarge, ValidationFailed

MAX_FACT_CHARS = 64_000
SPACES = re.compile(r"\s+")
CLOSING_MARKS = " .,;:!。，；：！"


def normalised(text: str) -> str:
    """The text folded to what counts when two facts are compared: Unicode form, case, white space, closing marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return SPACES.sub(" ", unicodedata.normalize("NFC", folded)).strip().rstrip(CLOSING_MARKS)


def text_key(text: str) -> str:
    """The hex SHA-256 of the normalised text; of the cleaned one where nothing else would be left."""
    return hashlib.sha256((normalised(text) or clean(text)).encode()).hexdigest()


def checked_text(text: object) -> str:
    """A fact's text without control characters; raises ValidationFailed when blank, TooLarge when overlong."""
    if not isinstance(text, str):
        raise ValidationFailed.of("text", "A fact's text is a string.")
    if len(text) > MAX_FACT_CHARS:
        raise TooLarge(f"A fact has at most {MAX_FACT_CHARS} characters.")
    cleaned = clean(text)
    if not cleaned.strip():
        raise ValidationFailed.of("text", "A fact needs a text.", code="blank")
    return cleaned
