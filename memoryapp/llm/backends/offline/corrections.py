"""'No, I meant Maastricht': what was just said is put right before it is kept."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.statements import Clause, Sentence, Statement
from memoryapp.llm.language.han import compile_both

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:the )?\d{1,2}(?:st|nd|rd|"
    r"th)?)?(?: (?:of )?\p{Lu}\p{L}+)?"
)
_KINDS = (
    compile_both(rf"\b{_DAY}\b", regex.IGNORECASE),
    compile_both(
        r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|"
        r"august|september|october|november|december)(?: \d{4})?\b",
        regex.IGNORECASE,
    ),
    compile_both(
        r"\b\d{1,2} de \p{L}+(?: de \d{4})?\b|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]|(?:周|"
        r"星期)[一二三四五六日天]|\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b",
        regex.IGNORECASE,
    ),
    compile_both(
        r"\b(?:room|hall|gate|platform|building|studio|table|line|bus|terminal|slot|shelf|rack|track|"
        r"floor|door|"
        r"seat|row|box|channel|port|pier|berth|mooring|unit|flat) [\p{L}\d]{1,4}\b",
        regex.IGNORECASE,
    ),
    compile_both(r"\b\d{1,2}(?:st|nd|rd|th)\b", regex.IGNORECASE),
    compile_both(r"\b(?:\p{L}{1,3}-?\d[\w-]*|\d{1,3}[a-z])\b"),
    compile_both(r"\b\d+(?:[.:,]\d+)*\b"),
    compile_both(
        r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|twenty|thirty|"
        r"forty|fifty)\b",
        regex.IGNORECASE,
    ),
    compile_both(
        r"(?<!^)(?<!(?<!Dr|Mr|Mrs|Ms|Prof|St)[.!?] )\b(?:(?:Dr|Mr|Mrs|Ms|Prof|"
        r"St)\. )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*|"
        r"(?<=^)\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*"
    ),
)
_ZH_VALUE = compile_both(r"(?<=[在叫是到去用])[^，。在叫是到去用]{1,12}$")


_MONTH = compile_both(
    r"(?: of)? (?:january|february|march|april|may|june|july|august|september|october|november|december)$",
    regex.IGNORECASE,
)


def _month_of(wrong: str, value: str) -> str:
    """The month of a date that was corrected by its day alone: 'Wednesday the 10th'."""
    month = _MONTH.search(wrong)
    return month.group() if month and value[-2:] in ("st", "nd", "rd", "th") else ""


_ARTICLE = compile_both(r"(?:an?|the) ", regex.IGNORECASE)
_ARTICLE_LEFT = compile_both(r"\b(?:an?|the) $", regex.IGNORECASE)


_DAY_ONLY = compile_both(r"^(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?$", regex.IGNORECASE)
_DAY_OF_MONTH = compile_both(
    r"\b\d{1,2}(?=(?:st|nd|rd|th)?(?: of)? (?:january|february|march|april|may|june|july|august|september|"
    r"october|november|"
    r"december)\b)|(?<=\b(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december) )\d{1,2}\b",
    regex.IGNORECASE,
)


def correct_statements(sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """Puts the corrected value into the last statement; whether the sentence was such a correction."""
    pack = pack_for(sentence.language)
    match = pack.corrected.match(sentence.raw.strip())
    if not match or not statements or statements[-1].sentence.language != sentence.language:
        return False
    value = match["value"].strip(" .,。，")
    statement = statements[-1]
    for at in range(len(statement.clauses) - 1, -1, -1):
        clause = statement.clauses[at]
        told = _with_value(clause.text, value)
        if told:
            statement.clauses[at] = Clause(clause.joint, told)
            return True
    return False


def _with_value(text: str, value: str) -> str:
    day = _DAY_ONLY.match(value)
    if day and _DAY_OF_MONTH.search(text):
        return _DAY_OF_MONTH.sub(day["day"], text, count=1)
    for kind in _KINDS:
        if kind.search(value) or kind.fullmatch(value):
            found = list(kind.finditer(text))
            if found:
                value += _month_of(found[-1].group(), value)
                before = text[: found[-1].start()]
                return (
                    _ARTICLE_LEFT.sub("", before) + value + text[found[-1].end() :]
                    if _ARTICLE.match(value)
                    else (before + value + text[found[-1].end() :])
                )
    found_zh = _ZH_VALUE.search(text)
    if found_zh:
        return text[: found_zh.start()] + value
    return ""
