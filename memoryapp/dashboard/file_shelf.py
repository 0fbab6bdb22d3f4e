"""The list of an agent's files: a handful of groups, each a page long, in one statement and without the texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, Value
from django.db.models.functions import Length

from memoryapp.dashboard.pages import Visit
from memoryapp.models import WorkspaceFile
from tenants.scoping import Scope

FOLDERS = ("memory/", "dreams/")
# All files in the prompt stand in the list: they are ordered there.
MOST_IN_PROMPT = 500
PAGE_SIZE = 50
PROMPT, DEMAND, OWN = "prompt", "demand", "own"


@dataclass(slots=True)
class Group:
    """One group of the list, as far as it is shown."""

    name: str
    files: list[Any] = field(default_factory=list)
    # The query that shows the files behind these; empty at the end.
    more: str = ""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of the list, as they are grouped there."""

    in_prompt: Group
    on_demand: Group
    folders: dict[str, Group]
    own: Group
    find: str = ""
    # The group that is shown from somewhere behind its beginning.
    paged: str = ""

    @property
    def first(self) -> WorkspaceFile | None:
        return next(iter([*self.in_prompt, *self.on_demand, *self.own]), None)

    @property
    def prompt_size(self) -> int:
        return sum(file.size for file in self.in_prompt)


def load_shelf(visit: Visit) -> Shelf:
    """The groups from their beginnings, one of them from where the address says, all narrowed to what it looks for."""
    given = visit.request.GET
    find, paged, after = given.get("find", "").strip()[:120], given.get("group", ""), given.get("after", "")
    parts = {name: _rows(visit, name, find, after if name == paged else "") for name in _names()}
    first, *others = parts.values()
    groups = {name: Group(name) for name in parts}
    for file in first.union(*others, all=True):
        groups[file.group].files.append(file)
    for group in groups.values():
        _cut(group, find)
    return Shelf(
        in_prompt=groups[PROMPT],
        on_demand=groups[DEMAND],
        folders={name: groups[name] for name in FOLDERS if len(groups[name])},
        own=groups[OWN],
        find=find,
        paged=paged if after and paged in groups else "",
    )


def _names() -> tuple[str, ...]:
    return PROMPT, DEMAND, *FOLDERS, OWN


def _rows(visit: Visit, name: str, find: str, after: str) -> Any:
    """One group's rows, one more than are shown."""
    files = WorkspaceFile.objects.visible_to(visit.principal).filter(agent=visit.the_agent)
    rows = files.defer("content").annotate(size=Length(F("content")), group=Value(name))
    if name == PROMPT:
        return rows.filter(scope=Scope.TEAM, enabled=True).order_by("sort_order", "path")[:MOST_IN_PROMPT]
    rows = rows.filter(path__icontains=find) if find else rows
    if name in FOLDERS:
        rows = rows.filter(scope=Scope.TEAM, enabled=False, path__startswith=name)
        rows = rows.filter(path__lt=after) if after else rows
        return rows.order_by("-path")[: PAGE_SIZE + 1]
    rows = rows.filter(scope=Scope.PERSONAL if name == OWN else Scope.TEAM)
    if name == DEMAND:
        rows = rows.filter(enabled=False)
        for folder in FOLDERS:
            rows = rows.exclude(path__startswith=folder)
    rows = rows.filter(path__gt=after) if after else rows
    return rows.order_by("path")[: PAGE_SIZE + 1]


def _cut(group: Group, find: str) -> None:
    """Put a group in its order, which a union does not promise, and note where the next page of it begins."""
    if group.name == PROMPT:
        group.files.sort(key=lambda file: (file.sort_order, file.path))
        return
    group.files.sort(key=lambda file: file.path, reverse=group.name in FOLDERS)
    if len(group.files) > PAGE_SIZE:
        group.files = group.files[:PAGE_SIZE]
        query = {"group": group.name, "after": group.files[-1].path, **({"find": find} if find else {})}
        group.more = f"?{urlencode(query)}"
