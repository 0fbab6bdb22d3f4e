"""Workspace files: the enabled shared ones in order, and the owner's own PROFILE.md and MEMORY.md."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models.functions import JSONObject

from memoryapp.models import WorkspaceFile
from memoryapp.models.files import in_every_prompt
from memoryapp.providers.base import BuiltIn, Kind, Snippet, StandingRows, TurnQuery, rows_of_agent
from memoryapp.providers.standing import written_once
from tenants.principals import Principal
from tenants.scoping import Scope


class FilesProvider(BuiltIn):
    name = "files"

    def standing_rows(self, principal: Principal) -> StandingRows:
        return written_once(_prompt_files, principal)

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return [_snippet(file) for file in turn.standing[self.name] if file["scope"] != Scope.PERSONAL]

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        own = [file for file in turn.standing[self.name] if file["scope"] == Scope.PERSONAL]
        return [_snippet(file) for file in own if not _is_bare(file["content"])]


def _prompt_files(principal: Principal, _moment: datetime) -> StandingRows:
    files = rows_of_agent(WorkspaceFile.objects.all(), principal).filter(in_every_prompt())
    row = JSONObject(path="path", content="content", scope="scope")
    return ArraySubquery(files.order_by("sort_order", "path").values(row=row))


def _snippet(file: dict[str, Any]) -> Snippet:
    return Snippet(Kind.FILE, file["content"].strip(), file["path"])


def _is_bare(content: str) -> bool:
    """Whether there is nothing but headings, as in a file that was only seeded."""
    return all(not line.strip() or line.startswith("#") for line in content.splitlines())
