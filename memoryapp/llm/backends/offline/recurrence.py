"""What comes back in the notes of several days, however it is worded, and which clause says it best.

A subject is a word of meaning (or pair of characters) that is named on enough different days. The clause kept is one
that holds for longer rather than an event, agreed with by the other days, the newer on a tie; what a later day
corrected is no candidate for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import regex

from memoryapp.llm.backends.offline.conflict_words import VALUE_KINDS
from memoryapp.llm.backends.offline.conflicts import why_conflicting
from memoryapp.llm.language.english_verbs import COMMON
from memoryapp.llm.language.wording import NEGATION, content_words, is_weak, says_nothing_new, stem
from memoryapp.llm.night_tasks import DatedFact, NoteLines

LEAST_DAYS = 3
DRESSING = regex.compile(r"^(?:\s|[-*+>•]\s|#{1,6}\s|\[[ xX]\]\s|\d{2}:\d{2}[:,]?\s|\([\w :-]{1,40}\):?\s)*")
SENTENCE_END = regex.compile(r"(?<=[.!?])\s+|(?<=[。！？])|[;；]\s*")
JOINTS = regex.compile(
    r",\s+(?:and|but|y|pero|und|aber|while|although)\s+|，|,\s+|\s+(?:and|but|pero|aber)\s+(?=\p{L}+\s\p{L}+)"
)
CHANGED = regex.compile(
    r"\b(?:moved|changed|now|instead|no longer|not any ?more|cancell?ed|postponed|switched|replaced|stopped|gave up"
    r"|after all|ya no|ahora|cambi\w+|canceló|cancelado|aplazado|jetzt|nicht mehr|verschoben|abgesagt)\b"
    r"|改[到为成在]|不再|取消|推迟|换成|现在",
    regex.IGNORECASE,
)
# What holds for longer says more of a subject than what happened with it one day.
STANDING = regex.compile(
    r"\b(?:prefers?|likes?|loves?|always|never|every|each|usually|daily|weekly|wants?|uses?|needs?|plans?"
    r"|learns?|learning|trains?|is|are|has|lives|works|siempre|nunca|cada|suele|prefiere|quiere|usa|es|está|estudia|aprende|immer|nie"
    r"|jeden|lernt|ist)\b|总是|每|一直|喜欢|正在|从不|打算|需要",
    regex.IGNORECASE,
)
EVENT = regex.compile(
    r"^(?:(?:the )?user |usuario |用户)?(?:asked|talked|spoke|was|were|had|mentioned|said|bought|went|greeted"
    r"|complained|told|preguntó|habló|dijo|fragte|sprach|聊|问|说|谈)",
    regex.IGNORECASE,
)
# Words that many sentences share without being about the same thing.
COMMON_STEMS = frozenset(stem(word) for word in COMMON)
GENERAL_WORDS = (
    "new old first next morn even noon night week weekend month hour minut someth noth everyth peopl person "
    "mention talk ask question note plan idea problem issue topic detail work time day tomorrow yesterday tonight "
    "hope late earli convers chat session agent update progress"
)
TOO_GENERAL = frozenset(GENERAL_WORDS.split())


@dataclass(frozen=True)
class Clause:
    """A clause of a note, with the line and the day it stands in."""

    text: str
    line: str
    day: date

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for word in content_words(self.text) if not is_weak(word) and word != NEGATION)


@dataclass(frozen=True, slots=True)
class Recurring:
    """A subject that came back: the clause to keep, and the days on which it was named."""

    subject: str
    clause: Clause
    days: tuple[date, ...]


def find_recurring(
    notes: Iterable[NoteLines], *, least_days: int = LEAST_DAYS, names: Iterable[str] = ()
) -> list[Recurring]:
    """The subjects named on at least so many days, the most often named first, each with its best clause."""
    clauses = [clause for note in notes for clause in clauses_of(note)]
    own_names = frozenset().union(*(content_words(name) for name in names))
    by_word: dict[str, list[Clause]] = defaultdict(list)
    for clause in clauses:
        for word in clause.words:
            if _is_subject(word) and word not in own_names:
                by_word[word].append(clause)
    found: list[Recurring] = []
    taken: set[int] = set()
    for word, mentions in sorted(by_word.items(), key=_prominence):
        days = sorted({clause.day for clause in mentions})
        if len(days) < least_days or _told_already(mentions, taken):
            continue
        taken.update(id(clause) for clause in mentions)
        found.append(Recurring(word, best_clause(mentions), tuple(days)))
    return found


def clauses_of(note: NoteLines) -> list[Clause]:
    """The clauses of a note; a part that only makes sense with the rest of its sentence stays with it."""
    found = []
    for line in note.text.splitlines():
        body = DRESSING.sub("", line).strip()
        if not body or line.startswith("# "):
            continue
        for sentence in SENTENCE_END.split(body):
            found += [Clause(text, body, note.day) for text in _parts(sentence.strip())]
    return found


def _parts(sentence: str) -> list[str]:
    """The sentence cut at its joints where each part says something by itself."""
    if not sentence:
        return []
    parts = [part.strip(" ,.;，。；") for part in JOINTS.split(sentence)]
    if all(_says_something(part) for part in parts):
        return parts
    return [sentence.strip(" ,;，；")]


def _says_something(part: str) -> bool:
    words = content_words(part)
    return len(words) >= 2 and any(not is_weak(word) for word in words)


def _is_subject(word: str) -> bool:
    if word.isdigit() or word in TOO_GENERAL or word in COMMON_STEMS:
        return False
    return len(word) >= 3 or not word.isascii()


def _prominence(entry: tuple[str, list[Clause]]) -> tuple[int, int, str]:
    word, mentions = entry
    return -len({clause.day for clause in mentions}), -len(word), word


def _told_already(mentions: Sequence[Clause], taken: set[int]) -> bool:
    """Whether most of what names this word was taken for another subject."""
    return sum(id(clause) in taken for clause in mentions) * 2 > len(mentions)


def best_clause(mentions: Sequence[Clause]) -> Clause:
    """The clause that says best what comes back: not corrected since, lasting, agreed with, new."""
    standing = [clause for clause in mentions if not is_outdated(clause, mentions)] or list(mentions)
    return max(
        standing,
        key=lambda clause: (_endurance(clause), _agreement(clause, standing), clause.day, -len(clause.text)),
    )


def _endurance(clause: Clause) -> int:
    return bool(STANDING.search(clause.text)) - bool(EVENT.search(clause.text))


def _agreement(clause: Clause, others: Sequence[Clause]) -> float:
    """How much of what the other days say of the subject is in this clause too."""
    shares = [
        len(clause.words & other.words) / len(other.words)
        for other in others
        if other.day != clause.day and other.words
    ]
    return round(sum(shares) / len(shares), 2) if shares else 0.0


def is_outdated(clause: Clause, mentions: Iterable[Clause]) -> bool:
    """Whether a later day says otherwise of the same subject."""
    return any(later.day > clause.day and corrects(later, clause) for later in mentions)


def corrects(later: Clause, earlier: Clause) -> bool:
    """Whether a later clause takes back what an earlier one of the same subject said."""
    if says_nothing_new(later.text, earlier.text):
        return False
    if why_conflicting(DatedFact(1, earlier.text), DatedFact(2, later.text)):
        return True
    shared = earlier.words & later.words
    if not shared:
        return False
    return bool(CHANGED.search(later.text)) or _other_value(earlier.text, later.text)


def _other_value(earlier: str, later: str) -> bool:
    for _, pattern in VALUE_KINDS:
        before, after = pattern.findall(earlier), pattern.findall(later)
        if len(before) == 1 and len(after) == 1 and before != after:
            return True
    return False
