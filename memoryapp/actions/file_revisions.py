"""Giving a stored file another text: its version, what it was before, and its search rows, in one place."""

from __future__ import annotations

from memoryapp.actions.masking import masked
from memoryapp.actions.sections import rebuild_sections
from memoryapp.models import FileRevision, WorkspaceFile
from tenants.principals import Principal


def store_text(
    principal: Principal,
    file: WorkspaceFile,
    text: str,
    *,
    before: str,
    origin: str,
    reason: str,
    person: bool = False,
) -> None:
    """Make `text` the content of a locked file, with a revision that says it stood `before`; inside the scope."""
    file.content = text
    file.version += 1
    file.save(update_fields=["content", "version", "updated_at"])
    keep_revision(principal, file, before, origin, reason)
    rebuild_sections(principal=principal, file=file, person=person)


def keep_revision(principal: Principal, file: WorkspaceFile, before: str, origin: str, reason: str) -> None:
    """Note what a file was before its present text, who changed it and why."""
    FileRevision.objects.create(
        workspace=principal.workspace,
        agent_id=file.agent_id,
        owner_key=file.owner_key,
        scope=file.scope,
        file=file,
        path=file.path,
        number=file.version,
        before=before,
        after=file.content,
        actor=principal.actor,
        origin=origin,
        reason=masked(reason, principal.workspace)[0][:300],
    )
