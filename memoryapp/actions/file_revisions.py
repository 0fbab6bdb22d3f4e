"""The versions of a file: which a write is based on, what the next is, and what it was before, with its search rows."""

from __future__ import annotations

from django.db.models import Max, QuerySet

from memoryapp.actions.masking import masked
from memoryapp.actions.sections import rebuild_sections
from memoryapp.exceptions import PreconditionFailed
from memoryapp.models import Agent, FileRevision, WorkspaceFile
from tenants.principals import Principal
from tenants.scoping import Scope


def check_version(file: WorkspaceFile | None, if_match: str | None, base_version: int | None) -> None:
    """Raise PreconditionFailed when what is stored is not what a write is based on; a version of 0 is none stored."""
    known = file.version if file is not None else 0
    if not _is_named(file, if_match) or (base_version is not None and base_version != known):
        raise PreconditionFailed(
            "The file has changed since you read it. Read it again, then repeat your change."
        )


def _is_named(file: WorkspaceFile | None, if_match: str | None) -> bool:
    """Whether the value of an If-Match header names the stored version: `*`, or one tag of a list."""
    if if_match is None:
        return True
    # A proxy that compresses weakens a tag; the version it names is the same.
    tags = [tag.strip().removeprefix("W/") for tag in if_match.split(",")]
    return file is not None and ("*" in tags or file.etag in tags)


def revisions_of(principal: Principal, agent: Agent, path: str, scope: str) -> QuerySet[FileRevision]:
    """What a path has held, files of that name that were deleted included."""
    owner_key = principal.owner_key if scope == Scope.PERSONAL else ""
    revisions: QuerySet[FileRevision] = FileRevision.objects.visible_to(principal).filter(
        agent=agent, path=path, scope=scope, owner_key=owner_key
    )
    return revisions


def next_version(principal: Principal, agent: Agent, path: str, scope: str) -> int:
    """The number of a new file's first revision, behind those of a file of that name that was deleted."""
    last: int | None = revisions_of(principal, agent, path, scope).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


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
