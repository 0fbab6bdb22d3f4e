"""Taking statements out of the current text of files and its search rows, and putting them back."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.actions.file_revisions import store_text
from memoryapp.actions.forget_reach import Reach, mentioning
from memoryapp.actions.forget_texts import Removal
from memoryapp.actions.statements import Statements, restored
from memoryapp.models import WorkspaceFile
from tenants.principals import Principal

LABEL = WorkspaceFile._meta.label
REASON = "forgotten on request"


def strike_files(
    principal: Principal, statements: Statements, reach: Reach, paths: Sequence[str] = ()
) -> list[Removal]:
    """Take the statements out of every file within reach, or out of the ones named only."""
    files = WorkspaceFile.objects.filter(reach.rows).filter(mentioning(statements, "content"))
    if paths:
        files = files.filter(path__in=paths)
    removals = []
    for file in files.order_by("pk").select_for_update():
        struck = statements.strike(file.content)
        if struck.cuts:
            _store(principal, file, struck.text, REASON)
            removals.append(Removal(file.path, LABEL, file.pk, "content", struck.cuts, scope=file.scope))
    return removals


def put_back_files(principal: Principal, removals: Sequence[Removal]) -> None:
    """Give files their lines back; one that changed since keeps its changes."""
    for removal in removals:
        file = WorkspaceFile.objects.filter(pk=removal.row).select_for_update().first()
        if file is not None:
            _store(principal, file, restored(file.content, removal.cuts), "forgetting undone")


def _store(principal: Principal, file: WorkspaceFile, text: str, reason: str) -> None:
    # Its text before would be the very thing that goes, so the revision holds only what stands now.
    store_text(principal, file, text, before=text, origin="forget", reason=reason)
