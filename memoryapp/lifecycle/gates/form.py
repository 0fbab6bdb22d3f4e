"""The form of a stored fact: third person, no guessed gender, the person's language, dated, at most fifty words."""

from __future__ import annotations

import regex

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.llm.language.dates import anchor_dates
from memoryapp.llm.language.detection import detect_language, is_cjk
from memoryapp.llm.language.persons import in_third_person, starts_in_first_person
from memoryapp.llm.language.shortening import MOST_WORDS, shorten
from memoryapp.llm.tasks import Candidate, Operation

_BULLET = regex.compile(r"^\s*[-*•]\s+")
_QUOTED = regex.compile(r"^[\"“'‘](?P<inside>[^\"“”'‘’]*)[\"”'’]$")
_DATED = frozenset(("project", "decision"))
_DATE = regex.compile(
    r"\d{4}-\d{2}(?:-\d{2})?|\bas of\b|\bdate unknown\b|截至|日期不详|a fecha de|fecha desconocida|"
    r"\bStand \d|時点",
    regex.IGNORECASE,
)
_GENDERED = regex.compile(
    r"\b(?:he|she|him|his|her|hers|himself|herself|mother|father|mum|mom|dad|sister|brother|wife|husband|"
    r"girlfriend|boyfriend|son|daughter|aunt|uncle|niece|nephew|grand(?:ma|pa|mother|father)|"
    r"man|woman|boy|girl|lady|guy|mr|mrs|ms)\b",
    regex.IGNORECASE,
)
_NEUTRAL = (
    (regex.compile(r"\b(?:his|her)\b(?=\s+\p{L})", regex.IGNORECASE), "their"),
    (regex.compile(r"\b(?:himself|herself)\b", regex.IGNORECASE), "themselves"),
    (regex.compile(r"\b(?:him|her)\b", regex.IGNORECASE), "them"),
)
_ANCHORS = {
    "zh": "截至{day}，{text}",
    "es": "A fecha de {day}, {text}",
    "de": "Stand {day}: {text}",
    "ja": "{day}時点、{text}",
}


def put_in_form(candidate: Candidate, context: Context) -> Candidate | Stopped:
    """The candidate in the form of a stored fact; stopped where that cannot be repaired."""
    if candidate.op in (Operation.DELETE, Operation.NONE):
        return candidate
    text = _QUOTED.sub(r"\g<inside>", _BULLET.sub("", " ".join(candidate.text.split())))
    said_in = context.language_of(candidate)
    language = detect_language(text, said_in)
    if is_cjk(said_in) != is_cjk(language) and not _tells_in_own_words(candidate, said_in):
        return Stopped("factual", "It is not in the person's own language.")
    if is_cjk(said_in) != is_cjk(language):
        text, language = in_third_person(candidate.quote, said_in), said_in
    if starts_in_first_person(text, language):
        text = in_third_person(text, language)
    text = _without_guessed_gender(text, language, context)
    text = _dated(text, candidate, language, context)
    return candidate.model_copy(update={"text": shorten(text, language, MOST_WORDS)})


def _tells_in_own_words(candidate: Candidate, language: str) -> bool:
    """Whether the quotation can stand for a text in the wrong language."""
    return bool(candidate.quote) and detect_language(candidate.quote) == language


def _without_guessed_gender(text: str, language: str, context: Context) -> str:
    if language != "en" or _GENDERED.search(context.said_by("user")):
        return text
    for pattern, written in _NEUTRAL:
        text = pattern.sub(written, text)
    return text


def _dated(text: str, candidate: Candidate, language: str, context: Context) -> str:
    """Relative dates written out; what changes with time says as of when it was so."""
    day = context.day_of(candidate)
    if candidate.category not in ("rule", "preference"):
        text = anchor_dates(text, day, language).text
    timely = candidate.category in _DATED or candidate.stability != "durable"
    if not timely or _DATE.search(text):
        return text
    anchor = _ANCHORS.get(language, "As of {day}, {text}")
    head = text[:1].lower() + text[1:] if language == "en" and text.startswith("User") else text
    return anchor.format(day=day, text=head)
