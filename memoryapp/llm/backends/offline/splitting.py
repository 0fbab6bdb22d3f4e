"""Where a fact of its own begins inside a sentence about something else; everywhere else what follows is detail."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.statements import Clause, Rule, Statement
from memoryapp.llm.language.han import compile_both

_OWN_SUBJECT = compile_both(
    r"^(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|please|never|always|don't|do not|yo|mi|mis|me|"
    r"nuestr[oa]s?|prefiero|"
    r"odio|trabajo|vivo|soy|tengo|he|hemos|no|nunca|siempre|por favor|ich|wir|mein\p{L}*|unser\p{L}*)\b|"
    r"^(?-i:\p{Lu}\p{Ll}+ )|^(?:我|咱|请|以后|不要|别|必须)",
    regex.IGNORECASE,
)
_LEANS = regex.compile(r"\b(?:it|them|that|there)\W*$", regex.IGNORECASE)
_FOLLOWS = regex.compile(r"[\s,;]*(?:so|así que|por eso|所以)\b", regex.IGNORECASE)
# "I find voice messages exhausting, please write": the wish and why.
_ASKS_FOR_IT = regex.compile(r",please (?!remember|note|keep in mind)", regex.IGNORECASE)
_TOGETHER = compile_both(r"^(?:we\b|we'|nos |我们)|\b(?:her|him|them)\b", regex.IGNORECASE)
# What a rule or a decision is followed by is its reason, unless somebody is introduced or another rule given.
_REASONS = frozenset(("configuration", "technical", "project", "preference", "identity"))


def opens_own_fact(rule: Rule, current: Statement, clause: Clause) -> bool:
    """Whether a clause that follows a rule starts a fact of its own beside the current statement."""
    if not rule.opens or not _OWN_SUBJECT.match(clause.text) or _is_more_of(rule, current):
        return False
    if _PARTED.search(current.words) and _INSTEAD.search(clause.text):
        return False
    match current.category, current.kind:
        case ("rule", _) if _LEANS.search(clause.text):
            return False
        case (("rule" | "decision"), _):
            return rule.kind == "name" or (
                rule.category not in _REASONS and not _is_somebodys_reason(rule, clause)
            )
        case (("project" | "relationship"), _) if rule.kind == "work":
            # "Ola is getting married, I'm the best man": a part in it, no job.
            return clause.joint.strip() != ","
        case _, "constraint":
            return rule.category in ("rule", "decision")
        case "relationship", _:
            # After somebody was named, "we" means the two of them.
            return not _TOGETHER.search(clause.text)
        case _, ("preference" | "health" | "feeling"):
            # "…, so don't hold back": what follows from a liking or an ailment belongs to it.
            return not (
                _FOLLOWS.match(clause.joint) or _ASKS_FOR_IT.match(f"{clause.joint.strip()}{clause.text}")
            )
    return True


# "I've moved away from Evernote, Joplin is my notebook now"
_PARTED = regex.compile(
    r"\b(?:moved (?:away|on) from|had it with|had enough of|done with|through with|given up(?: on)?|gave up|"
    r"quit|stopped using|no "
    r"longer use|left|goodbye|farewell)\b",
    regex.IGNORECASE,
)
_INSTEAD = regex.compile(r"\b(?:now|instead|these days|nowadays)\b", regex.IGNORECASE)


def _is_somebodys_reason(rule: Rule, clause: Clause) -> bool:
    """'…, my supervisor is reading it': somebody without a name stands behind the rule and is not introduced."""
    return (
        rule.category == "relationship"
        and clause.joint.strip() in (",", "，")
        and not _NAMES.search(clause.text)
    )


_NAMES = regex.compile(r"(?<=\s)\p{Lu}\p{Ll}+|叫|\b(?:is called|se llama|heißt)\b")


def _is_more_of(rule: Rule, current: Statement) -> bool:
    """Whether the clause speaks of the same side of things as the statement before."""
    if rule.category != current.category:
        return False
    return rule.category == "identity" or rule.kind == current.kind or "need" in (rule.kind, current.kind)
