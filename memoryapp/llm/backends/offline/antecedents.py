"""What "it" stands for in a rule: the thing that the sentence before told about."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoryapp.llm.backends.offline.statements import Clause, Statement

# "Never touch it without asking": the object right behind the verb, not "make sure it is …".
_OBJECT = regex.compile(
    r"^(?P<order>(?:(?:and|but|so|please|never|always|only|do not|don['’]t|you (?:must|may|should) (?:not "
    r")?) )*"
    r"(?:ever )?\p{L}+(?: (?:up|off|down|out|on))?) (?P<it>it|them)\b(?! (?:is|was|are|to|that|when)\b)",
    regex.IGNORECASE,
)
_SUBJECT = regex.compile(
    r"^(?:(?:the|our|my|this) )(?P<what>(?:[\p{L}\d'’.-]+ ){0,4}?[\p{L}\d'’.-]+) (?:is|are|has|have|runs?|"
    r"lives?|sits?|uses?|listens?|stands?|belongs?|keeps?|holds?|was|were|got)\b",
    regex.IGNORECASE,
)
_THINGS = frozenset(("configuration", "technical", "project"))


def name_object(statement: Statement, before: Sequence[Statement]) -> None:
    """Puts the thing told about before in the place of the pronoun a rule is about."""
    first = statement.clauses[0]
    match = _OBJECT.match(first.text)
    if statement.category != "rule" or not match:
        return
    what = next((found for other in reversed(before) if (found := _thing(other, statement))), "")
    if what:
        statement.clauses[0] = Clause(
            first.joint, f"{match['order']} the {what}{first.text[match.end('it') :]}"
        )


def _thing(other: Statement, statement: Statement) -> str:
    """What a statement of the same message tells about."""
    if other.category not in _THINGS or other.sentence.message != statement.sentence.message:
        return ""
    match = _SUBJECT.match(other.words)
    return match["what"] if match else ""
