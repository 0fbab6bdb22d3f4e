"""The reply without a model: what is remembered about the message, or that nothing is."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from memoryapp.llm.backends.offline.files import undated
from memoryapp.llm.chat_input import ChatInput, Remembered
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.forget_talk import points_back
from memoryapp.llm.language.requests import asked_to_forget, asks_not_to_remember
from memoryapp.llm.language.wording import overlap

MOST_TOLD = 5
# Without a shared word a memory is told only when the search was this sure of it, and not much less than of the best.
SURE = 0.4
BESIDE_BEST = 0.6
QUESTION = regex.compile(
    r"[?？¿]|^\s*(?:what|who|whom|whose|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|should|would|will"
    r"|tell\s+me|remind\s+me|qué|quién|cuándo|dónde|cuál|cómo|cuánto|dime|recuérdame)\b"
    r"|什么|谁|哪|何时|几点|几号|怎么|为什么|多少|吗|呢\s*$|告诉我|提醒我",
    regex.IGNORECASE,
)
# Whoever asks for all that is known is not asking about any word of the question.
ASKS_FOR_ALL = regex.compile(
    r"\bwhat (?:all |else )?(?:do|did|can) you (?:know|remember|recall|have|tell me)\b.* (?:about|of|on) me\b"
    r"|\bqué (?:más )?(?:sabes|recuerdas|conoces) (?:de|sobre|acerca de) mí\b"
    r"|(?:知道|记得|了解|記得)(?:关于)?我的?(?:什么|哪些|多少|些什么|情况)|(?:对|關於|关于)我.{0,4}(?:知道|记得|了解|記得)",
    regex.IGNORECASE,
)
MOST_OF_ALL = 12
WORDS = {
    "en": {
        "answer": "What I remember about this:",
        "nothing": "I remember nothing about that yet.",
        "noted": "Noted. What is worth keeping of it, I will keep.",
        "related": "Noted. I also remember:",
        "unkept": "Understood. I will not keep this.",
        "forget": "There is nothing of that kind that I remember.",
    },
    "zh": {
        "answer": "关于这件事，我记得：",
        "nothing": "关于这件事，我还没有任何记忆。",
        "noted": "好的。其中值得保留的内容，我会记住。",
        "related": "好的。我还记得：",
        "unkept": "好的，这件事我不会记下来。",
        "forget": "我没有关于这件事的记忆。",
    },
    "es": {
        "answer": "Esto es lo que recuerdo:",
        "nothing": "Todavía no recuerdo nada sobre eso.",
        "noted": "Anotado. Guardaré lo que valga la pena.",
        "related": "Anotado. También recuerdo:",
        "unkept": "Entendido. No guardaré esto.",
        "forget": "No recuerdo nada de eso.",
    },
}


def reply(turn: ChatInput) -> str:
    """An answer in the message's language that says nothing which is not remembered."""
    words = WORDS.get(detect_language(turn.message), WORDS["en"])
    if asks_not_to_remember(turn.message):
        return words["unkept"]
    # What could be forgotten was before a reply was asked for.
    if asked_to_forget(turn.message) or points_back(turn.message):
        return words["forget"]
    asks = QUESTION.search(turn.message) is not None
    told = _relevant(turn, asks=asks)
    if not told:
        return words["nothing"] if asks else words["noted"]
    return "\n".join(
        [words["answer"] if asks else words["related"], *(f"- {one.text.strip()}" for one in told)]
    )


def _relevant(turn: ChatInput, *, asks: bool) -> list[Remembered]:
    """What was recalled and bears on the message, then what always stands and shares a word with it."""
    if ASKS_FOR_ALL.search(turn.message):
        return _once([*turn.standing, *turn.recalled])[:MOST_OF_ALL]
    sure = max(SURE, BESIDE_BEST * max((one.score for one in turn.recalled), default=0.0))
    found = [one for one in turn.recalled if overlap(turn.message, one.text) or (asks and one.score >= sure)]
    standing = [one for one in turn.standing if overlap(turn.message, one.text)]
    return _once([*found, *standing])[:MOST_TOLD]


def _once(remembered: Iterable[Remembered]) -> list[Remembered]:
    """Each saying once: the day's note says a fact again, without its date."""
    sayings: dict[str, Remembered] = {}
    for one in remembered:
        sayings.setdefault(undated(one.text.strip()).casefold(), one)
    return list(sayings.values())
