"""Reads the word, quotation, code or phrase that stands at a place of a text."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoryapp.safety import values
from memoryapp.safety.secret_words import Tier

QUOTED = re.compile(
    r"\"(?!\s)([^\"\n]{1,200})\"|'(?!\s)([^'\n]{1,200})'|`(?!\s)([^`\n]{1,200})`|“([^”\n]{1,200})”|「([^」\n]{1,200})」"
    r"|«([^»\n]{1,200})»|‘([^’\n]{1,200})’|„([^“”\n]{1,200})[“”]"
)
BARE = re.compile(r"[^\s\"'`<>“”‘’「」«»，。；！？、…（）]{1,200}")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
PHRASE_END = re.compile(r"[.;!?\n\"。；！？，]|\s[-–—]\s|,\s|\s(?:and|but|y|und|for|which|pero|aber)\s|$")
NEXT_FIELD = re.compile(r"[;,|&](?=[\w .-]{1,40}=|$)")
LOGIN_PAIR = re.compile(r"[\"'`(]?[\w.@+-]{1,60}\s?[:/]\s?([^\s\"'`,;)]{3,100})")


class Value(NamedTuple):
    """A candidate at `text[start:end]`, and how the text offers it."""

    start: int
    end: int
    word: str
    quoted: bool


def read_value(text: str, position: int, tier: Tier) -> Value | None:
    """The word, quotation, code or phrase that stands at the position."""
    quoted = QUOTED.match(text, position)
    if quoted:
        start, end = quoted.span(quoted.lastindex or 0)
        return Value(start, end, text[start:end], quoted=True)
    if tier is Tier.CODE:
        code = values.CODE.match(text, position)
        return Value(*code.span(), code[0], quoted=False) if code else None
    if tier is Tier.PHRASE:
        stop = PHRASE_END.search(text, position, position + 200)
        end = stop.start() if stop else min(len(text), position + 200)
        return Value(position, end, text[position:end], quoted=False) if end > position else None
    return _read_word(text, position)


def second_of_pair(text: str, position: int) -> Value | None:
    """The password of "ada / x" or "ada:x"."""
    pair = LOGIN_PAIR.match(text, position)
    if not pair:
        return None
    word = _without_punctuation(pair[1])
    start = pair.start(1)
    return Value(start, start + len(word), word, quoted=False) if values.is_mixed(word) else None


def _read_word(text: str, position: int) -> Value | None:
    bare = BARE.match(text, position)
    if not bare:
        return None
    word = bare[0]
    other_script = CJK.search(word)
    if other_script and other_script.start() > 0:
        word = word[: other_script.start()]
    following = NEXT_FIELD.search(word)
    if following and following.start() > 0:
        word = word[: following.start()]
    word = _without_punctuation(word)
    return Value(position, position + len(word), word, quoted=False) if word else None


def _without_punctuation(word: str) -> str:
    word = word.rstrip(".,;:*_" if word.strip("*_") else "")
    for opening, closing in ("()", "[]", "{}"):
        while word.endswith(closing) and word.count(opening) < word.count(closing):
            word = word[:-1].rstrip(".,;:")
    return word
