"""Gate 1: would it matter to somebody who knows nothing else, days or weeks from now?"""

from __future__ import annotations

import regex

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.passages import looks_like_output
from memoryapp.llm.backends.offline.recognise import find_noise, find_rule
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.llm.tasks import Candidate

LEAST_CONFIDENCE = 0.6
_TURN_LOCAL = compile_both(
    r"\b(?:this (?:time|answer|reply|response|message|question|task|conversation)|in (?:at most |"
    r"under )?\d+ (?:words?|sentences?|lines?|characters?)|"
    r"(?:at most|under|max(?:imum)?|within|no more than|up to|fewer than|less than) (?:\d+|\w+) (?:words?|"
    r"sentences?|lines?|characters?|bullets?|paragraphs?)|"
    r"(?:\d+|\w+)[- ](?:word|sentence|line|character)s? (?:answer|reply|response|summary|limit)|"
    r"esta (?:vez|respuesta|pregunta)|(?:en|máximo|menos de) \d+ palabras|diesmal|in \d+ wörtern)\b|这次|"
    r"本次|这个回答|\d+\s*(?:个)?字(?:以内|之内)?|今回|\d+文字",
    regex.IGNORECASE,
)
_STANDING = compile_both(
    r"\b(?:(?:the assistant['’]s|your|my) (?:answers|replies|responses|messages|summaries|e-?mails|reports|"
    r"explanations)|always|never|every|each|all|whenever|from now on|by default|in general|siempre|nunca|"
    r"cada|"
    r"todas?|todos|immer|nie|jede[nrs]?)\b|以后|每次|总是|一律|永远|必ず|いつも|毎回|今後",
    regex.IGNORECASE,
)
# "Don't …" and "… before you …" read like a request, and are a rule when given as one.
_FOR_GOOD = compile_both(
    r"\b(?:not|don['’]?t|never|no|only|before|after|when(?:ever)?|if|unless|without|between|during|"
    r"on \w+days?|"
    r"must|sin|antes|después|cuando|si|salvo|solo|sólo|ohne|nicht|vor|wenn|nur)\b|不|别|勿|禁|只|之前|"
    r"必须|要先",
    regex.IGNORECASE,
)
# Who gives a reason means more than this once.
_GIVES_REASON = compile_both(
    r"\b(?:reason:|because|so that|otherwise|motivo:|porque|weil|grund:)|因为|否则|理由", regex.IGNORECASE
)
_OF_THE_MOMENT = regex.compile(
    r"\b(?:(?:right now|at the moment)(?! ?:| is (?:an?|the)\b)|currently (?:in|on|at) the [\w ]*(?:page|"
    r"panel|tab|menu|screen)|"
    r"current time|the time is|\d{1,3} ?% (?:done|complete)|is (?:tired|hungry|bored|in a hurry|"
    r"in a meeting)|"
    r"(?:greeted|thanked|said (?:hello|hi|thanks|goodbye)(?! to (?!the assistant))|acknowledged|"
    r"confirmed receipt|"
    r"(?<=\buser )(?:asked|requested|wants? (?:the assistant )?to (?:know|run (?:the|a|an|this|it)|open|"
    r"check|summari[sz]e|"
    r"translate))))\b|"
    r"HEARTBEAT_OK|NO_REPLY",
    regex.IGNORECASE,
)
_AS_FIRST = (
    (regex.compile(r"^(?:as of [\d-]+,?\s*)", regex.IGNORECASE), ""),
    (regex.compile(r"^(?:the )?(?:user )?rule\s*:\s*", regex.IGNORECASE), ""),
    (regex.compile(r"^(?:the )?user is\b", regex.IGNORECASE), "I am"),
    (regex.compile(r"^(?:the )?user has\b", regex.IGNORECASE), "I have"),
    (regex.compile(r"^(?:the )?user['’]s\b", regex.IGNORECASE), "my"),
    (regex.compile(r"^(?:the )?user (?=\w+s\b)(\w+)s\b", regex.IGNORECASE), r"I \1"),
    (regex.compile(r"^(?:the )?user\b", regex.IGNORECASE), "I"),
    (regex.compile(r"\bthe user['’]s\b", regex.IGNORECASE), "my"),
    (regex.compile(r"\bthe user\b", regex.IGNORECASE), "me"),
    (regex.compile(r"\bthe assistant['’]s\b", regex.IGNORECASE), "your"),
    (regex.compile(r"\bthe assistant\b", regex.IGNORECASE), "you"),
    (regex.compile(r"^用户"), "我"),
)  # fmt: skip


def check_utility(candidate: Candidate, context: Context) -> Stopped | None:
    """Why the candidate is of no use later; nothing when it is."""
    if candidate.expires and candidate.expires < context.today:
        return Stopped("utility", "It is over already.")
    if not candidate.explicit:
        stopped = _passing(candidate) or _of_the_moment(candidate)
        if stopped:
            return stopped
    return _unwanted(candidate.text, context)


def _passing(candidate: Candidate) -> Stopped | None:
    if candidate.scope == "session":
        return Stopped("utility", "It matters in this conversation only.")
    if candidate.stability == "transient":
        return Stopped("utility", "It will have passed by tomorrow.")
    if candidate.confidence < LEAST_CONFIDENCE:
        return Stopped("utility", "It is too uncertain.")
    if _TURN_LOCAL.search(candidate.text) and not _STANDING.search(candidate.text):
        return Stopped("utility", "It was asked for one answer, not for good.")
    return None


def _of_the_moment(candidate: Candidate) -> Stopped | None:
    text = candidate.text
    if _OF_THE_MOMENT.search(text):
        return Stopped("utility", "It is of the moment.")
    if looks_like_output(text):
        return Stopped("utility", "It is output of a tool, not something anybody said.")
    if candidate.category == "rule" and (_FOR_GOOD.search(text) or _GIVES_REASON.search(text)):
        return None
    pack = pack_for(detect_language(text))
    spoken = as_first_person(text)
    noise = find_noise(spoken, pack)
    if noise and noise.gate == "utility" and find_rule(spoken, pack, companion=True) is None:
        return Stopped("utility", f"It is {noise.reason}.")
    return None


def as_first_person(text: str) -> str:
    """The fact as its person would say it, so that the rules for what people say apply."""
    for pattern, written in _AS_FIRST:
        text = pattern.sub(written, text)
    return text


def _unwanted(text: str, context: Context) -> Stopped | None:
    """What the workspace's own rules leave out: a rule's telling words all occur."""
    words = content_words(text)
    for rule in context.overlay.exclude:
        telling = frozenset(word for word in content_words(rule) if not is_weak(word)) - _RULE_WORDS
        if telling and telling <= words:
            return Stopped("utility", f"This agent does not keep such things: {rule}")
    return None


_RULE_WORDS = content_words(
    "never do not don't store keep remember save note anything everything about regarding related details "
    "information any user's of and or topics no skip ignore exclude"
)
