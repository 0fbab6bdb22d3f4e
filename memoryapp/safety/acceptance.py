"""Decides whether a value counts as a credential, given the word it belongs to and how the text ties the two."""

from __future__ import annotations

import re

from memoryapp.safety import values
from memoryapp.safety.plain_words import SMALL_WORDS, TECHNICAL_WORDS
from memoryapp.safety.reading import CJK, Value
from memoryapp.safety.secret_words import LOGINS, Mention, Tier

CJK_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,8}(?=\s|$|[，。；！？、,.;!?])")
CJK_PLAIN = re.compile(
    "什么|多少|谁|哪|不|没|错|对|空|必|需|存|保|加|在|由|一|正确|过期|强|弱|我|你|他|她|它|这|那|随机|自动|默认"
    "|旧|新|很|太|最|被|有|无|公|私|共|定|每|用|以|从|同|安全|重要|明文|密文|可|能|要|应|个|为|临时|永久|唯一|单|多|难|简|复杂|容易|手机|生日"
)
CLAUSE_END = re.compile(
    r"\s*(?:$|[\n.,;:!?)\]，。；！？）了哦吧啊呢])"
    r"|\s+(?:[-–—]|(?:and|but|or|so|for|in|on|please|btw|thanks|y|e|pero|para|und|aber|für)\b)"
)
LONG_NUMBER = re.compile(r"(?!(?:19|20)\d{6}$)\d{6,12}")  # and no date
LONG_WORD = re.compile(r"(?![a-z]*(?:tion|ment|ness|ity|ance|ence|ship|ism|ung|heit|keit)$)[a-z]{12,}")
WORDS_AND_NUMBER = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]{2,})+-?\d{1,4}")
PASSWORDS_TOO = frozenset(
    ("pass", "clave", "auth", "wpa2", "wpa3", "psk")
)  # only where something is given to them
DIGITS_ONLY = frozenset(
    ("pin", "otp", "tan", "door code", "gate code", "locker code", "safe code", "security code", "passkey")
)


def is_accepted(text: str, mention: Mention, value: Value, *, assigned: bool) -> bool:
    """Whether a value that a sign or a verb ties to the word counts for this word's tier."""
    tier, word = mention.word.tier, value.word
    if tier is Tier.CODE:
        return _is_code(mention, word)
    if values.is_empty(word):
        return False
    if tier is Tier.PHRASE:
        return value.quoted or _is_phrase(word)
    if tier is Tier.PASSWORD:
        return _is_password(text, value, assigned=assigned)
    if tier is Tier.TOKEN:
        return _is_token(word, assigned=assigned)
    if mention.word.word in LOGINS:
        return False
    if mention.word.word == "pass" and values.is_odd(word):
        return True
    if mention.word.word in PASSWORDS_TOO and (assigned or mention.word.word == "clave"):
        return values.is_mixed(word)
    return values.is_generated(word, 16)


def _is_token(word: str, *, assigned: bool) -> bool:
    if values.UUID.fullmatch(word) or values.is_generated(word):
        return True
    return assigned and (values.is_mixed(word) or bool(LONG_WORD.fullmatch(word)))


def _is_password(text: str, value: Value, *, assigned: bool) -> bool:
    """Whether a word stated to be a password is one, and not the rest of a sentence about passwords."""
    word = value.word
    if values.MEASURE.fullmatch(word) or word.lower() in TECHNICAL_WORDS:
        return False
    if value.quoted:
        return len(word) >= 3
    if CJK.match(word):
        whole = CJK_WORD.match(text, value.start)
        return bool(whole) and not CJK_PLAIN.match(word)
    if word.isdigit():
        return len(word) >= 4
    if word.replace("-", "").isalpha():
        return len(word) >= 4 and not values.is_plain_word(word) and bool(CLAUSE_END.match(text, value.end))
    return len(word) >= 4 and (assigned or not values.VERSION.fullmatch(word))


def _is_phrase(words: str) -> bool:
    """Whether the words are a passphrase: one secret-looking word, or several without the small words of a sentence."""
    several = words.lower().split()
    if len(several) < 3:
        return bool(several) and not values.is_plain_word(several[0])
    return not SMALL_WORDS.intersection(several)


def is_clear(text: str, mention: Mention, value: Value) -> bool:
    """Whether a value counts although nothing but its place ties it to the word."""
    tier, word = mention.word.tier, value.word
    if tier is Tier.CODE:
        # "pin 2024 to the board" is a verb; a PIN beside its digits is written in capitals.
        is_verb = mention.word.word in ("pin", "tan") and text[mention.start : mention.end].islower()
        is_told = bool(values.DIGIT.search(word)) or ("-" in word and word.isupper())
        return not is_verb and is_told and len(word) >= 4 and _is_code(mention, word)
    if tier is Tier.PHRASE:
        return False
    if tier is Tier.KEY:
        return mention.word.word == "key" and len(word) >= 20 and values.is_random(word)
    if tier is Tier.PASSWORD:
        return values.is_mixed(word) or bool(LONG_NUMBER.fullmatch(word) or WORDS_AND_NUMBER.fullmatch(word))
    return values.is_generated(word, 12)


def is_told_word(text: str, mention: Mention, word: str, end_of_clause: int) -> bool:
    """Whether an ordinary-looking word counts in "set the password to x." and "x is my password."."""
    is_word = len(word) >= 4 and word.isalpha() and not CJK.match(word) and not values.is_plain_word(word)
    return mention.word.tier is Tier.PASSWORD and is_word and bool(CLAUSE_END.match(text, end_of_clause))


def _is_code(mention: Mention, word: str) -> bool:
    if (
        not values.CODE.fullmatch(word)
        or values.DATE_OR_TIME.fullmatch(word)
        or values.MEASURE.fullmatch(word)
    ):
        return False
    return bool(values.DIGIT.search(word)) or "-" in word or mention.word.word not in DIGITS_ONLY
