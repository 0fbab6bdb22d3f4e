"""A fact on its way: rendered, categorised, with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

import regex

from memoryapp.llm.backends.offline.credential_notes import (
    is_masked,
    note_credential,
    offers_credential,
    shown_below,
)
from memoryapp.llm.backends.offline.outcomes import reported_outcomes
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.statements import Clause, Sentence, Statement
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.shortening import shorten
from memoryapp.llm.tasks import ExtractionInput


@dataclass(slots=True)
class Fact:
    """A rendered fact and the words it came from; `text` is what would be stored."""

    text: str
    body: str
    words: str
    category: str
    kind: str
    language: str
    day: date
    evidence: list[int] = field(default_factory=list)
    explicit: bool = False
    changes: bool = False
    dated: bool = False
    guessed: bool = False


def credential_fact(sentence: Sentence, message: str) -> Fact | None:
    """The note that a credential was configured, where that is worth one."""
    raw = sentence.raw if is_masked(sentence.raw) else f"{sentence.raw} {shown_below(message)}"
    note = note_credential(raw, sentence.language, sentence.day, around=message)
    if note is None:
        return None
    return Fact(
        note.text,
        note.text,
        note.text,
        "configuration",
        "credential",
        note.language,
        sentence.day,
        [sentence.message],
    )


def hands_over(sentence: Sentence, message: str) -> bool:
    """Whether the sentence hands over a credential that its message shows in a block of its own."""
    return bool(shown_below(message)) and offers_credential(sentence.raw)


def outcome_facts(task: ExtractionInput) -> Iterable[Fact]:
    """What the assistant reports to have done at the user's request."""
    for outcome in reported_outcomes(task.messages):
        pack = pack_for(outcome.language)
        text = pack.finish(outcome.text, "configuration", task.today, True)
        yield Fact(
            text,
            outcome.text,
            outcome.text,
            "configuration",
            "outcome",
            outcome.language,
            task.today,
            [outcome.request, outcome.report],
            dated=True,
        )


def statement_fact(statement: Statement, *, companion: bool) -> Fact:
    """The fact that a statement, with all that was joined to it, amounts to."""
    pack = pack_for(statement.sentence.language)
    drop_former(statement)
    body = pack.join([pack.render(part, companion) for part in _parts(statement)], statement.category)
    words = " ".join(part.words for part in _parts(statement))
    dated = statement.kind == "constraint" or statement.category in ("decision", "project")
    text = pack.finish(
        shorten(body, statement.sentence.language), statement.category, statement.sentence.day, dated
    )
    return Fact(
        text,
        body,
        words,
        statement.category,
        statement.kind,
        statement.sentence.language,
        statement.sentence.day,
        sorted({sentence.message for sentence in statement.sentences}),
        any(sentence.explicit for sentence in statement.sentences),
        any(pack.changed.search(sentence.raw) for sentence in statement.sentences),
        dated,
        statement.guessed,
    )


_FORMER = compile_both(
    r"\b(?:no longer|not? .*\bany ?more|used to|don't work|doesn't work|quit|left|leaving)\b|\bya no\b|"
    r"\bdejé\b|不再|离开|辞掉|辞了",
    regex.IGNORECASE,
)


def drop_former(statement: Statement) -> None:
    """Where a sentence names the old job or home and the new one, the new one is the fact."""
    if statement.kind in ("work", "residence") and len(statement.clauses) > 1:
        current = [clause for clause in statement.clauses if not _FORMER.search(clause.text)]
        if current:
            statement.clauses = [Clause("", current[0].text), *current[1:]]


def _parts(statement: Statement) -> list[Statement]:
    return [statement, *(part for other in statement.further for part in _parts(other))]


_VERB_FIRST = regex.compile(
    r"^(?:makes?|made|been|being|going to|gets?|feels?|sounds?|looks?|here(?:['’]s| is)?|a lot|seeing|"
    r"knowing|hanging|doing|"
    r"having)\b",
    regex.IGNORECASE,
)
# "Having compared both, user's team is going with …"
_OWNER_SOON = regex.compile(r"^[^,;.]{3,60}, user\b")
_PRONOUN_FIRST = compile_both(
    r"^(?:turns out |apparently |luckily |sadly |the \w+ said )?(?:it|this|that|these|those|they|he|she|"
    r"there|them|your?|its|their|his|her)\b(?!\s+(?:year|"
    r"spring|"
    r"summer|autumn|winter|month|week|weekend|season|term|quarter|morning|afternoon|evening|\p{L}+days?|"
    r"january|february|"
    r"march|april|may|june|july|august|september|october|november|december)\b)|^(?:它|他|她|这|那)(?!家|里|"
    r"边)|^(?:eso|esto|ella|él|ellos|ellas)\b",
    regex.IGNORECASE,
)


# "User chose them because …", "user loves seeing it grow": of what, only the talk tells.
_UNTOLD = regex.compile(
    r"^(?:as of [\d-]+, )?user(?:'s team)? (?:(?:is|has|was|also|even|just|really|always|does|\p{L}+ly) "
    r")*\p{L}+"
    r"(?: (?:\p{L}+ing|to \p{L}+|a (?:big |huge )?fan|for|of|about|at|with|up|around))* "
    r"(?:(?:them|him|these|those)\b(?! \p{L}+s\b)|(?:her|his) \p{L}+\b|(?:this|one)(?=\s(?:after|before|"
    r"because|since|when|on|in|at|for|"
    r"with|and|but|last|yesterday|today)|[.,;!]|$)|that(?=[.,;!]|$)|"
    r"it\b(?! (?:when|if|with|that|a|an|the|easy|hard|\p{L}+er|\p{L}+ing|to|in (?:every|all))\b))",
    regex.IGNORECASE,
)


def names_its_subject(fact: Fact) -> bool:
    """Whether a fact can be understood by itself."""
    if fact.explicit or fact.category == "rule":
        return fact.explicit or not _PRONOUN_FIRST.match(fact.body)
    leans = _VERB_FIRST.match(fact.body) and not _OWNER_SOON.search(fact.body)
    return not (_PRONOUN_FIRST.match(fact.body) or leans or _is_untold(fact))


def _is_untold(fact: Fact) -> bool:
    """Whether it is told of them or it and nowhere says of what; a decision with figures says enough."""
    exact = fact.category == "decision" and any(char.isdigit() for char in fact.body)
    return _UNTOLD.match(fact.body) is not None and not exact
