"""How a rendered statement becomes the stored fact: dates written out, anchored in time where time matters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memoryapp.llm.backends.offline.statements import Pattern
from memoryapp.llm.language.dates import anchor_dates
from memoryapp.llm.language.detection import is_cjk
from memoryapp.llm.language.wordlists import words


@dataclass(frozen=True, slots=True)
class Phrasing:
    """The fixed words of one language around a fact."""

    language: str
    rule: str
    dated: str
    noted: str
    unknown: str
    action: Pattern
    unknown_date: Pattern
    past: Pattern
    keeps_capital: bool = True


def finish_fact(phrasing: Phrasing, body: str, category: str, day: date, dated: bool) -> str:
    """The fact as it is stored."""
    if category == "rule":
        return phrasing.rule.format(text=body)
    past = bool(phrasing.past.search(body))
    # "Meetings on Monday" is a habit, "starting next week" is a date.
    anchored = anchor_dates(
        body, day, phrasing.language, past=past, bare_weekdays=category != "preference" or dated
    )
    text = anchored.text
    if phrasing.unknown_date.search(text):
        return _capital(phrasing.unknown.format(text=text, day=day))
    if dated or anchored.dates:
        return phrasing.dated.format(text=text if phrasing.keeps_capital else lower_first(text), day=day)
    if category == "configuration" and phrasing.action.search(text):
        return _capital(phrasing.noted.format(text=text, day=day))
    return text if is_cjk(phrasing.language) else _capital(text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """The first letter made small, unless the first word is a name or an abbreviation."""
    first = text.split(" ", 1)[0].partition("'")[0]
    return text[:1].lower() + text[1:] if first.lower() in _SMALL else text


_SMALL = words(
    "the a an this that these those there it its user for with on in at from to since by nobody no each every all both "
    "it there ya el la los "
    "las un una su sus se le les desde hasta para con en no nunca siempre tiene es está usuario: usuario"
)
