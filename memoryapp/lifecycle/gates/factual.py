"""Gate 3: a concrete statement, by the person, understandable by itself."""

from __future__ import annotations

import regex

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.lifecycle.gates.utility import as_first_person
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.recognise import find_noise, find_rule
from memoryapp.llm.language.detection import detect_language, is_cjk
from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.llm.tasks import Candidate

_QUESTION = regex.compile(r"[?？]\s*$")
_PRONOUN = regex.compile(
    r"^(?:as of [\d-]+,?\s*)?(?:he|she|it|they|this|that|these|those|there)\b(?!['’]s (?:name|birthday))|"
    r"^(?:él|ella|ellos|ellas|esto|eso)\b|^(?:他|她|它)|^(?:彼女?|それ)",
    regex.IGNORECASE,
)
_GUESSED = regex.compile(
    r"\b(?:seems?|appears?|probably|presumably|likely|might be|may be|apparently|sounds like)\b|似乎|可能|"
    r"大概|看起来|\b(?:parece|probablemente|quizás?)\b",
    regex.IGNORECASE,
)
_OUTCOME = frozenset(("configuration", "technical", "project", "decision"))
# Half of what a fact says may come from the assistant's wording; more means that the assistant said it.
_OWN_SHARE = 0.5


def check_factual(candidate: Candidate, context: Context) -> Stopped | None:
    """Why the candidate is no fact; nothing when it is one."""
    text = candidate.text
    if not text.strip():
        return Stopped("factual", "It says nothing.")
    if _QUESTION.search(text):
        return Stopped("factual", "It is a question.")
    if _PRONOUN.match(text):
        return Stopped("factual", "It does not say whom or what it is about.")
    if _is_vague(text):
        return Stopped("factual", "It is too vague.")
    return _unfounded(candidate, context) or _said_by_assistant(candidate, context)


def _is_vague(text: str) -> bool:
    strong = [word for word in content_words(text) if not is_weak(word)]
    return len(strong) < (2 if is_cjk(detect_language(text)) else 1)


def _unfounded(candidate: Candidate, context: Context) -> Stopped | None:
    """A guess that nobody made, a hypothetical, a hearsay."""
    guess = _GUESSED.search(candidate.text)
    if guess and guess.group().casefold() not in context.said_by("user").casefold():
        return Stopped("factual", "It is a guess, which the person did not make.")
    if candidate.explicit:
        return None
    pack = pack_for(detect_language(candidate.text))
    spoken = as_first_person(candidate.text)
    noise = find_noise(spoken, pack)
    if noise and noise.gate == "factual" and find_rule(spoken, pack, companion=True) is None:
        return Stopped("factual", f"It is {noise.reason}.")
    return None


def _said_by_assistant(candidate: Candidate, context: Context) -> Stopped | None:
    """What only the assistant said is no fact about the person; what it reports to have done may be."""
    user, assistant = content_words(context.said_by("user")), content_words(context.said_by("assistant"))
    if not user:
        return None
    known = frozenset().union(*(content_words(fact.text) for fact in context.known))
    said = frozenset(word for word in content_words(candidate.text) if not is_weak(word))
    foreign = (said & assistant) - user - known
    if len(foreign) <= _OWN_SHARE * len(said):
        return None
    if candidate.category in _OUTCOME and len(said & user) >= 2:
        return None
    return Stopped("factual", "The assistant said it, not the person.")
