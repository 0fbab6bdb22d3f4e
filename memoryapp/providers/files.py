"""Workspace files: the enabled shared ones in order, and the owner's own PROFILE.md and MEMORY.md."""

from __future__ import annotations

from django.db.models import Q

from memoryapp.models import WorkspaceFile
from memoryapp.providers.base import Kind, Provider, Snippet, TurnQuery
from tenants.scoping import Scope

PERSONAL_FILES = ("PROFILE.md", "MEMORY.md")


class FilesProvider(Provider):
    name = "files"

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return [_snippet(file) for file in _files(self.name, turn) if file.scope != Scope.PERSONAL]

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        own = [file for file in _files(self.name, turn) if file.scope == Scope.PERSONAL]
        return [_snippet(file) for file in own if not _is_bare(file.content)]


def _files(shelf: str, turn: TurnQuery) -> list[WorkspaceFile]:
    if shelf not in turn.shelf:
        wanted = Q(enabled=True) & ~Q(scope=Scope.PERSONAL) | Q(scope=Scope.PERSONAL, path__in=PERSONAL_FILES)
        files = WorkspaceFile.objects.visible_to(turn.principal).for_agent(turn.agent).filter(wanted)
        turn.shelf[shelf] = list(files.order_by("sort_order", "path"))
    loaded: list[WorkspaceFile] = turn.shelf[shelf]
    return loaded


def _snippet(file: WorkspaceFile) -> Snippet:
    return Snippet(Kind.FILE, file.content.strip(), file.path)


def _is_bare(content: str) -> bool:
    """Whether there is nothing but headings, as in a file that was only seeded."""
    return all(not line.strip() or line.startswith("#") for line in content.splitlines())
