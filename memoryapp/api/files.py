"""Workspace files: shared ones, and with `?scope=personal` the acting owner's own; a write keeps what it replaced."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Length
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.file_revisions import revisions_of
from memoryapp.actions.file_text import checked_path
from memoryapp.actions.files import (
    FileWrite,
    delete_file,
    edit_file,
    load_file,
    restore_revision,
    set_prompt_files,
    write_file,
)
from memoryapp.actions.write_memory import write_memory
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.file_bodies import (
    SCOPES,
    FileBody,
    FileEdit,
    FileEntry,
    MemoryWrite,
    NewContent,
    PromptFiles,
    Replacements,
    RevisionBody,
    RevisionEntry,
    ScopeQuery,
    WrittenFile,
)
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Agent, FileRevision, WorkspaceFile
from tenants.scoping import Scope

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag you read; 412 if the file or fact has changed since.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, enum=["*"], description="`*`: only create, never replace."
)


class AgentFilesView(WorkspaceAPIView):
    """A view of an agent's files in the scope the query string names."""

    @property
    def scope(self) -> Scope:
        return SCOPES[self.read_query(ScopeQuery)["scope"]]

    def agent(self, agent_id: str) -> Agent:
        return load_agent(self.principal, agent_id)

    def place(self, agent_id: str, path: str) -> dict[str, Any]:
        """Which file, for the actions: of which agent, at which path, in which scope, for whom."""
        return {"principal": self.principal, "agent": self.agent(agent_id), "path": path, "scope": self.scope}

    @property
    def if_match(self) -> str | None:
        return self.request.headers.get("If-Match")

    @property
    def base_version(self) -> int | None:
        """0, which says that the file must not exist yet, when the client asked to create only."""
        return 0 if self.request.headers.get("If-None-Match", "").strip() == "*" else None


def written(write: FileWrite) -> Response:
    """What became of a write, with the new ETag."""
    flags = {
        "created": write.created,
        "changed": write.changed,
        "truncated": write.truncated,
        "masked": write.masked,
    }
    body = {**FileBody(write.file).data, **flags}
    return Response(body, status=201 if write.created else 200, headers={"ETag": write.file.etag})


class FilesView(AgentFilesView):
    @extend_schema(
        operation_id="list_files", parameters=[ScopeQuery, *PAGE_PARAMETERS], responses=page_of(FileEntry)
    )
    def get(self, request: Request, agent_id: str) -> Response:
        files = WorkspaceFile.objects.visible_to(self.principal).filter(
            agent=self.agent(agent_id), scope=self.scope
        )
        listed = files.defer("content").annotate(length_of_content=Length("content"))
        return self.page(listed.order_by("-enabled", "sort_order", "path"), FileEntry)


class FileView(AgentFilesView):
    @extend_schema(operation_id="read_file", parameters=[ScopeQuery], responses=FileBody)
    def get(self, request: Request, agent_id: str, path: str) -> Response:
        file = load_file(**self.place(agent_id, path))
        return Response(FileBody(file).data, headers={"ETag": file.etag})

    @extend_schema(
        operation_id="write_file",
        parameters=[ScopeQuery, IF_MATCH, IF_NONE_MATCH],
        request=NewContent,
        responses={200: WrittenFile, 201: WrittenFile},
    )
    def put(self, request: Request, agent_id: str, path: str) -> Response:
        """Create or replace a file. Without If-Match the last write wins; the earlier text stays in the revisions."""
        new = self.read(NewContent)
        write = write_file(
            **self.place(agent_id, path),
            content=new["content"],
            reason=new["reason"],
            if_match=self.if_match,
            base_version=self.base_version,
            person=True,
        )
        return written(write)

    @extend_schema(
        operation_id="edit_file", parameters=[ScopeQuery, IF_MATCH], request=FileEdit, responses=Replacements
    )
    def patch(self, request: Request, agent_id: str, path: str) -> Response:
        """Replace a piece of the text; refused with the count when it occurs more than once, unless `replaceAll`."""
        edit = self.read(FileEdit)
        write, replacements = edit_file(
            **self.place(agent_id, path),
            old_text=edit["oldText"],
            new_text=edit["newText"],
            replace_all=edit["replaceAll"],
            if_match=self.if_match,
            person=True,
        )
        tag = write.file.etag
        body = {
            "replacements": replacements,
            "etag": tag,
            "truncated": write.truncated,
            "masked": write.masked,
        }
        return Response(body, headers={"ETag": tag})

    @extend_schema(operation_id="delete_file", parameters=[ScopeQuery, IF_MATCH], responses={204: None})
    def delete(self, request: Request, agent_id: str, path: str) -> Response:
        """Delete a file; its revisions stay, so that it can be restored."""
        delete_file(**self.place(agent_id, path), if_match=self.if_match)
        return Response(status=204)


