"""Asking for a file's bullets to become facts, whenever its text has changed."""

from __future__ import annotations

from typing import Final

from django.conf import settings

from memoryapp.actions.events import request_job_after_commit
from memoryapp.models import WorkspaceFile
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job

PROJECT_FILE = "project_file"
# The files whose bullets are facts. Notes are read by dreams instead, the others say how to behave.
PROJECTED: Final = ("MEMORY.md", "PROFILE.md")


def request_projection(principal: Principal, file: WorkspaceFile) -> None:
    """Have the bullets of this file projected after the transaction, if it is a file for that."""
    if file.path in PROJECTED and settings.MEMORY_FACT_PROJECTION_ENABLED:
        request_job_after_commit(
            principal=principal_for_job(principal.workspace, file.owner_key or SYSTEM),
            kind=PROJECT_FILE,
            subject_id=file.pk,
            agent_id=file.agent_id,
        )
