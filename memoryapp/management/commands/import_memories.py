"""Import memories from a mem0 export: the JSON of its list API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.exceptions import MemoryAppError
from memoryapp.management.commands.import_conversations import find_agent, find_workspace
from memoryapp.management.memory_items import (
    ADDED,
    ERASED,
    FORGOTTEN,
    KNOWN,
    REFUSED,
    MemoryImport,
)
from memoryapp.management.progress import progress_bar
from memoryapp.snapshots.foreign.mem0 import items_of

PROBLEMS_SHOWN = 20
# All of it is held in memory at once.
LONGEST = 512_000_000


class Command(BaseCommand):
    help = "Import memories from the JSON of mem0's list API. Running it again adds only what is new."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.json", type=Path)
        parser.add_argument("--agent", required=True, metavar="ID-or-slug")
        parser.add_argument("--workspace", metavar="SLUG", help="default: the only one there is")
        parser.add_argument("--dry-run", action="store_true", help="only say what would become of each")

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = find_workspace(options["workspace"])
        task = MemoryImport(workspace, find_agent(workspace, options["agent"]), options["dry_run"])
        items = read_items(options["file"])
        with progress_bar("Importing", len(items), " memories") as bar:
            for _ in task.take(items):
                bar.update(1)
        for problem in task.problems[:PROBLEMS_SHOWN]:
            self.stderr.write(problem)
        counts = task.counts
        self.stdout.write(
            f"{'Would import' if task.dry_run else 'Imported'} {counts[ADDED]} memories; {counts[KNOWN]} were there "
            f"already, {counts[FORGOTTEN]} were forgotten on request, {counts[ERASED]} are of people who were erased, "
            f"{counts[REFUSED]} could not be used."
        )


def read_items(path: Path) -> list[Any]:
    """The items of a file; CommandError for one that is no export."""
    try:
        if path.stat().st_size > LONGEST:
            raise CommandError(f"{path} is longer than {LONGEST // 1_000_000} MB: export it in parts.")
        return items_of(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8.") from error
    except MemoryAppError as error:
        raise CommandError(f"{path}: {error.detail}") from error
