"""Finds random-looking strings that no grammar ties to a secret word but that stand close to one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from memoryapp.safety import values
from memoryapp.safety.findings import Finding
from memoryapp.safety.secret_words import Mention, Tier

BEFORE = 80  # characters a secret word may stand before the string
AFTER = 40  # and after it

CODE_REACH = 60

SENTENCE_END = re.compile(r"[.!?。！？](?:\s|$)|\n")
WORD = re.compile(r"(?<![^\s\"'`(\[“「:：])[^\s\"'`“”「」,;)\]]{8,64}(?<![.!?:])")
SHOWN_CODE = re.compile(r"(?<![\w-])(?=[A-Z-]*\d|[A-Z0-9]{4}-[A-Z]{4})[A-Z0-9]{3,5}-[A-Z0-9]{3,5}(?![\w-])")
SENT_CODE = re.compile(r"\bcode (?:is |was )?(?P<code>\d{4,8}|\d{3}[ -]\d{3})\b", re.IGNORECASE)
SENDING = re.compile(r"\b(?:sms|verification|verify|otp|2fa|mfa|log ?in|sign ?in|texted)\b", re.IGNORECASE)
PAIRING = re.compile(
    r"\b(?:pair(?:s|ed|ing)?|bluetooth|device code|link(?:ing)? code|activation|enter (?:it|this|that)|type "
    r"(?:it|this|that)|"
    r"koppel\w*|kopplung|vincul\w+|emparej\w+)\b|配对|蓝牙|绑定|ペアリング",
    re.IGNORECASE,
)
LONG_WORD = re.compile(r"(?<![\w+/=.~%-])[A-Za-z0-9+/_=.~%-]{20,400}(?![\w@])")
ADDRESS_BEFORE = re.compile(r"[^\s]*(?:://|www\.|[\w-]+\.[a-z]{2,6}/)[^\s]*$")
DESCRIBED = re.compile(
    r"\b(?:commit|sha\d*|hash|digest|checksum|revision|fingerprint|run|build|uuid|guid|id|sheet|spreadsheet|"
    r"document|doc|file|image|tag"
    r"|container|reference|ref|order|tracking|invoice|ticket|branch|folder|bucket|layer|etag|version|serial|"
    r"model|md5)s?\b"
    r"[^\w\n]{0,3}(?:\w{1,12}\W{1,3}){0,2}$|(?:提交|哈希|编号|表格|文件|文档|订单|容器)\S{0,6}\s?$",
    re.IGNORECASE,
)
HOOK_ADDRESS = re.compile(
    r"https?://[^\s\"'<>/]{3,100}/(?:[^\s\"'<>]{0,100}/)??(?P<secret>[\w-]{20,200})(?=[\s\"'<>/?.,)]|$)"
)


def find_nearby(text: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """Random-looking strings within reach of a secret word."""
    telling = [mention for mention in mentions if mention.word.tier in (Tier.PASSWORD, Tier.TOKEN)]
    if telling:
        starts = [mention.start for mention in telling]
        for match in LONG_WORD.finditer(text):
            mention = _mention_near(telling, starts, match)
            if mention and values.is_random(match[0]) and not _is_described(text, match.start()):
                yield Finding(*match.span(), mention.word.kind)
    yield from _odd_words(text, mentions)
    yield from _shown_codes(text)
    yield from _hook_addresses(text, mentions)


def _odd_words(text: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """A word in the same sentence as a password that nobody would write but as one."""
    for mention in mentions:
        if mention.word.tier is Tier.PASSWORD:
            for match in WORD.finditer(text, *_sentence_around(text, mention)):
                if values.is_odd(match[0]):
                    yield Finding(*match.span(), mention.word.kind)


def _sentence_around(text: str, mention: Mention) -> tuple[int, int]:
    """The part of the mention's sentence that is within reach of it."""
    start = max(0, mention.start - CODE_REACH)
    ends = [match.end() for match in SENTENCE_END.finditer(text, start, mention.start)]
    end = SENTENCE_END.search(text, mention.end, mention.end + BEFORE)
    return ends[-1] if ends else start, end.start() if end else mention.end + BEFORE


def _shown_codes(text: str) -> Iterator[Finding]:
    """The code of capitals and digits that a device shows for pairing."""
    for match in SHOWN_CODE.finditer(text):
        around = text[max(0, match.start() - CODE_REACH) : match.end() + CODE_REACH]
        if PAIRING.search(around) and not _is_described(text, match.start()):
            yield Finding(*match.span(), "code")
    for match in SENT_CODE.finditer(text):
        around = text[max(0, match.start() - CODE_REACH) : match.end() + CODE_REACH]
        if SENDING.search(around):
            yield Finding(*match.span("code"), "code")


def _mention_near(mentions: Sequence[Mention], starts: Sequence[int], match: re.Match[str]) -> Mention | None:
    following = bisect_left(starts, match.start())
    if following and match.start() - mentions[following - 1].end <= BEFORE:
        return mentions[following - 1]
    if following < len(mentions) and 0 <= starts[following] - match.end() <= AFTER:
        return mentions[following]
    return None


def _is_described(text: str, start: int) -> bool:
    """Whether the words before the string say that it is something else, or it is part of an address."""
    window = text[max(0, start - 60) : start]
    return bool(DESCRIBED.search(window)) or bool(ADDRESS_BEFORE.match(window.split(" ")[-1]))


def _hook_addresses(text: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """The secret part of an address that the text calls a webhook."""
    for mention in mentions:
        if mention.word.word == "webhook":
            match = HOOK_ADDRESS.search(text, mention.end, mention.end + BEFORE)
            if match and values.is_random(match["secret"]):
                yield Finding(*match.span("secret"), "webhook")
