"""Finds the value that a text gives for a secret word: `PASSWORD=x`, "the password for staging is x", "密码是x"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memoryapp.safety.acceptance import is_accepted, is_clear, is_told_word
from memoryapp.safety.findings import Finding
from memoryapp.safety.plain_words import SMALL_WORDS
from memoryapp.safety.reading import CJK, Value, read_value, second_of_pair
from memoryapp.safety.secret_words import LOGINS, Mention

# How far after a secret word its value may end, and how far before it may begin: keeps the search linear.
REACH = 260
LOOK_BACK = 100

_CLOSING = r"[*_`\"'”’»\])）】]{0,3}"
_REMARK = r"(?:\s{0,2}[(（\[][^()（）\[\]\n]{0,40}[)）\]])?"
_ASSIGNS = r"(?:=>|:=|={1,3}|:|->|→|\||：|＝)"
_PLACE = (
    r"(?:\s(?:for|to|of|on|at|in|from|with|para|de|del|en|a|für|von|zu|zum|zur|im|am|vom|pour|do|da|that|"
    r"which|der|des"
    r"|you|we|i|they)"
    r"\s[^\n;!?。，；]{1,70}?)"
)
_VERBS = (
    r"(?:(?:has been |have been |was |is |got )?(?:set|changed|reset|updated|rotated|switched) to"
    r"|used to be|has been|is|are|was|were|will be|should be|reads|becomes"
    r"|es|son|era|será|ahora es|sigue siendo|cambió a|queda como|ist|sind|war|lautet|heißt|bleibt|est|sera|é|è)"
)
_ADVERBS = (
    r"(?:\s(?:now|still|just|currently|again|literally|simply|called|ahora|todavía|jetzt|nun|noch|"
    r"weiterhin))?"
)
_NO_SPACES = (
    r"(?:现在|目前|暂时|已经|还|就)?(?:是|係|为|改成|改为|设成|设为|设置为|换成|換成|叫)了?|は|은|는|—|–"
)

ASSIGNED = re.compile(
    rf"{_CLOSING}{_REMARK}\s{{0,3}}{_ASSIGNS}[*_ \t>]{{0,4}}(?:\r?\n[ \t>*-]{{0,12}}){{0,2}}"
)
STATED = re.compile(
    rf"{_CLOSING}{_REMARK}{_PLACE}?"
    rf"(?:\s{{1,2}}{_VERBS}{_ADVERBS}\s?:?\s{{1,2}}|['’]s\s|\s{{0,2}}(?:{_NO_SPACES})\s{{0,2}}[:：]?\s{{0,2}})",
    re.IGNORECASE,
)
# "I rotated the password, it's x now": the pronoun stands for the word.
APPOSED = re.compile(
    r"[,;:]?\s(?:and\s|y\s|und\s)?(?:(?:it|that|this)(?:\s(?:is|was)|['’]s)|(?:ahora\s)?(?:es|será)|(?:es|"
    r"sie|das)\sist)"
    r"(?:\s(?:now|jetzt|ahora))?\s",
    re.IGNORECASE,
)
LOOSE_LINK = re.compile(r"[|\n]")  # a table cell or the next line: also what follows by chance
PLACED = re.compile(rf"{_CLOSING}{_PLACE}\s?{_ASSIGNS}\s{{1,3}}", re.IGNORECASE)
BESIDE = re.compile(r"[\"'`]?(?:\s{1,2}(?![\u3040-\u9fff])|(?=[\"`“「])|(?<=[\u3040-\u9fff])(?=[!-~]))")
CHANGED_TO = re.compile(r"\s(?:to|a|auf|por|in|into|en)\s")
CHANGING = re.compile(
    r"\b(?:chang|set|reset|updat|rotat|switch|cambi|actualiz|geändert|änder|setz|gesetzt)", re.IGNORECASE
)
SIBLING = re.compile(r"[\"'`”]?(?:\s?[,/、;]\s?|\s(?:and|or|y|o|und|oder)\s|和|或|\s{1,4}[-*]?\s?)[\"'`“]?")
# "the password manager", "for password hashing": then the sentence is about something else.
NOUN_AFTER = re.compile(
    r"[\"'’”]?\s+(?!(?:for|of|on|to|at|in|now|and|or|but|from|please|so|that|which|until|again|de|del|para|y|en"
    r"|für|von|zum|zur|und|auf|im)\b)[A-Za-zÀ-ÿ]",
    re.IGNORECASE,
)
USING = frozenset(("use", "used", "using", "try", "take", "enter"))
HALF_CODE = re.compile(r"\d{3,4}")
TWO_HALVES = re.compile(r"(?<!\d)(\d{3,4}[ -]\d{3,4})\s(?:is|es|ist|was)\s")
LINKING = frozenset(("is", "was", "as", "be", "becomes", "ist", "als", "es", "como", "será", "est"))
ARTICLES = frozenset(("the", "my", "our", "your", "a", "an", "la", "el", "una", "un", "der", "die", "das"))
LINK_BEFORE = re.compile(r"\s(?:is|was|as|be|becomes|for|ist|als|es|como|será|est)\s|[是为作]")
PREPOSITIONS = (SMALL_WORDS | {"about", "über", "sobre", "con"}) - LINKING - ARTICLES
BEFORE_CHINESE = re.compile(
    r"([!-~]{4,80})\s?(?:是|作为|当作|设为|设置为)(?:我的|我们的|你的|新的?)?[\u4e00-\u9fff]{0,6}$"
)


def find_statements(text: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """The value beside each mention, where the text gives one."""
    for mention in mentions:
        found = list(_values_after(text, mention)) or list(_value_before(text, mention))
        for value in found:
            yield Finding(value.start, value.end, mention.word.kind)


def _values_after(text: str, mention: Mention) -> Iterator[Value]:
    """The value after the word and those listed with it."""
    value = _linked_value(text, mention) or _value_beside(text, mention)
    if value is None:
        return
    yield value
    for _ in range(12):
        comma = SIBLING.match(text, value.end)
        following = comma and read_value(text, comma.end(), mention.word.tier)
        if not following or not is_clear(text, mention, following):
            return
        value = following
        yield value


def _linked_value(text: str, mention: Mention) -> Value | None:
    end = min(len(text), mention.end + REACH)
    for link, assigned in ((ASSIGNED, True), (STATED, False), (PLACED, True)):
        match = link.match(text, mention.end, end)
        if not match:
            continue
        value = read_value(text, match.end(), mention.word.tier)
        if value and LOOSE_LINK.search(match[0]) and not (value.quoted or is_clear(text, mention, value)):
            continue
        if value and is_accepted(text, mention, value, assigned=assigned):
            return value
        if mention.word.word in LOGINS and (pair := second_of_pair(text, match.end())):
            return pair
    return None


def _value_beside(text: str, mention: Mention) -> Value | None:
    """A value with no verb or sign between: "password hunter2", "changed the password to x"."""
    gap = BESIDE.match(text, mention.end)
    value = gap and read_value(text, gap.end(), mention.word.tier)
    if value and is_clear(text, mention, value):
        return value
    if gap and mention.word.word in LOGINS and (pair := second_of_pair(text, gap.end())):
        return pair
    told = APPOSED.match(text, mention.end)
    value = told and read_value(text, told.end(), mention.word.tier)
    if value and is_clear(text, mention, value):
        return value
    step = CHANGED_TO.match(text, mention.end)
    value = step and read_value(text, step.end(), mention.word.tier)
    if not value or not _is_changing(text, mention.start, value.end):
        return None
    is_told = (
        value.quoted or is_clear(text, mention, value) or is_told_word(text, mention, value.word, value.end)
    )
    return value if is_told else None


def _is_changing(text: str, start: int, end: int) -> bool:
    """Whether a verb of change stands before the word, or after the value as in German."""
    return bool(CHANGING.search(text, max(0, start - 60), start) or CHANGING.search(text, end, end + 30))


def _value_before(text: str, mention: Mention) -> Iterator[Value]:
    """A value told the other way round: "x is the password", "use x as the API key"."""
    if not LINK_BEFORE.search(text, max(0, mention.start - 50), mention.start) or NOUN_AFTER.match(
        text, mention.end
    ):
        return
    window = text[max(0, mention.start - LOOK_BACK) : mention.start]
    told = _told_before(window)
    word = told.strip("\"'`“”(),.:;") if told else ""
    if HALF_CODE.fullmatch(word) and (halves := TWO_HALVES.search(window)):
        word = halves[1]
    if word:
        start = mention.start - len(window) + window.rfind(word)
        value = Value(start, start + len(word), word, quoted=False)
        if is_clear(text, mention, value) or is_told_word(text, mention, word, mention.end):
            yield value


def _told_before(window: str) -> str | None:
    """The word before the verb at the end of the window, with nothing but an article and adjectives after it."""
    if CJK.search(window[-12:]):
        chinese = BEFORE_CHINESE.search(window)
        return chinese[1] if chinese else None
    words = window.rsplit(None, 6)
    for at in range(len(words) - 1, max(0, len(words) - 5), -1):
        is_use = words[at].lower() == "for" and words[max(0, at - 2)].lower() in USING
        if words[at].lower() in LINKING or is_use:
            return words[at - 1]
        if words[at].lower() in PREPOSITIONS:
            return None
    return None
