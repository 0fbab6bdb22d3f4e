"""What people ask not to remember: taken out of a transcript, and recognised should a model tell it all the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import regex

from memoryapp.llm.language.requests import asks_not_to_remember
from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.llm.tasks import TranscriptMessage

LEFT_OUT = "[…]"

_SENTENCE = regex.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)")
# What is left of a bare request such as "Please don't remember that, okay?" says nothing by itself.
_BARE_WORDS = 2
# Words of the request itself, which tell nothing of what it is about.
_REQUEST_WORDS = content_words(
    "remember store storing save saving record recording keep keeping note noting log memorize memorise write writing "
    "put add forget memory mention told confidential private secret off between storage anything next following stay "
    "recuerdes recuerde guardes guarde memorices registres apuntes anotes almacenes conserves grabes nada entre "
    "nosotros extraoficial confidencial merk merken speichere speichern notiere notieren behalte vergiss bitte unter "
    "nicht 不要记住 不要记下 不要保存 不要存储 不要记录 别记 请勿记 保密 当我没说 仅限我们之间 不要外传 覚えないで "
    "記録しないで ここだけの話 オフレコ 内緒"
)


@dataclass(frozen=True, slots=True)
class OffRecord:
    """A transcript without what must not be kept, and the words that only its private parts say."""

    messages: tuple[TranscriptMessage, ...]
    private_words: frozenset[str] = frozenset()

    def leaks_into(self, text: str) -> bool:
        """Whether the text tells something that was said off the record."""
        return bool(self.private_words and content_words(text) & self.private_words)


def take_off_record(messages: Sequence[TranscriptMessage], known: Iterable[str] = ()) -> OffRecord:
    """The transcript without what its people asked not to remember, and the words by which a leak is recognised.

    A request covers its own sentence; a bare one ("don't store that") its message, or the one before when there is
    nothing else in it. An assistant's answer that repeats private words is left out as well.
    """
    spoken = [message for message in messages if message.role == "user"]
    private: dict[int, list[str]] = {}
    for position, message in enumerate(spoken):
        for number, text in _private_parts(message, spoken[position - 1] if position else None):
            private.setdefault(number, []).append(text)
    if not private:
        return OffRecord(tuple(messages))
    open_texts = [_without(message.text, private.get(message.number, [])) for message in spoken]
    words = _own_words([text for parts in private.values() for text in parts], [*open_texts, *known])
    return OffRecord(
        tuple(_left_out(message, private.get(message.number, []), words) for message in messages), words
    )


def _private_parts(message: TranscriptMessage, previous: TranscriptMessage | None) -> list[tuple[int, str]]:
    if not asks_not_to_remember(message.text):
        return []
    sentences = [found.group() for found in _SENTENCE.finditer(message.text) if found.group().strip()]
    asking = [position for position, sentence in enumerate(sentences) if asks_not_to_remember(sentence)]
    if not asking:
        return [(message.number, message.text)]
    if any(_tells(sentences[position]) for position in asking):
        return [(message.number, text) for position in asking for text in _covered(sentences, position)]
    if len(sentences) == 1 and previous is not None:
        return [(message.number, message.text), (previous.number, previous.text)]
    return [(message.number, message.text)]


def _covered(sentences: Sequence[str], position: int) -> Sequence[str]:
    """The sentence of a request; everything after it when it announces something with a colon."""
    announces = regex.search(r"[:：]\s*\S", sentences[position]) or sentences[position].rstrip().endswith(
        (":", "：")
    )
    return sentences[position:] if announces else sentences[position : position + 1]


def _tells(sentence: str) -> bool:
    """Whether a sentence with a request also says what it is about."""
    return len(_strong_words(sentence)) >= _BARE_WORDS


def _strong_words(text: str) -> frozenset[str]:
    return frozenset(word for word in content_words(text) - _REQUEST_WORDS if not is_weak(word))


def _own_words(private: Sequence[str], others: Sequence[str]) -> frozenset[str]:
    """The words of the private texts that are not said openly too."""
    said = frozenset().union(*(_strong_words(text) for text in private))
    return said - frozenset().union(*(content_words(text) for text in others))


def _without(text: str, parts: Sequence[str]) -> str:
    for part in parts:
        text = text.replace(part, " ")
    return text


def _left_out(message: TranscriptMessage, parts: Sequence[str], words: frozenset[str]) -> TranscriptMessage:
    if message.role == "assistant":
        return replace(message, text=LEFT_OUT) if content_words(message.text) & words else message
    return (
        replace(message, text=f"{_without(message.text, parts).strip()} {LEFT_OUT}".strip())
        if parts
        else message
    )
