"""How much fits: token estimates by script, and cutting text where it hurts least."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

# A letter of a script written without spaces is about a token; of the others about four characters are.
DENSE_SCRIPT = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
CHARACTERS_PER_TOKEN = 4
# What a chat model's template wraps around each message.
TOKENS_PER_MESSAGE = 4


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes; a little too many rather than too few."""
    dense = len(DENSE_SCRIPT.findall(text))
    return dense + -(-(len(text) - dense) // CHARACTERS_PER_TOKEN)


def cut_to_tokens(text: str, tokens: int) -> str:
    """The beginning of a text that takes about so many tokens."""
    if estimate_tokens(text) <= tokens:
        return text
    room = tokens * CHARACTERS_PER_TOKEN
    for at, character in enumerate(text):
        room -= CHARACTERS_PER_TOKEN if DENSE_SCRIPT.match(character) else 1
        if room < 0:
            return text[:at]
    return text


class Sized(Protocol):
    """Something with a text, such as a message."""

    @property
    def text(self) -> str: ...


Item = TypeVar("Item", bound=Sized)


def newest_within(messages: Sequence[Item], tokens: int, *, at_least: int) -> list[Item]:
    """The newest messages that fit into so many tokens, oldest first; the last `at_least` whether they fit or not."""
    kept: list[Item] = []
    for message in reversed(messages):
        tokens -= estimate_tokens(message.text) + TOKENS_PER_MESSAGE
        if tokens < 0 and len(kept) >= at_least:
            break
        kept.append(message)
    return kept[::-1]


def first_within(items: Sequence[Item], tokens: int, limit: int) -> list[Item]:
    """The first items, at most `limit`, that fit into so many tokens; one that is too long is passed over."""
    kept: list[Item] = []
    for item in items:
        cost = estimate_tokens(item.text)
        if len(kept) < limit and cost <= tokens:
            kept.append(item)
            tokens -= cost
    return kept
