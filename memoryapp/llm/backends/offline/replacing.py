"""When what is said now takes the place of what was known: a newer version, a clear word of change."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.combining import ends, has_other_value, has_other_version
from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.backends.offline.likeness import (
    ANCHOR,
    CALENDAR,
    proper_words,
    shared_weight,
    strong_words,
)
from memoryapp.llm.language.wording import overlap
from memoryapp.llm.tasks import KnownFact

# "New" and "passed" may be said of anything; these of what was different before.
_CLEARLY_CHANGED = regex.compile(
    r"\b(?:no longer|any ?more|instead|swapped|sold|got rid of|traded|cut (?:down|back|out)|cut \w+ (?:down|"
    r"back)|down to|"
    r"reduced|raised|increased|grew|grown|shrank|shrunk|is out|switched|changed|moved|replaced|up(?:graded|"
    r"dated)|"
    r"downgraded|"
    r"migrated|bumped|renamed|"
    r"giv(?:en|e) up|gave up|quit|stopped|done with|had it with|had enough of|goodbye|farewell|bye|used to|"
    r"actually|postponed|"
    r"cancel\w+|pushed|extended|"
    r"slipped|"
    r"finished|completed|"
    r"shipped|over to|from \S+ to|not .+ but|is now|are now|fully|after all|through|promoted|off)\b|, not ",
    regex.IGNORECASE,
)
_MODEL = regex.compile(
    r"\b(?P<name>\p{Lu}\p{L}+) (?P<number>\d{1,2}(?:\.\d+)*|[IVX]+)\b(?! (?:"
    r"January|February|March|April|May|June|July|August|September|October|November|December))"
)


def is_same_matter(fact: Fact, other: KnownFact, weight: int) -> bool:
    """Whether a change may replace a known fact: they share its name, or half of what it says."""
    if fact.language != "en":
        return True
    if _counts_otherwise(fact.words, other.text):
        return True
    strong, shared = strong_words(other.text), overlap(fact.words, other.text)
    named = proper_words(fact.text) & proper_words(other.text, everywhere=True) - CALENDAR
    if has_other_value(other.text, fact) and (shared or named):
        return True
    if _CLEARLY_CHANGED.search(fact.words) or is_newer_version(fact, other) or ends(other.text, fact):
        return True
    return len(shared) * 2 >= len(strong) or (bool(named) and weight >= 3)


def _counts_otherwise(said: str, known: str) -> bool:
    """Whether both give one number, and not the same: 'has six members', 'is eight now'."""
    before, after = (
        [word.lower() for word in _NUMBER.findall(ANCHOR.sub(" ", text)) if word.lower() not in ("one", "1")]
        for text in (known, said)
    )
    return len(before) == 1 and bool(after) and before[0] not in after


_NUMBER = regex.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)\b", regex.IGNORECASE
)


def is_newer_version(fact: Fact, other: KnownFact) -> bool:
    """Whether one thing has another version or model now: 15.6 and 17.2, 'Fairphone 4' and 'Fairphone 6'."""
    if fact.category not in ("configuration", "technical", "project", "identity", "preference"):
        return False
    if shared_weight(fact, other) >= 2 and has_other_version(other.text, fact):
        return True
    before = {
        match["name"].lower(): match["number"] for match in _MODEL.finditer(ANCHOR.sub(" ", other.text))
    }
    return any(
        before.get(match["name"].lower(), match["number"]) != match["number"]
        for match in _MODEL.finditer(ANCHOR.sub(" ", fact.body))
    )
