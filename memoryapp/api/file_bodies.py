"""How files look on the wire."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memoryapp.actions.merging import Strategy
from memoryapp.api.fields import Flag, RawText, Text
from memoryapp.models import FileRevision, WorkspaceFile
from tenants.scoping import Scope

SCOPES = {"shared": Scope.TEAM, "personal": Scope.PERSONAL}
TRUNCATED, MASKED = "It was over the file's ceiling and was cut at a section.", "A credential was masked."


class ScopeQuery(serializers.Serializer[Any]):
    scope = serializers.ChoiceField(list(SCOPES), default="shared")


@extend_schema_field(OpenApiTypes.INT)
class Size(serializers.ReadOnlyField):
    """A file's length; a list has it from the database and leaves the texts there."""

    def to_representation(self, file: WorkspaceFile) -> int:
        listed: int | None = file.__dict__.get("length_of_content")
        return len(file.content) if listed is None else listed


class FileEntry(serializers.Serializer[WorkspaceFile]):
    path = serializers.CharField()
    scope = serializers.ChoiceField(Scope.choices)
    enabled = serializers.BooleanField(help_text="Whether it is part of the prompt.")
    sortOrder = serializers.IntegerField(source="sort_order")
    size = Size(source="*", help_text="In characters.")
    version = serializers.IntegerField()
    etag = serializers.CharField()
    updatedAt = serializers.DateTimeField(source="updated_at")


class FileBody(FileEntry):
    content = serializers.CharField()


class WrittenFile(FileBody):
    created = serializers.BooleanField()
    changed = serializers.BooleanField()
    truncated = serializers.BooleanField(help_text=TRUNCATED)
    masked = serializers.BooleanField(help_text=MASKED)


class NewContent(serializers.Serializer[Any]):
    content = RawText(allow_blank=True, max_length=1_000_000)
    reason = Text(max_length=300, allow_blank=True, default="")


class FileEdit(serializers.Serializer[Any]):
    oldText = RawText()
    newText = RawText(allow_blank=True)
    replaceAll = Flag(default=False)


class MemoryWrite(serializers.Serializer[Any]):
    strategy = serializers.ChoiceField([strategy.value for strategy in Strategy])
    content = RawText(allow_blank=True, max_length=1_000_000)
    section = Text(
        max_length=300,
        allow_blank=True,
        default="",
        help_text="The heading; replace_section takes the content's own.",
    )
    reason = Text(max_length=300, allow_blank=True, default="")


class Replacements(serializers.Serializer[Any]):
    replacements = serializers.IntegerField()
    etag = serializers.CharField()
    truncated = serializers.BooleanField(help_text=TRUNCATED)
    masked = serializers.BooleanField(help_text=MASKED)


class RevisionEntry(serializers.Serializer[FileRevision]):
    number = serializers.IntegerField()
    actor = serializers.CharField()
    origin = serializers.CharField()
    reason = serializers.CharField()
    at = serializers.DateTimeField(source="created_at")


class RevisionBody(RevisionEntry):
    before = serializers.CharField()
    after = serializers.CharField()


class PromptFiles(serializers.Serializer[Any]):
    files = serializers.ListField(child=Text(max_length=200), max_length=100)
