"""Changes of a memory file, line by line: found between two texts, applied where they still fit, taken back.

A change names the lines it takes away and the line it puts there. It is applied to what the file says at that moment: a
line that somebody changed meanwhile is left alone, and so is everything in a person's section.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from memoryapp.actions.sections import split_sections
from memoryapp.llm.language.wording import content_words, says_nothing_new
from memoryapp.llm.markdown import with_code_marked
from memoryapp.models import DreamEntry

Operation = DreamEntry.Operation
# Lines that share less of their words are about different things.
ALIKE = 0.4


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a file: the lines taken away, the line put there, and behind which line a new one stands."""

    operation: Operation
    before: tuple[str, ...] = ()
    after: str = ""
    anchor: str = ""
    heading: str = ""
    reason: str = ""
    score: float | None = None
    parts: dict[str, float] = field(default_factory=dict)
    sources: tuple[dict[str, str], ...] = ()
    gate: str = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """A file after the changes that could be made, and the changes that could not, with why."""

    text: str
    made: tuple[Change, ...]
    left: tuple[Change, ...] = ()


def content_lines(text: str) -> list[str]:
    """The lines of a file that say something: no headings, no blank ones."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "<!--"))]


def find_changes(before: str, after: str) -> list[Change]:
    """The change set that leads from one text to the other, lines that only moved left out."""
    gone = list((Counter(content_lines(before)) - Counter(content_lines(after))).elements())
    changes: list[Change] = []
    for line, anchor, heading in _added_lines(before, after):
        replaced = _replaced_by(line, gone)
        for other in replaced:
            gone.remove(other)
        changes.append(Change(_operation(line, replaced), tuple(replaced), line, anchor, heading))
    kept = [line for line in content_lines(after) if line in content_lines(before)]
    changes += [_removal(line, [*kept, *(change.after for change in changes)]) for line in gone]
    return changes


def _added_lines(before: str, after: str) -> Iterable[tuple[str, str, str]]:
    """Each new line with the line before it and the heading it stands under."""
    known = Counter(content_lines(before))
    anchor = heading = ""
    for line, is_code in with_code_marked(after.splitlines()):
        if line.startswith("## ") and not is_code:
            anchor, heading = "", line
        if not content_lines(line):
            continue
        if known[line]:
            known[line] -= 1
        else:
            yield line, anchor, heading
        anchor = line


def _replaced_by(line: str, gone: Sequence[str]) -> list[str]:
    """The removed lines that a new one stands for: all that it says, or the one that is most like it."""
    absorbed = [other for other in gone if says_nothing_new(other, line)]
    if absorbed:
        return absorbed
    alike = [(likeness(line, other), other) for other in gone]
    best, other = max(alike, default=(0.0, ""))
    return [other] if best >= ALIKE else []


def likeness(one: str, other: str) -> float:
    """How much two lines have in common, from 0 to 1."""
    a, b = content_words(one), content_words(other)
    return len(a & b) / max(min(len(a), len(b)), 1)


def _operation(line: str, replaced: Sequence[str]) -> Operation:
    if not replaced:
        return Operation.ADD
    absorbs = all(says_nothing_new(other, line) for other in replaced)
    return Operation.MERGE if absorbs else Operation.SUPERSEDE


def _removal(line: str, remaining: Sequence[str]) -> Change:
    """A line that went: merged when another one says it, else dropped."""
    says_it = next((other for other in remaining if says_nothing_new(line, other)), "")
    if says_it:
        return Change(Operation.MERGE, (line,), reason=f"“{says_it.strip(' -*')}” says it too.")
    return Change(Operation.DROP, (line,))


def apply_changes(text: str, changes: Iterable[Change], protected: frozenset[str] = frozenset()) -> Applied:
    """The text with the changes made that still fit it; a line of a person's section stays as it is."""
    lines = text.splitlines()
    made, left = [], []
    for change in changes:
        gate = _obstacle(change, lines, protected)
        if gate:
            left.append(replace(change, gate=gate))
            continue
        _make(change, lines, protected)
        made.append(change)
    result = "\n".join(lines).strip("\n")
    return Applied(result + "\n" if result else "", tuple(made), tuple(left))


def _obstacle(change: Change, lines: Sequence[str], protected: frozenset[str]) -> str:
    if any(line in protected for line in change.before):
        return "person"
    if any(line not in lines for line in change.before):
        return "changed_meanwhile"
    if change.operation is Operation.ADD and change.after in lines:
        return "known"
    return ""


def _make(change: Change, lines: list[str], protected: frozenset[str]) -> None:
    if not change.before:
        _insert(change, lines, protected)
        return
    at = lines.index(change.before[0])
    for line in change.before:
        lines.remove(line)
    if change.after:
        lines.insert(min(at, len(lines)), change.after)


def _insert(change: Change, lines: list[str], protected: frozenset[str]) -> None:
    """Put a new line behind its anchor, else at the end of its section, else into a section of its own."""
    heading = change.heading
    if change.anchor in lines and change.anchor not in protected:
        lines.insert(lines.index(change.anchor) + 1, change.after)
        return
    if heading and _is_protected(heading, lines, protected):
        heading = f"{heading} 2"
    places = [at for at in _headings(lines) if lines[at] == heading] if heading else []
    start = places[0] + 1 if places else lines.index("") + 1 if not heading and "" in lines else None
    if start is None:
        opening = [*([""] if lines and lines[-1].strip() else []), heading, ""] if heading else []
        lines += [*opening, change.after]
        return
    end = next((at for at in _headings(lines) if at >= start), len(lines))
    while end > start and not lines[end - 1].strip():
        end -= 1
    lines[end:end] = [*([""] if end == start else []), change.after]


def _headings(lines: Sequence[str]) -> list[int]:
    marked = enumerate(with_code_marked(lines))
    return [at for at, (line, is_code) in marked if line.startswith("## ") and not is_code]


def _is_protected(heading: str, lines: Sequence[str], protected: frozenset[str]) -> bool:
    pieces = split_sections("\n".join(lines))
    section = next((piece for piece in pieces if f"## {piece.heading}" == heading), None)
    return section is not None and any(line in protected for line in section.text.splitlines())


def reversed_change(change: Change) -> Change:
    """The change that takes this one back."""
    if change.operation is Operation.ADD:
        return replace(change, operation=Operation.DROP, before=(change.after,), after="", anchor="")
    if not change.after:
        return replace(change, operation=Operation.ADD, before=(), after="\n".join(change.before))
    return replace(
        change, operation=Operation.SUPERSEDE, before=(change.after,), after="\n".join(change.before)
    )
