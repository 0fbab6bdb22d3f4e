"""English: how a recognised statement is written down."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import FAMILY
from memoryapp.llm.backends.offline.finishing import Phrasing, lower_first
from memoryapp.llm.backends.offline.statements import Statement
from memoryapp.llm.language.english_person import third_person
from memoryapp.llm.language.english_verbs import third_person_verb

_TEAM = frozenset(("decision", "configuration", "technical", "rule", "project", "relationship"))
_PRIVATE = regex.compile(
    rf"\b(?:{FAMILY}|wedding|birthday|holiday|vacation|trip|honeymoon|cake|family|kids?|child|baby|house|"
    r"flat|apartment|home|dog|cat|garden|dinner|anniversary|christmas)\b",
    regex.IGNORECASE,
)
_HAS = regex.compile(r"\b(he|she|it)'s(?= (?:been|got|had|become|gone|taken|made)\b)", regex.IGNORECASE)
_NAMED = regex.compile(r"\bname['’]s\b(?! (?:day|sake))", regex.IGNORECASE)
_CALLED = regex.compile(
    r"^(?:(?:you|people|everyone|everybody|friends|they|folks|colleagues|please|just|all|can|may|could|"
    r"usually|mostly|always) )*calls? me (?:just )?(?=(?-i:\p{Lu}))",
    regex.IGNORECASE,
)
_IS = regex.compile(r"\b(he|she|it)'s\b", regex.IGNORECASE)
# "It checks the news" goes on as "checks the news"; "it is the first time" needs its subject.
_LEADING_PRONOUN = regex.compile(
    r"^(?:it|he|she|this|that) (?!is|was|has|will|would|can|could|means|"
    r"and)(?=\p{Ll}+(?:s|ed)\b)",
    regex.IGNORECASE,
)
_REPEATED_OWNER = regex.compile(r"^(?:user|and|also|so) (?=(?:is|has|\w+s)\b)")
_POLITE = regex.compile(r"^please\s+|,?\s+please$", regex.IGNORECASE)
# What follows the first clause of a rule and is no order itself is why the rule is there.
_WHY = regex.compile(
    r"^(?:it|its|that|that's|this|the|an?|my|our|we|we've|i|i'm|i've|they|he|she|there|his|her|their|last|"
    r"once|nobody|somebody|"
    r"someone|otherwise|\p{Lu}\p{Ll}+ (?:is|was|has|keeps|needs|does|complained))\b",
    regex.IGNORECASE,
)
_JOINED_PRONOUN = regex.compile(r"(?:^|[;,.]\s+|\band )(he|she)(?='s|\s)", regex.IGNORECASE)
# "User is Dag, user lives in Bergen": naming the subject once is enough.
_SAID_AGAIN = regex.compile(r", user (?=(?:is|has|\p{L}+s)\b)")
_YOU = (
    (
        regex.compile(
            r"\b(?P<when>if|when|whenever|before|after|unless|until|once|while|every time|each time|"
            r"any time) "
            r"you (?P<verb>\p{L}+)\b",
            regex.I,
        ),
        lambda match: f"{match['when']} the assistant {third_person_verb(match['verb'])}",
    ),
    (regex.compile(r"\byou(?:'re| are)\b", regex.I), "the assistant is"),
    (regex.compile(r"\byour\b", regex.I), "the assistant's"),
    (regex.compile(r"\byou\b", regex.I), "the assistant"),
)


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person, without its date."""
    sentence = statement.sentence
    owner = sentence.speaker or "user"
    private = companion or bool(_PRIVATE.search(statement.words))
    group = (
        f"{owner}'s team" if statement.category in _TEAM and not private and not sentence.speaker else owner
    )
    told = third_person(_words(statement), owner=owner, group=group)
    if statement.category == "identity":
        told = _SAID_AGAIN.sub(", ", told) if told.startswith(f"{owner} ") else told
    return told.strip(" ,;").rstrip(".!")


def _words(statement: Statement) -> str:
    """The words with he and she as subjects left out, and a rule's reason told as such."""
    words = _rule_words(statement) if statement.category == "rule" else statement.words
    words = _HAS.sub(r"\1 has", _NAMED.sub("name is", words))
    words = _CALLED.sub("I go by ", _IS.sub(r"\1 is", words))
    return _JOINED_PRONOUN.sub(lambda match: match.group()[: -len(match[1])].rstrip() or "", words)


def _rule_words(statement: Statement) -> str:
    told, reason_given = "", False
    for clause in statement.clauses:
        text = _POLITE.sub("", clause.text)
        gives_reason = not reason_given and clause.joint.strip() in (",", ";") and _WHY.match(text)
        told += f". Reason: {_LEADING_PRONOUN.sub('', text)}" if gives_reason else f"{clause.joint}{text}"
        reason_given = reason_given or bool(gives_reason)
    for pattern, written in _YOU:
        told = pattern.sub(written, told)
    told = told.strip(" ,;")
    return told[:1].lower() + told[1:] if _ORDER.match(told) else told


_ORDER = regex.compile(
    r"^(?:Never|Always|Do|Don't|No|If|When|Whenever|Before|After|Only|Keep|Use|Ask|"
    r"Make|Under|From|Every|All|The)\b"
)


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one; what follows a rule is its reason."""
    head, *rest = bodies
    told = head
    for body in rest:
        plain = _LEADING_PRONOUN.sub("", body)
        plain = lower_first(_REPEATED_OWNER.sub("", plain) if told.startswith("user ") else plain)
        told += f". Reason: {plain}" if category == "rule" and "Reason:" not in told else f"; {plain}"
    return told


PHRASING = Phrasing(
    language="en",
    rule="User rule: {text}",
    dated="As of {day}, {text}",
    noted="{text} (as of {day})",
    unknown="{text} (date unknown; noted {day})",
    action=regex.compile(r"\b(?:\w+ed|set up|put|moved|now|new|switch\w*|chang\w*)\b", regex.IGNORECASE),
    unknown_date=regex.compile(
        r"\b(?:a while (?:ago|back)|some time ago|at some point|no idea when|long ago|ages ago|not sure when|"
        r"don't know when|can't remember when)\b",
        regex.IGNORECASE,
    ),
    past=regex.compile(
        r"\b\w+ed\b|\bsince\b|\b(?:went|got|was|had|met|bought|sold|began|left|came|took|won|lost|sent|"
        r"wrote|gave|made|chose|paid|built|put|set|read|ran|drove|flew|told|said|saw|heard|found|broke|cut|"
        r"met)\b"
    ),
    keeps_capital=False,
)
