"""Back up every workspace to a folder now, as the scheduled backups do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.management.progress import progress_bar
from memoryapp.snapshots.keeping import all_workspaces, keep_backup, remove_expired


class Command(BaseCommand):
    help = "Back up every workspace to a folder and remove backups that are older than they are to be kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--folder", type=Path, help="default: MEMORYAPP_BACKUP_DIR")
        parser.add_argument("--keep-days", type=int, default=settings.BACKUP_KEEP_DAYS)

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"] or (
            Path(settings.BACKUP_DIR).expanduser() if settings.BACKUP_DIR else None
        )
        if folder is None:
            raise CommandError("Name a folder with --folder, or set MEMORYAPP_BACKUP_DIR.")
        workspaces = all_workspaces()
        with progress_bar("Backing up", len(workspaces), " workspaces") as bar:
            for workspace in workspaces:
                backup = keep_backup(workspace, folder.resolve(), options["keep_days"])
                removed = remove_expired(workspace)
                self.stdout.write(f"{backup.name}: {backup.size:,} bytes; {removed} old ones removed.")
                bar.update(1)
