"""Keyword search over workspace files: which file, which line, and a snippet with the word in it.

Words match as they are written, anywhere in a line: no stemming, no wildcards, case does not count. A run of Chinese,
Japanese or Korean counts as its overlapping pairs of characters, so that words found apart in a sentence still match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Agent, WorkspaceFile
from tenants.principals import Principal
from tenants.scoping import workspace_scope

SNIPPET_CHARS: Final = 80
MOST_FILES: Final = 50
MOST_QUERY_CHARS: Final = 1_000
MOST_TERMS: Final = 40
# What stands in a core file was kept on purpose; a day's note holds whatever happened.
CORE_FILES: Final = {
    "AGENTS.md": 1.5,
    "MEMORY.md": 1.5,
    "PROFILE.md": 1.5,
    "SOUL.md": 1.3,
    "KNOWLEDGE.md": 1.2,
}
NOTE_WEIGHT: Final = 0.8
WHOLE_QUERY_BONUS: Final = 0.5
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK_RUN: Final = re.compile(f"[{CJK}]+")
WORD: Final = re.compile(f"[^\\s{CJK}]+")
EDGES: Final = "\"'`.,;:!?()[]{}<>«»“”‘’、。，；：！？（）《》"


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """A line of a file that holds words of the query; `marks` are the places of the words in the snippet."""

    path: str
    scope: str
    line: int
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float


@dataclass(frozen=True, slots=True)
class KeywordResult:
    """The best lines first; `left_out` counts further files that hold a word but were not scanned."""

    items: list[KeywordHit]
    left_out: int = 0


def search_files(query: str, *, principal: Principal, agent: Agent, limit: int = 10) -> KeywordResult:
    """The lines of shared and one's own files that hold words of the query.

    At most 50 files are scanned: core files first, then the newest notes; how many more there were is told. Raises
    ValidationFailed for a blank or overlong query.
    """
    terms = keyword_terms(query)
    with workspace_scope(principal.workspace):
        matching = _matching_files(principal, agent, terms)
        total = matching.count()
        files = list(matching[:MOST_FILES])
    hits = [hit for file in files for hit in _hits_in(file, terms, query.strip().casefold())]
    hits.sort(key=lambda hit: (-hit.score, hit.path, hit.scope, hit.line))
    return KeywordResult(hits[:limit], max(total - len(files), 0))


def keyword_terms(query: str) -> list[str]:
    """What is looked for: words as written, and pairs of characters for Chinese, Japanese and Korean."""
    if not query.strip():
        raise ValidationFailed.of("q", "Say what to look for.", code="blank")
    if len(query) > MOST_QUERY_CHARS:
        raise ValidationFailed.of("q", f"A search has at most {MOST_QUERY_CHARS} characters.")
    folded = query.casefold()
    words = [word.strip(EDGES) or word for word in WORD.findall(folded)]
    pairs = [pair for run in CJK_RUN.findall(folded) for pair in _pairs(run)]
    return list(dict.fromkeys([*words, *pairs]))[:MOST_TERMS]


def _pairs(run: str) -> Iterable[str]:
    return (run[at : at + 2] for at in range(max(len(run) - 1, 1)))


def _matching_files(principal: Principal, agent: Agent, terms: Sequence[str]) -> QuerySet[WorkspaceFile]:
    holds_any = reduce(or_, (Q(content__icontains=term) for term in terms))
    core_first = Case(When(path__in=CORE_FILES, then=Value(0)), default=Value(1), output_field=IntegerField())
    files: QuerySet[WorkspaceFile] = (
        WorkspaceFile.objects.visible_to(principal).for_agent(agent).filter(holds_any)
    )
    return files.order_by(core_first, "-path", "scope", "pk")


def _hits_in(file: WorkspaceFile, terms: Sequence[str], phrase: str) -> Iterable[KeywordHit]:
    weight = CORE_FILES.get(file.path, NOTE_WEIGHT if file.path.startswith("memory/") else 1.0)
    for number, line in enumerate(file.content.split("\n"), start=1):
        folded = _folded(line)
        found = [term for term in terms if term in folded]
        if not found:
            continue
        share = len(found) / len(terms) + (WHOLE_QUERY_BONUS if phrase in folded else 0.0)
        snippet = _snippet(line, folded, found)
        marks = tuple(_marks(_folded(snippet), found))
        yield KeywordHit(file.path, file.scope, number, snippet, marks, round(weight * share, 4))


def _folded(line: str) -> str:
    """The line in lower case, character by character, so that places in it are places in the line."""
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in line)


def _snippet(line: str, folded: str, found: Sequence[str]) -> str:
    """80 characters of the line around its longest found word, which is whole in it."""
    term = max(found, key=len)
    at = folded.find(term)
    room = max(SNIPPET_CHARS, len(term))
    start = min(max(at - (room - len(term)) // 2, 0), max(len(line) - room, 0))
    return line[start : start + room]


def _marks(folded: str, found: Sequence[str]) -> list[tuple[int, int]]:
    """The places of the words in a snippet, those that touch united."""
    places = sorted(
        (match.start(), match.end()) for term in found for match in re.finditer(re.escape(term), folded)
    )
    united: list[tuple[int, int]] = []
    for start, end in places:
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united
