"""Write a backup of a workspace to a file, to keep or to move to another deployment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.management.commands.import_conversations import find_workspace
from memoryapp.management.progress import progress_bar
from memoryapp.snapshots.backup import count_rows, write_backup
from memoryapp.snapshots.keeping import operator_of


class Command(BaseCommand):
    help = (
        "Write everything of a workspace to a file: agents, files with revisions, facts, conversations, dreams and "
        "settings. Tokens, keys and passwords are not in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.backup.gz", type=Path)
        parser.add_argument("--workspace", metavar="SLUG", help="default: the only one there is")

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = find_workspace(options["workspace"])
        path: Path = options["file"]
        try:
            with path.open("xb") as file, progress_bar("Exporting", count_rows(workspace), " rows") as bar:
                path.chmod(0o600)
                rows = write_backup(principal=operator_of(workspace), target=file, progress=bar.update)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Wrote {rows} rows of {workspace.slug} to {path} ({path.stat().st_size:,} bytes).")
