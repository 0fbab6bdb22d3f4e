"""From messages to sentences: who said it, in which language, and what was asked not to be kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import regex

from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.passages import own_words
from memoryapp.llm.backends.offline.statements import Sentence
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.wordlists import words
from memoryapp.llm.tasks import ExtractionInput, TranscriptMessage

_ABBREVIATION = (
    r"(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Jr|approx|ca|vs|etc|e\.g|i\.e|a\.m|p\.m|No|Nr|Inc|Ltd|Co|z\.B|"
    r"d\.h|u\.a|bzw|Ave|Dept|min|max|incl|excl|Hr|Fr|Srta|Dra|Ud|Uds|aprox|pág|tel|\p{Lu}))"
)
_END = regex.compile(
    rf"(?<=[!?…]+[\"”')\]]*)\s+|(?<=(?<!\.){_ABBREVIATION}\.[\"”')\]]*)\s+(?=\S)(?!(?<=\b[Nn]o\.\s)\d)"
    r"(?!(?<=\b\d{1,2}\.\s)(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\p{L}*)|"
    r"(?<=[。！？；!?])\s*(?=\p{Han}|\p{Hiragana}|\p{Katakana}|\p{L})(?<=[。！？；]\s*)|\n+"
)
_SPEAKER_LINE = regex.compile(
    r"^\s*(?P<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’.-]+)?|\p{Han}{2,4})\s*(?:[:：]\s+|：)(?P<text>\S.*)$"
)
_NO_SPEAKER = words(
    "note update question answer reason ps context background status todo goal plan summary example "
    "warning error info tip reminder "
    "policy rule decision budget deadline location address name email phone user assistant system regla "
    "nota pregunta contexto "
    "ejemplo motivo aviso error hinweis frage grund beispiel lesson correction stack output input result "
    "log code fix issue 注意 备注 问题 "
    "例如 原因 规则 用户 助手 地址 预算 更新 补充"
)


def sentences_of(task: ExtractionInput) -> list[Sentence]:
    """Every sentence that people said in the conversation, tidied; assistant messages have none."""
    known = [fact.text for fact in task.known]
    named = speaker_names(task.messages)
    addressed = _addressing(task)
    found: list[Sentence] = []
    for message in task.messages:
        if message.role != "user":
            continue
        day = local_day(message, task)
        default_speaker = (message.name or "") if len(named) > 1 else ""
        for speaker, line in _by_speaker(own_words(message.text, known)):
            line = addressed.sub("", line) if addressed else line
            found += _sentences(line, message.number, day, speaker or default_speaker)
    return found


def _addressing(task: ExtractionInput) -> regex.Pattern[str] | None:
    """The other's name, also a short form of it, where it is only a way of speaking to them."""
    names = {message.name for message in task.messages if message.role == "assistant" and message.name}
    names |= {task.assistant_name} if task.assistant_name else set()
    short = {name[:length] for name in names for length in range(3, len(name) + 1)}
    if not short:
        return None
    name = "|".join(regex.escape(one) for one in sorted(short, key=len, reverse=True))
    return regex.compile(
        rf"(?:(?<=^|[.!?…] )(?:(?:thanks|hey|hi|wow|yep|yeah|aww?|oh|thank you|cheers|woohoo|whoa|"
        rf"congrats),? )?(?:{name})[,!.:]+ *|"
        rf",? (?:{name})(?=\s*[.!?…]|\s*$))",
        regex.IGNORECASE,
    )


def speaker_names(messages: Iterable[TranscriptMessage]) -> set[str]:
    """The names under which people spoke; two or more make a group talk."""
    return {message.name for message in messages if message.role == "user" and message.name}


def local_day(message: TranscriptMessage, task: ExtractionInput) -> date:
    """The date on which the message was said, where its author lives."""
    if message.at is None:
        return task.today
    try:
        return message.at.astimezone(ZoneInfo(task.time_zone)).date()
    except (ZoneInfoNotFoundError, ValueError):
        return message.at.date()


def _by_speaker(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with the name in front of it, when several lines show that it is a talk of named people."""
    matches = [_SPEAKER_LINE.match(line) for line in lines]
    names = {match["name"] for match in matches if match and match["name"].casefold() not in _NO_SPEAKER}
    for line, match in zip(lines, matches, strict=True):
        if len(names) > 1 and match and match["name"] in names:
            yield match["name"], match["text"]
        else:
            yield "", line


def _sentences(line: str, message: int, day: date, speaker: str) -> list[Sentence]:
    found: list[Sentence] = []
    for piece in filter(None, ((part or "").strip() for part in _END.split(line))):
        language = detect_language(piece, default=detect_language(line))
        pack = pack_for(language)
        text = pack.tidy(piece)
        explicit = bool(pack.explicit.match(text)) or bool(pack.keep_in_mind.search(piece))
        text = pack.tidy(pack.explicit.sub("", text)) if pack.explicit.match(text) else text
        if not text and explicit and found:
            # "I'm allergic to nickel. Keep that in mind!"
            found[-1] = replace(found[-1], explicit=True)
        else:
            # A bare greeting is tidied away; it is still told as what was left out.
            found.append(Sentence(text or piece, language, message, day, speaker, explicit, raw=piece))
    return found
