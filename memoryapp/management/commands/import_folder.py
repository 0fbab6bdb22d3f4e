"""Import a folder of another product: an OpenClaw or MateClaw workspace, or the notes of basic-memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.exceptions import MemoryAppError
from memoryapp.management.commands.import_conversations import find_agent, find_workspace
from memoryapp.management.progress import progress_bar
from memoryapp.models import Agent, ImportPart, SnapshotImport
from memoryapp.snapshots.apply import apply_import
from memoryapp.snapshots.foreign import Source
from memoryapp.snapshots.foreign.message_lines import owner_key_of
from memoryapp.snapshots.foreign.packing import packed_folder
from memoryapp.snapshots.limits import MEGABYTE, SNAPSHOT_LIMITS
from memoryapp.snapshots.preview import preview_import
from memoryapp.snapshots.summaries import ImportSummary, summary_of
from tenants.exceptions import TenancyError
from tenants.models import Role, Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope

# An operator at the machine may bring more than somebody over the web.
LIMITS: Final = replace(
    SNAPSHOT_LIMITS, entries=10_000, total_bytes=64 * MEGABYTE, upload_bytes=80 * MEGABYTE, seconds=300.0
)
PROBLEMS_SHOWN: Final = 20
# Conversations have a command of their own, which takes files of any length.
FORMATS: Final = ("workspace", "basic-memory", "mem0")


class Command(BaseCommand):
    help = (
        "Import a folder, or a ZIP archive of one: the workspace of an OpenClaw or MateClaw agent, or basic-memory's "
        "notes. Running it again adds only what is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="FOLDER-or-ZIP", type=Path)
        parser.add_argument("--format", required=True, choices=FORMATS, help="what it is a folder of")
        parser.add_argument("--agent", required=True, metavar="ID-or-slug")
        parser.add_argument("--workspace", metavar="SLUG", help="default: the only one there is")
        parser.add_argument(
            "--owner", help="whose personal memory it becomes; without it, it is shared with the team"
        )
        parser.add_argument(
            "--user", default="", help="of a mem0 export: the user_id whose memories are taken"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would become of each file")

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = find_workspace(options["workspace"])
        agent = find_agent(workspace, options["agent"])
        principal = _principal(workspace, options["owner"])
        try:
            row = self.previewed(principal, agent, options)
            with workspace_scope(workspace):
                summary = summary_of(row)
            if not options["dry_run"]:
                self.apply(principal, agent, row)
            else:
                with workspace_scope(workspace):
                    row.delete()
        except OSError as error:
            raise CommandError(f"{options['folder']} cannot be read: {error.strerror}.") from error
        except MemoryAppError as error:
            raise CommandError(f"{error.detail} ({error.code})") from error
        self.tell(summary, "Would import" if options["dry_run"] else "Imported")

    def previewed(self, principal: Principal, agent: Agent, options: dict[str, Any]) -> SnapshotImport:
        """Everything that is in the folder, judged and kept."""
        path: Path = options["folder"]
        source = Source(options["format"], options["user"], LIMITS)
        with opened(path) as upload, progress_bar("Reading", None, " entries") as bar:
            return preview_import(
                principal=principal,
                agent=agent,
                upload=upload,
                filename=path.name,
                with_personal=not principal.is_system,
                source=source,
                progress=bar.update,
            )

    def apply(self, principal: Principal, agent: Agent, row: SnapshotImport) -> None:
        """Write what was shown."""
        with workspace_scope(principal.workspace):
            parts = ImportPart.objects.filter(snapshot_import=row).count()
        with progress_bar("Importing", parts, " entries") as bar:
            apply_import(principal=principal, agent=agent, import_id=row.pk, progress=bar.update)

    def tell(self, summary: ImportSummary, done: str) -> None:
        """Say what became of all there is, and of what cannot be used why."""
        problems = [f"{entry['name']}: {entry['reason']}" for entry in summary.rejected]
        problems += [f"{each['path']}, {each['line']}: {each['reason']}" for each in summary.unreadable]
        for problem in problems[:PROBLEMS_SHOWN]:
            self.stderr.write(problem)
        facts = summary.facts
        self.stdout.write(
            f"{done} {len(summary.create)} new files, {len(summary.update)} changed ones and {facts['new']} facts; "
            f"{len(summary.skip)} files and {facts['known']} facts were there already, "
            f"{facts['conflicting']} facts have changed here, {facts['forgotten']} were forgotten on request, "
            f"{len(problems)} things could not be used."
        )


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file as it is; a folder packed, links left out."""
    if path.is_dir():
        with packed_folder(path, LIMITS) as archive:
            yield archive
    else:
        with path.open("rb") as file:
            yield file


def _principal(workspace: Workspace, owner: str | None) -> Principal:
    """The owner at work, or without one the operator, who writes what is shared."""
    if not owner:
        return Principal(workspace=workspace, owner_key=SYSTEM, role=Role.OWNER)
    members = frozenset(workspace.memberships.values_list("user_id", flat=True))
    try:
        return principal_for_job(workspace, owner_key_of(owner, members))
    except ValueError as error:
        raise CommandError(f"{error}.") from error
    except TenancyError as error:
        raise CommandError(error.detail) from error
