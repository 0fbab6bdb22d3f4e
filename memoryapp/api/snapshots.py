"""Snapshots: exporting an agent's memory as an archive, and importing one by preview, import and undo."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.parsing import BoundedJSONParser
from memoryapp.api.uploads import ArchiveParser
from memoryapp.models import ImportPart, SnapshotImport
from memoryapp.snapshots.apply import apply_import, undo_import
from memoryapp.snapshots.export import INCLUDES, export_snapshot
from memoryapp.snapshots.foreign import FORMATS, SNAPSHOT, Source
from memoryapp.snapshots.preview import digest_of, preview_import
from memoryapp.snapshots.sending import file_response
from memoryapp.snapshots.summaries import ImportSummary, summary_of
from tenants.owners import end_user_of
from tenants.scoping import workspace_scope


class ExportQuery(serializers.Serializer[Any]):
    include = serializers.ChoiceField(
        INCLUDES,
        default="shared",
        help_text="`personal` adds the acting owner's own, `all` everybody's (admins).",
    )


class DiffLine(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(["added", "removed", "same", "fold"])
    text = serializers.CharField()


class PreviewedFile(serializers.Serializer[Any]):
    path = serializers.CharField()
    scope = serializers.CharField()
    reason = serializers.CharField(help_text="Why it is skipped.")
    added = serializers.IntegerField(default=0)
    removed = serializers.IntegerField(default=0)
    oldSize = serializers.IntegerField(default=0)
    newSize = serializers.IntegerField(default=0)
    masked = serializers.BooleanField(default=False, help_text="A credential in it is masked.")
    truncated = serializers.BooleanField(default=False, help_text="It is over the file's ceiling and is cut.")
    diff = DiffLine(many=True, default=list)
    diffCut = serializers.BooleanField(default=False)


class RejectedEntry(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="As in the archive, with what is not printable written out.")
    reason = serializers.CharField()


class PreviewedFacts(serializers.Serializer[Any]):
    new = serializers.IntegerField()
    known = serializers.IntegerField()
    conflicting = serializers.IntegerField()
    forgotten = serializers.IntegerField()
    unreadable = serializers.ListField(child=serializers.JSONField())
    items = serializers.ListField(child=serializers.JSONField())


class PreviewedMessages(serializers.Serializer[Any]):
    new = serializers.IntegerField(default=0)
    known = serializers.IntegerField(default=0)
    conversations = serializers.IntegerField(default=0)


class ImportPreview(serializers.Serializer[ImportSummary]):
    previewId = serializers.UUIDField(source="row.pk")
    expiresAt = serializers.DateTimeField(source="row.expires_at")
    sha256 = serializers.CharField(source="row.digest")
    manifest = serializers.JSONField(source="row.manifest")
    # Fields of the answer, not the serializer's methods of those names, which reading never calls.
    create = PreviewedFile(many=True)  # type: ignore[assignment]
    update = PreviewedFile(many=True)  # type: ignore[assignment]
    skip = PreviewedFile(many=True)
    rejected = RejectedEntry(many=True)
    ignored = RejectedEntry(many=True)
    notices = serializers.ListField(child=serializers.CharField(), source="row.notices")
    facts = PreviewedFacts()
    dreams = serializers.IntegerField(help_text="Lines of dream reports.")
    messages = PreviewedMessages()


class Upload(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True)
    format = serializers.ChoiceField(
        FORMATS,
        default=SNAPSHOT,
        help_text="`snapshot`, or another product's: the `workspace` folder of an OpenClaw or MateClaw agent, a "
        "`basic-memory` folder, a `mem0` export (JSON), or `conversations` (JSON Lines).",
    )
    include = serializers.ChoiceField(
        ["shared", "personal"],
        default="shared",
        help_text="`personal` also imports a snapshot's personal part, or another product's whole archive, as the "
        "acting owner's own.",
    )
    user = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=128,
        help_text="Of a `mem0` export: the `user_id` whose memories are taken; by default the acting end user's, "
        "or the only one in the file.",
    )
    force = serializers.BooleanField(default=False, help_text="Bring back somebody who was erased here.")


class ImportOrder(serializers.Serializer[Any]):
    previewId = serializers.UUIDField()
    file = serializers.FileField(
        required=False, allow_empty_file=True, help_text="Checked against the preview."
    )


class AppliedImport(serializers.Serializer[SnapshotImport]):
    importId = serializers.UUIDField(source="pk")
    appliedAt = serializers.DateTimeField(source="applied_at")
    applied = serializers.SerializerMethodField()
    skipped = serializers.SerializerMethodField()
    counts = serializers.JSONField(source="changes.counts")

    def get_applied(self, row: SnapshotImport) -> list[str]:
        return [entry["path"] for entry in row.changes["files"]]

    def get_skipped(self, row: SnapshotImport) -> list[dict[str, str]]:
        parts = ImportPart.objects.filter(snapshot_import=row, action=ImportPart.Action.SKIP)
        return [{"path": part.path, "reason": part.reason} for part in parts]


class UndoneImport(serializers.Serializer[Any]):
    restored = serializers.ListField(child=serializers.CharField())
    kept = serializers.ListField(
        child=serializers.CharField(), help_text="Files that changed after the import."
    )
    factsRemoved = serializers.IntegerField()
    factsKept = serializers.IntegerField()


class ExportView(WorkspaceAPIView):
    unscoped = frozenset({"get"})

    @extend_schema(
        operation_id="export_memory",
        parameters=[ExportQuery],
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, agent_id: str) -> StreamingHttpResponse:
        """The agent's memory as a ZIP archive; the same memory gives the same bytes."""
        agent = load_agent(self.principal, agent_id)
        include = self.read_query(ExportQuery)["include"]
        file = export_snapshot(principal=self.principal, agent=agent, include=include)
        return file_response(request._request, file, f"memory-agent-{agent.slug}.zip")


