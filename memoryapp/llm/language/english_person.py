"""English: what somebody says of themselves, told in the third person."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from memoryapp.llm.language.english_verbs import COMMON, UNCHANGED, is_adverb, third_person_verb
from memoryapp.llm.language.wordlists import words

_TOKEN = regex.compile(
    r'"[^"]*"|“[^”]*”|https?://\S+|`[^`]*`|[\p{L}\p{N}]+(?:[-_./@][\p{L}\p{N}]+)*(?:[\'’]\p{L}+)?|\s+|.',
    regex.DOTALL,
)
_CONTRACTIONS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_SINGULAR, _PLURAL = frozenset(("i", "im", "ive")), frozenset(("we",))
_HAD_AFTER = words("been had better already never done gone")
_MODALS = words("can can't cannot will won't must should shall may might could would")
_FINITE = words(
    "is are was were has have had can will must should would could does do did isn't aren't wasn't runs "
    "works lives goes "
    "name's it's that's here's there's he's she's"
)
_PAUSES = frozenset(",")
_FULL_STOPS = frozenset(".!?;")
_ARTICLES = words(
    "a an the at in on as for with to from of by my our your this that some every all no about near not so"
)


@dataclass(slots=True)
class _Retelling:
    """State while walking over the words of one statement."""

    owner: str
    group: str
    mentioned: bool = False
    awaiting_verb: bool = False
    verb_plural: bool = False
    present: bool = False
    modal: bool = False
    last_word: str = ""

    def name(self, label: str) -> str:
        self.mentioned = True
        return label

    def possessive(self) -> str:
        if self.mentioned:
            return "their"
        self.mentioned = True
        return f"{self.owner}'s" if not self.owner.endswith("s") else f"{self.owner}'"


def third_person(text: str, *, owner: str = "user", group: str = "", mentioned: bool = False) -> str:
    """The statement with I, me, my, we … replaced by the owner and the verbs agreeing.

    `group` stands for "we"; quoted words stay as they were said.
    """
    state = _Retelling(owner, group or owner, mentioned=mentioned)
    tokens = _TOKEN.findall(text)
    told = [_retell(token, tokens, at, state) for at, token in enumerate(tokens)]
    return "".join(told).replace("  ", " ").strip()


def _retell(token: str, tokens: list[str], at: int, state: _Retelling) -> str:
    if token in _PAUSES:
        state.last_word = ","
    if not token[0].isalpha():
        if token in _FULL_STOPS:
            state.awaiting_verb = state.present = False
        if token[0].isdigit():
            state.last_word = token
        return token
    word = token.lower().replace("’", "'")
    head, _, tail = word.partition("'")
    if head in _SINGULAR or head in _PLURAL:
        result = _subject(word, head, tail, tokens, at, state)
    elif state.awaiting_verb:
        result = _verb(token, word, state)
    else:
        result = _other(token, word, tokens, at, state)
    # "…, definitely want to": the adverb does not hide the comma.
    if not (state.last_word == "," and is_adverb(word)):
        state.last_word = word
    return result


def _subject(word: str, head: str, tail: str, tokens: list[str], at: int, state: _Retelling) -> str:
    label = state.owner if head in _SINGULAR else state.group
    if head in ("im", "ive"):
        head, tail = "i", head[1:]
    plural = head == "i" and state.last_word == "and" and not state.present and _is_pair(tokens, at)
    state.verb_plural, state.awaiting_verb = plural, True
    # "I work and I live": said once is enough.
    subject = "" if state.present and state.last_word == "and" and state.mentioned else state.name(label)
    if not tail:
        return subject
    verb = _CONTRACTIONS.get(f"'{tail}", tail)
    if verb == "would" and _next_word(tokens, at) in _HAD_AFTER:
        verb = "had"
    state.awaiting_verb = False
    state.present = verb in ("am", "are", "have")
    told = verb if plural and verb != "am" else third_person_verb(verb)
    return f"{subject} {told}".strip()


def _is_pair(tokens: list[str], at: int) -> bool:
    """'My wife and I live': two people, the verb is already right; 'My name is Mira and I work' is one."""
    before = [token.lower().replace("’", "'") for token in tokens[:at]]
    return at > 2 and _FINITE.isdisjoint(before) and not any(word in _FULL_STOPS for word in before)


def _verb(token: str, word: str, state: _Retelling) -> str:
    if is_adverb(word):
        return token
    state.awaiting_verb = False
    told = token if state.verb_plural else third_person_verb(token)
    state.present = told != token or word in ("can", "can't", "will", "won't", "must", "should")
    state.modal = word in _MODALS
    if word in UNCHANGED:
        state.present = state.modal
    return told


def _other(token: str, word: str, tokens: list[str], at: int, state: _Retelling) -> str:
    if word in ("my", "our"):
        return state.possessive()
    if word in ("me", "us"):
        return _object(word, tokens, at, state)
    if word in ("mine", "ours"):
        return state.possessive().replace("their", "theirs")
    if word in ("myself", "ourselves"):
        return "themselves"
    if word == "am" and state.last_word in ("and", "but"):
        return "is"
    return third_person_verb(token) if _goes_on(word, tokens, at, state) else token


def _object(word: str, tokens: list[str], at: int, state: _Retelling) -> str:
    label = state.name(state.owner if word == "me" else state.group)
    # "Me and Poppy love our walks": a subject in all but form.
    is_subject = _next_word(tokens, at) == "and" and at < 2
    return f"the {label}" if label == "user" and not is_subject else label


def _goes_on(word: str, tokens: list[str], at: int, state: _Retelling) -> bool:
    """Whether the word is a further verb of the person's, whose subject is left out."""
    joints = (",",) if state.modal else ("and", "but", "or", ",")
    return state.present and state.last_word in joints and word in COMMON and _opens_phrase(tokens, at)


def _opens_phrase(tokens: list[str], at: int) -> bool:
    following = _next_word(tokens, at)
    return not following or following in _ARTICLES or following.endswith(("ing", "s")) or is_adverb(following)


def _next_word(tokens: list[str], at: int) -> str:
    return next((token.lower() for token in tokens[at + 1 :] if token[0].isalpha()), "")