class FileWriteMemoryView(AgentFilesView):
    # A write that came too late is tried again, which takes a transaction of its own.
    unscoped = frozenset({"post"})

    @extend_schema(
        operation_id="write_memory",
        parameters=[ScopeQuery, IF_MATCH],
        request=MemoryWrite,
        responses={200: WrittenFile, 201: WrittenFile},
    )
    def post(self, request: Request, agent_id: str, path: str) -> Response:
        """Put content into a file: after what is there, in one section, value by value, or in place of everything."""
        order = self.read(MemoryWrite)
        return written(
            write_memory(**self.place(agent_id, path), **order, if_match=self.if_match, person=True)
        )


class FileHistoryView(AgentFilesView):
    """A view of what a file used to say."""

    def revisions(self, agent_id: str, path: str) -> QuerySet[FileRevision]:
        """The revisions of a path, also of a file that was deleted; NotFound when there never was one."""
        rows = revisions_of(self.principal, self.agent(agent_id), checked_path(path), self.scope)
        if not rows.exists():
            raise NotFound
        return rows.order_by("-created_at", "-number")


class FileRevisionsView(FileHistoryView):
    @extend_schema(
        operation_id="list_file_revisions",
        parameters=[ScopeQuery, *PAGE_PARAMETERS],
        responses=page_of(RevisionEntry),
    )
    def get(self, request: Request, agent_id: str, path: str) -> Response:
        return self.page(self.revisions(agent_id, path), RevisionEntry)


class FileRevisionView(FileHistoryView):
    @extend_schema(operation_id="read_file_revision", parameters=[ScopeQuery], responses=RevisionBody)
    def get(self, request: Request, agent_id: str, path: str, number: int) -> Response:
        revision = self.revisions(agent_id, path).filter(number=number).first()
        if revision is None:
            raise NotFound
        return Response(RevisionBody(revision).data)


class FileRestoreView(AgentFilesView):
    @extend_schema(
        operation_id="restore_file", parameters=[ScopeQuery, IF_MATCH], request=None, responses=WrittenFile
    )
    def post(self, request: Request, agent_id: str, path: str, number: int) -> Response:
        """Write the text of an earlier revision again, as a new revision."""
        place = self.place(agent_id, path)
        return written(restore_revision(**place, number=number, if_match=self.if_match))


class PromptFilesView(AgentFilesView):
    @extend_schema(operation_id="list_prompt_files", responses=PromptFiles)
    def get(self, request: Request, agent_id: str) -> Response:
        """The shared files that are part of the prompt, in order."""
        files = WorkspaceFile.objects.visible_to(self.principal).filter(
            agent=self.agent(agent_id), scope=Scope.TEAM, enabled=True
        )
        return Response({"files": list(files.order_by("sort_order", "path").values_list("path", flat=True))})

    @extend_schema(operation_id="set_prompt_files", request=PromptFiles, responses=PromptFiles)
    def put(self, request: Request, agent_id: str) -> Response:
        """Enable exactly these shared files, in this order."""
        files = set_prompt_files(
            principal=self.principal, agent=self.agent(agent_id), paths=self.read(PromptFiles)["files"]
        )
        return Response({"files": [file.path for file in files]})
