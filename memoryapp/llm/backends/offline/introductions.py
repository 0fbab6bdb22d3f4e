"""People who introduce themselves in several sentences, some of them without a verb."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import PROFESSION
from memoryapp.llm.backends.offline.statements import Sentence, Statement


def introduces(opening: Sentence, statement: Statement) -> bool:
    """Whether somebody said what they do just before they said their name."""
    return (
        statement.kind == "name" and bool(_ABOUT_ME.search(opening.text)) and not statement.sentence.speaker
    )


def goes_on_about_oneself(sentence: Sentence, last: Statement) -> bool:
    """Whether a sentence without a rule of its own says more of who just told their name or work."""
    if last.kind == "work":
        return _ROLE_FRAGMENT.match(sentence.text) is not None
    return last.kind == "name" and bool(_TELEGRAM.match(sentence.text) or _WHERE_I_AM.search(sentence.text))


# "Zsofi here. Physio, own practice in Szeged": a role without a verb of its own.
_TELEGRAM = regex.compile(
    rf"^(?:an? |the |retired |former |freelance |part-time |senior |junior |chief |head )*"
    rf"(?:[\p{{L}}-]+ ){{0,2}}(?:{PROFESSION}|physio|lecturer)"
    r"(?:[,.;]|$| (?:in|at|from|for|with|by|of|based|near|and)\b)(?! (?:is|are|was|has)\b)|"
    r"^(?:based|living|working|born|currently|originally|now|mostly) "
    r"(?:in|at|from|out of|near|on|for) \p{Lu}",
    regex.IGNORECASE,
)
_WHERE_I_AM = regex.compile(r"\b(?:I|I['’]m|find me|see me|meet me)\b.*\b(?:in|at|near|around|for) \p{Lu}")
_ROLE_FRAGMENT = regex.compile(
    r"^(?:now |the new |new )?(?:head|director|chief|lead|leader|manager|deputy|captain|chair|senior|"
    r"assistant|team lead)\b",
    regex.IGNORECASE,
)
_ABOUT_ME = regex.compile(r"\b(?:i|i'm|i’m|i've|me|my|soy|yo|ich)\b|我", regex.IGNORECASE)
