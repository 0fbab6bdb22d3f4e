"""Test that the newest backup of each workspace can be restored."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.exceptions import MemoryAppError, NotFound
from memoryapp.snapshots.keeping import DrillFailed, all_workspaces, drill, newest_backup


class Command(BaseCommand):
    help = (
        "Restore the newest backup of each workspace as another one, count its rows, and let go of it again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        failed = 0
        for workspace in all_workspaces():
            try:
                counts = drill(newest_backup(workspace))
                self.stdout.write(f"{workspace.slug}: {sum(counts.values())} rows come back.")
            except NotFound:
                failed += 1
                self.stderr.write(f"{workspace.slug}: there is no backup.")
            except (MemoryAppError, DrillFailed, OSError) as error:
                failed += 1
                self.stderr.write(f"{workspace.slug}: {error}")
        if failed:
            raise CommandError(f"{failed} workspaces could not be restored from a backup.")