class ImportPreviewView(WorkspaceAPIView):
    unscoped = frozenset({"post"})
    parser_classes = [ArchiveParser, BoundedJSONParser]

    @extend_schema(
        operation_id="preview_import", request={"multipart/form-data": Upload}, responses=ImportPreview
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """What an archive would change here. Nothing is written; the preview can be applied for an hour."""
        agent = load_agent(self.principal, agent_id)
        body = self.read(Upload)
        row = preview_import(
            principal=self.principal,
            agent=agent,
            upload=body["file"].file,
            filename=body["file"].name,
            with_personal=body["include"] == "personal",
            force=body["force"],
            source=Source(body["format"], body["user"] or end_user_of(self.principal.owner_key) or ""),
        )
        with workspace_scope(self.principal.workspace):
            return Response(ImportPreview(summary_of(row)).data)


class ImportView(WorkspaceAPIView):
    parser_classes = [BoundedJSONParser, ArchiveParser]

    @extend_schema(
        operation_id="import_memory",
        request={"application/json": ImportOrder, "multipart/form-data": ImportOrder},
        responses=AppliedImport,
    )
    def post(self, request: Request, agent_id: str) -> Response:
        """Write exactly what a preview showed, or answer 409 when the target has changed since."""
        agent = load_agent(self.principal, agent_id)
        body = self.read(ImportOrder)
        digest = digest_of(body["file"].file) if body.get("file") is not None else ""
        row = apply_import(principal=self.principal, agent=agent, import_id=body["previewId"], digest=digest)
        return Response(AppliedImport(row).data)


class ImportUndoView(WorkspaceAPIView):
    @extend_schema(operation_id="undo_import", request=None, responses=UndoneImport)
    def post(self, request: Request, agent_id: str, import_id: UUID) -> Response:
        """Restore what an import replaced; whatever changed since is kept and listed."""
        agent = load_agent(self.principal, agent_id)
        return Response(undo_import(principal=self.principal, agent=agent, import_id=import_id))
