"""Judges a single word: could it be a credential, or is it an ordinary word, an identifier, a date, an address?"""

from __future__ import annotations

import math
import re
from collections import Counter

from memoryapp.safety.plain_words import INFLECTIONS, PLAIN_WORDS, TECHNICAL_WORDS

UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?")
E_MAIL = re.compile(r"[\w.+-]{1,80}@[\w-]{1,80}(?:\.[\w-]{1,40}){1,5}")
DATE_OR_TIME = re.compile(
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T[\d:.+Z-]*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r"|\d{1,2}[:h]\d{2}(?::\d{2})?(?:[ap]m)?|(?:19|20)\d{2}年.*"
)
VERSION = re.compile(r"[vV]?\d+(?:\.\d+){1,4}(?:[-+.]?(?:rc|beta|alpha|dev|post|LTS)[\w.]*)?")
MEASURE = re.compile(
    r"~?\d+(?:[.,]\d+)?-?(?:[%€$kKmM]|[kKMGT]i?[bB]|[nµm]?s|sec|min|h|hrs?|px|bits?|bytes?|chars?|"
    r"characters?|digits?|words?|letters?"
    r"|(?:second|minute|hour|day|week|month|year|item|time|token)s?|x)(?:-[a-z]+)*"
)
ORDINAL = re.compile(r"[A-Za-z]{1,12}[-.]?\d{1,4}|\d{1,4}-?(?:st|nd|rd|th)|\d{1,3}(?:[.,]\d{3})*")
ADDRESS = re.compile(
    r"(?:[a-zA-Z][a-zA-Z0-9+.-]{1,20}:)?//.*|www\..*|(?:\d{1,3}\.){3}\d{1,3}(?::\d+|/\d+)?|localhost.*"
)
HOST_NAME = re.compile(r"(?:[a-zA-Z0-9-]{1,63}\.){1,6}[a-zA-Z]{2,12}(?::\d{1,5})?(?:/.*)?")
PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[\\/].*|(?:[A-Za-z_.-]+/){2,}[\w.-]*|[\w-]*\.[A-Za-z]{1,4}\d?")
PLACEHOLDER = re.compile(
    r"[\[<({$%].*|[*•xX.…_#-]+|.*\.\.\..*|.*….*"
    r"|(?i:none|null|nil|true|false|string|str|bytes|int|integer|required|optional|redacted|masked|hidden|"
    r"unset|empty|undefined"
    r"|n/a|tbd|todo|changed|unchanged|secret|password|token|env|value)"
    r"|(?i:your|my|the|some|example|dummy|insert|enter|placeholder|put|user)[-_].*"
    r"|(?i:(?:os|process|settings|config|env|self|request|secrets|vars?|local)\.[a-z_]).*"
    r"|(?i:environ|vault)[\[:].*|[A-Za-z_][\w.]*[\[(].*|[a-z-]{1,20}="
    r"|(?i:[a-z]+(?:_[a-z]+)*_(?:password|hash|token|secret|key|pw))"
)
SNAKE_WORDS = re.compile(r"[A-Za-z]+(?:[_./:-][A-Za-z]+)+(?:[_./:-]?\d{1,4})?")
CODE = re.compile(
    r"(?:\d{3}[ -]\d{3}(?:[ -]\d{2,4})?|\d{2}(?: \d{2}){1,3}|\d{4}(?:[ -]\d{4}){1,3}"
    r"|[A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){1,7}|[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,5}"
    r"|\d{3,10}|(?=[A-Za-z]{0,12}\d)[A-Za-z0-9]{4,24}|[A-Z]{4,12})(?![A-Za-z0-9_@/]|[.:-][A-Za-z0-9_])"
)
LETTER = re.compile(r"[^\W\d_]")
DIGIT = re.compile(r"\d")
RANDOM_NAME = re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+]{10,}=*")
INNER_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
INNER_SYMBOL = re.compile(r"[!@#$%^&*?+~=|]")

HIGH_ENTROPY_BITS = 3.0


def is_empty(value: str) -> bool:
    """Whether the value only stands for one: a placeholder, a link or an address of where it is kept."""
    return any(form.fullmatch(value) for form in (PLACEHOLDER, ADDRESS, E_MAIL, DATE_OR_TIME))


def is_harmless(value: str) -> bool:
    """Whether the value is plainly something else: a placeholder, a date, a version, a measure, an address, a path."""
    forms = (VERSION, MEASURE, HOST_NAME, SNAKE_WORDS)
    return is_empty(value) or is_path(value) or any(form.fullmatch(value) for form in forms)


def is_path(value: str) -> bool:
    """Whether the value is a path; base64 has slashes too, but no names between them."""
    return bool(PATH.fullmatch(value)) and not any(RANDOM_NAME.fullmatch(name) for name in value.split("/"))


def is_mixed(value: str, least: int = 6) -> bool:
    """Whether the value mixes characters as people do in passwords and as words do not."""
    if len(value) < least or not LETTER.search(value):
        return False
    mixed = DIGIT.search(value) or INNER_SYMBOL.search(value, 1) or has_inner_capitals(value)
    return bool(mixed) and value.lower() not in TECHNICAL_WORDS and not is_harmless(value)


def is_generated(value: str, least: int = 8) -> bool:
    """Whether the value could be a generated token: long enough and mixed, or one very long run."""
    if is_mixed(value, least) and not ORDINAL.fullmatch(value):
        return sum(character.isdigit() for character in value) != 1 or len(value) >= 16
    return len(value) >= 16 and is_run(value) and not is_harmless(value)


def is_odd(value: str) -> bool:
    """Whether letters, digits and signs are mixed in a word as in a password and in nothing else."""
    if len(value) < 8 or is_harmless(value) or not (LETTER.search(value) and DIGIT.search(value)):
        return False
    return bool(INNER_SYMBOL.search(value, 1)) or has_inner_capitals(value)


def is_random(value: str) -> bool:
    """Whether a long word is random enough to be a secret merely because it stands near a word for one."""
    digits = sum(character.isdigit() for character in value)
    letters = sum(character.isalpha() for character in value)
    if digits < 3 or letters < 3 or UUID.fullmatch(value) or is_harmless(value):
        return False
    return entropy(value) >= HIGH_ENTROPY_BITS


def is_plain_word(value: str) -> bool:
    """Whether the value is an ordinary word that follows "the password is" in a sentence about passwords."""
    word = value.lower()
    return word in PLAIN_WORDS or word.endswith(INFLECTIONS)


def is_run(value: str) -> bool:
    """Whether the value is one run of letters and digits as a token is."""
    return value.isascii() and all(character.isalnum() or character in "_-+/=" for character in value)


def has_inner_capitals(value: str) -> bool:
    """Whether capitals stand inside a word more often than in any name in camel case."""
    inner = len(INNER_CAPITAL.findall(value)) if len(value) >= 8 else 0
    return inner >= 3 and inner * 5 >= len(value)


def entropy(value: str) -> float:
    """Bits per character of the value."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
