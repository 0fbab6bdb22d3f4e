"""Restore a workspace from a backup file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.exceptions import MemoryAppError
from memoryapp.management.progress import progress_bar
from memoryapp.snapshots.backup_reading import checked_header
from memoryapp.snapshots.backup_restoring import restore_backup


class Command(BaseCommand):
    help = (
        "Restore a workspace from a file that export_workspace wrote, all of it or nothing. People keep their memory "
        "by user name; an unknown one gets an account without a password."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.backup.gz", type=Path)
        parser.add_argument("--slug", default="", help="the restored workspace's slug; default: as it was")
        parser.add_argument(
            "--new-ids", action="store_true", help="make it another workspace beside the one it came from"
        )
        parser.add_argument("--force", action="store_true", help="bring back people who were erased since")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            with path.open("rb") as file:
                _, rows = checked_header(file)
                with progress_bar("Importing", rows, " rows") as bar:
                    restored = restore_backup(
                        file,
                        slug=options["slug"],
                        new_ids=options["new_ids"],
                        force=options["force"],
                        progress=bar.update,
                    )
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except MemoryAppError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"Restored {sum(restored.counts.values())} rows as {restored.workspace.slug}.")
        if restored.left_out:
            self.stdout.write(f"{restored.left_out} rows of people erased since were left out.")
        for name in restored.new_users:
            self.stdout.write(
                f"New account without a password: {name}. Set one: manage.py changepassword {name}"
            )
