"""Workspace files: the Markdown an agent is given, shared and per owner, with every earlier text."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q

from memoryapp.models.agents import Agent
from tenants.scoping import OwnedModel, Scope


def in_every_prompt(file: str = "") -> Q:
    """Which files are part of every prompt, as a condition on files or, with a prefix, on what belongs to one."""
    shared = Q(**{f"{file}enabled": True}) & ~Q(**{f"{file}scope": Scope.PERSONAL})
    own = Q(**{f"{file}scope": Scope.PERSONAL, f"{file}path__in": WorkspaceFile.PERSONAL_PROMPT_FILES})
    return shared | own


class WorkspaceFile(OwnedModel):
    """One Markdown file of an agent: shared (TEAM) or somebody's own (PERSONAL)."""

    # The files every agent starts with, in the order in which they are injected.
    PROMPT_FILES: ClassVar[tuple[str, ...]] = ("AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md")

    # Of a person's own files these are told every turn; their notes are searched.
    PERSONAL_PROMPT_FILES: ClassVar[tuple[str, ...]] = ("PROFILE.md", "MEMORY.md")

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=200, db_collation="C")
    content = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    enabled = models.BooleanField(default=False)
    sort_order = models.PositiveIntegerField(default=100)

    class Meta:
        ordering = ["sort_order", "path"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "agent", "scope", "owner_key", "path"], name="memoryapp_file_path_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def etag(self) -> str:
        return f'"{self.id}.{self.version}"'


class FileRevision(OwnedModel):
    """What a write replaced: the text before and after, who wrote, when and why."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    file = models.ForeignKey(WorkspaceFile, null=True, on_delete=models.SET_NULL, related_name="revisions")
    path = models.CharField(max_length=200, db_collation="C")
    number = models.PositiveIntegerField()
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    actor = models.CharField(max_length=200)
    origin = models.CharField(max_length=16)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["workspace", "file", "number"], name="memoryapp_filerevision_number_unique"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "agent", "owner_key", "path"], name="memoryapp_filerev_path")
        ]

    def __str__(self) -> str:
        return f"{self.path} revision {self.number}"


class FileSection(OwnedModel):
    """One `##` section of a file: what is searched, what facts link to, and whether a person's hand is in it."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="+")
    file = models.ForeignKey(WorkspaceFile, on_delete=models.CASCADE, related_name="sections")
    position = models.PositiveIntegerField()
    heading = models.CharField(max_length=300, blank=True)
    first_line = models.PositiveIntegerField()
    text = models.TextField()
    person_edited = models.BooleanField(default=False)
    edited_by = models.CharField(max_length=200, blank=True)
    lexemes = SearchVectorField(null=True, editable=False)
    length = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            *OwnedModel.Meta.constraints,
            models.UniqueConstraint(
                # Checked at commit: a rebuild moves sections past each other.
                fields=["workspace", "file", "position"],
                deferrable=models.Deferrable.DEFERRED,
                name="memoryapp_section_position_unique",
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "agent", "owner_key"], name="memoryapp_section_owner"),
            GinIndex(fields=["lexemes"], name="memoryapp_section_lexemes"),
        ]

    def __str__(self) -> str:
        return self.heading or self.text[:60]
