"""The file updates that go with the facts: PROFILE.md, MEMORY.md and the day's note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from memoryapp.llm.markdown import with_code_marked
from memoryapp.llm.tasks import Candidate, KnownFact, Operation

_PROFILE = ("identity", "relationship", "preference")
_HEADINGS: dict[str, tuple[str, ...]] = {
    "identity": (
        "About the user",
        "identity",
        "user profile",
        "profile",
        "关于用户",
        "身份",
        "用户画像",
        "identidad",
        "perfil",
    ),
    "relationship": (
        "People",
        "relationships",
        "contacts",
        "team",
        "family",
        "人物",
        "关系",
        "personas",
        "relaciones",
    ),
    "preference": (
        "Preferences",
        "collaboration preferences",
        "long-term preferences",
        "likes",
        "偏好",
        "喜好",
        "preferencias",
    ),
    "rule": ("Rules", "standing rules", "policies", "workflows & preferences", "规则", "reglas"),
    "decision": ("Decisions", "decisions & rationale", "lessons learned", "决定", "决策", "decisiones"),
    "configuration": ("Configuration", "tool settings", "systems", "setup", "配置", "configuración"),
    "technical": ("Technical context", "stack", "environment", "技术", "contexto técnico"),
    "project": ("Projects", "active projects", "project context", "todos", "项目", "proyectos"),
}
_HEADING = regex.compile(r"^##\s+(?P<title>.+?)\s*#*\s*$")
_BULLET = regex.compile(r"^\s*[-*]\s+")


@dataclass(frozen=True, slots=True)
class FileTexts:
    """New texts of the two files; empty means unchanged."""

    profile: str
    memory: str


def update_files(
    operations: Iterable[Candidate], known: Sequence[KnownFact], profile: str, memory: str
) -> FileTexts:
    """Both files with the operations applied line by line, everything else untouched."""
    texts = {fact.number: fact.text for fact in known}
    new_profile, new_memory = profile, memory
    for operation in operations:
        gone = [texts[number] for number in (operation.target, *operation.also) if number in texts]
        if operation.op is Operation.NONE:
            continue
        place = _file_of(operation)
        for old in gone if operation.op is not Operation.ADD else ():
            replacement = operation.text if old == gone[0] and operation.op is Operation.UPDATE else ""
            new_profile = replace_line(new_profile, old, replacement)
            new_memory = replace_line(new_memory, old, replacement)
        if (
            operation.op is Operation.DELETE
            or not place
            or _has_line(new_profile + "\n" + new_memory, operation.text)
        ):
            continue
        if place == "profile":
            new_profile = insert_item(new_profile, operation.category, operation.text)
        else:
            new_memory = insert_item(new_memory, operation.category, operation.text)
    return FileTexts(
        new_profile if new_profile != profile else "", new_memory if new_memory != memory else ""
    )


def _file_of(operation: Candidate) -> str:
    """What is stable goes to a file at once; projects get there by being spoken of again, unless asked for."""
    if operation.category in _PROFILE:
        return "profile"
    if operation.category == "project" and not operation.explicit:
        return ""
    return "memory"


def insert_item(text: str, category: str, item: str) -> str:
    """The text with a bullet at the end of the category's section, which is made when it is missing."""
    names = {name.casefold() for name in _HEADINGS.get(category, (category,))}
    lines = text.rstrip("\n").split("\n") if text.strip() else []
    start = next((at for at, title in _headings(lines) if title.casefold() in names), None)
    bullet = f"- {item}"
    if start is None:
        title = _HEADINGS.get(category, (category.capitalize(),))[0]
        return "\n".join([*lines, *([""] if lines else []), f"## {title}", "", bullet, ""])
    end = next((at for at, _ in _headings(lines) if at > start), len(lines))
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    gap = [""] if end == start + 1 else []
    return "\n".join([*lines[:end], *gap, bullet, *lines[end:], ""])


def replace_line(text: str, old: str, new: str) -> str:
    """The text with the bullet that says the old fact replaced, or taken out when there is no new one."""
    kept = []
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        if bullet is None or _plain(line) != _plain(old):
            kept.append(line)
        elif new:
            kept.append(f"{bullet.group()}{new}")
    return "\n".join(kept)


def _headings(lines: Sequence[str]) -> list[tuple[int, str]]:
    found = []
    for at, (line, is_code) in enumerate(with_code_marked(lines)):
        match = None if is_code else _HEADING.match(line)
        if match:
            found.append((at, match["title"]))
    return found


def _has_line(text: str, item: str) -> bool:
    return any(_plain(line) == _plain(item) for line in text.split("\n"))


def _plain(line: str) -> str:
    return _BULLET.sub("", line).strip().rstrip(".").casefold()


# The note of a day needs no "As of" that day.
_STAMP = regex.compile(
    r"^As of \d{4}-\d{2}-\d{2}, (?=\S)|^截至\d{4}-\d{2}-\d{2}，|^A fecha de "
    r"\d{4}-\d{2}-\d{2}, |^Stand \d{4}-\d{2}-\d{2}: "
)


def undated(text: str) -> str:
    """The saying without the “As of” that it begins with."""
    return _STAMP.sub("", text)


def daily_entry(operations: Iterable[Candidate], mentioned: Sequence[str]) -> str:
    """One item for each fact that was kept, and one for what came up again."""
    kept = [operation.text for operation in operations if operation.op in (Operation.ADD, Operation.UPDATE)]
    lines = [f"- {text[:1].upper()}{text[1:]}" for text in map(undated, kept)]
    if mentioned:
        lines.append("- Came up again: " + "; ".join(dict.fromkeys(mentioned)))
    return "\n".join(lines)
