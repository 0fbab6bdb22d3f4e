"""What somebody says of themselves, told in the third person, in any of the languages."""

from __future__ import annotations

import regex

from memoryapp.llm.language import (
    chinese_person,
    english_person,
    german_person,
    japanese_person,
    spanish_person,
)

_FIRST = {
    "en": regex.compile(
        r"^(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|ll|d)|my|our|me|us)\b", regex.IGNORECASE
    ),
    "es": regex.compile(
        r"^(?:yo|mi|mis|me|nos|nosotr[oa]s|nuestr[oa]s?|soy|somos|estoy|estamos|tengo|tenemos|he|hemos|"
        r"prefiero|vivo|"
        r"trabajo|quiero|uso)\b",
        regex.IGNORECASE,
    ),
    "de": regex.compile(
        r"^(?:ich|wir|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|mir|mich|uns)\b", regex.IGNORECASE
    ),
    "zh": regex.compile(r"^(?:我|咱|本人)"),
    "ja": regex.compile(r"^(?:私|僕|俺|わたし|ぼく|おれ)"),
}
_LABEL = regex.compile(
    r"^(?:as of [\d-]+,?\s*)?(?:the )?(?:user|usuario|用户|nutzer)\s*[:：]\s*", regex.IGNORECASE
)


def starts_in_first_person(text: str, language: str) -> bool:
    """Whether the text speaks as the person whom it is about."""
    pattern = _FIRST.get(language)
    return bool(pattern and pattern.match(_LABEL.sub("", text.strip())))


def in_third_person(text: str, language: str) -> str:
    """The text retold about the person; unchanged where the language is not known."""
    plain = _LABEL.sub("", text.strip())
    match language:
        case "en":
            told = english_person.third_person(plain)
            return told[:1].upper() + told[1:]
        case "es":
            return f"Usuario: {spanish_person.third_person(plain)}"
        case "zh":
            return chinese_person.third_person(plain)
        case "ja":
            return japanese_person.third_person(plain)
        case "de":
            return german_person.third_person(plain) or f"Nutzer/in: „{plain}“"
    return text
