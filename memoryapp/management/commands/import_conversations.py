"""Import conversations from a file of messages, one JSON object per line, the way every message goes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from memoryapp.actions.agents import load_agent
from memoryapp.exceptions import MemoryAppError
from memoryapp.lifecycle.extraction import extract_now
from memoryapp.llm.errors import ModelError
from memoryapp.models import Conversation
from memoryapp.snapshots.foreign.message_lines import BadLine, LineReader, MessageLine, numbered_lines
from memoryapp.snapshots.foreign.talks import ConversationImport
from tenants.models import GLOBAL_WORKSPACE_ID, Workspace
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

BATCH = 200
BAD_LINES_SHOWN = 20


class Command(BaseCommand):
    help = (
        "Import conversations from a JSON Lines file. A line has role and content, and may have name, timestamp, "
        "owner and conversation. Running it again adds only what is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.jsonl", type=Path)
        parser.add_argument("--agent", required=True, metavar="ID-or-slug")
        parser.add_argument("--workspace", metavar="SLUG", help="default: the only one there is")
        parser.add_argument("--owner", help="whose conversations these are, for lines that do not say")
        parser.add_argument(
            "--extract",
            choices=["queue", "now", "no"],
            default="queue",
            help="read what is new for memory: by the workers (default), here and now, or not at all",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only say what would come in; nothing is stored or read"
        )
        parser.add_argument(
            "--strict", action="store_true", help="stop at the first line that cannot be used"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = find_workspace(options["workspace"])
        agent = find_agent(workspace, options["agent"])
        dry_run = options["dry_run"]
        task = ConversationImport(workspace, agent, options["extract"] == "queue" and not dry_run, dry_run)
        bad = self.store(task, options)
        self.stdout.write(
            f"{'Would import' if dry_run else 'Imported'} {task.added} messages into {len(task.conversations)} "
            f"conversations; {task.known} were there already, {bad} lines could not be used."
        )
        if options["extract"] == "now" and not dry_run:
            self.read(task)

    def store(self, task: ConversationImport, options: dict[str, Any]) -> int:
        """Store the file batch by batch and return the number of bad lines."""
        path: Path = options["file"]
        members = frozenset(task.workspace.memberships.values_list("user_id", flat=True))
        reader = LineReader(task.workspace.zone, members, options["owner"], path.stem[:128])
        bad = 0
        try:
            with path.open("rb") as file, _bar("Importing", os.fstat(file.fileno()).st_size, "B") as bar:
                messages = self.usable_lines(file, reader, strict=options["strict"], bar=bar)
                while batch := list(islice(messages, BATCH)):
                    task.store([line for line in batch if isinstance(line, MessageLine)])
                    bad += sum(isinstance(line, BadLine) for line in batch)
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        return bad

    def usable_lines(
        self, file: BinaryIO, reader: LineReader, *, strict: bool, bar: Any
    ) -> Iterator[MessageLine | BadLine]:
        """The messages of the file, and in place of each bad line what is wrong with it."""
        shown = 0
        for number, raw in numbered_lines(file):
            bar.update(file.tell() - bar.n)
            try:
                yield reader.read(number, raw)
            except BadLine as problem:
                if strict:
                    raise CommandError(str(problem)) from problem
                shown += 1
                if shown <= BAD_LINES_SHOWN:
                    self.stderr.write(str(problem))
                yield problem

    def read(self, task: ConversationImport) -> None:
        """Read every conversation of the file that has unread messages, in the order of the file."""
        changes = refused = failed = 0
        with _bar("Reading", len(task.conversations), " conversations") as bar:
            for (owner_key, external_id), key in task.conversations.items():
                principal = principal_for_job(task.workspace, owner_key)
                with workspace_scope(task.workspace):
                    conversation = Conversation.objects.get(pk=key)
                try:
                    extracted = extract_now(principal=principal, conversation=conversation)
                    changes, refused = changes + len(extracted.changes), refused + len(extracted.refusals)
                except (ModelError, MemoryAppError) as error:
                    failed += 1
                    self.stderr.write(f"{external_id} of {owner_key}: {error}")
                bar.update(1)
        self.stdout.write(
            f"Read them: {changes} facts kept or changed, {refused} candidates refused, {failed} failed."
        )


def _bar(what: str, total: int, unit: str) -> Any:
    """A progress bar where somebody watches, nothing in a log."""
    return tqdm(total=total, desc=what, unit=unit, unit_scale=unit == "B", disable=None)


def find_workspace(slug: str | None) -> Workspace:
    """The workspace of that slug, or the only one there is; CommandError when that does not tell."""
    workspaces = Workspace.objects.exclude(pk=GLOBAL_WORKSPACE_ID)
    found = list((workspaces.filter(slug=slug) if slug else workspaces).order_by("created_at")[:2])
    if not found:
        raise CommandError(f"There is no workspace {slug!r}." if slug else "There is no workspace yet.")
    if len(found) > 1:
        raise CommandError("There are several workspaces: name one with --workspace SLUG.")
    return found[0]


def find_agent(workspace: Workspace, id_or_slug: str) -> Any:
    """The workspace's agent of that id or slug; CommandError when there is none."""
    try:
        return load_agent(principal_for_job(workspace), id_or_slug)
    except MemoryAppError as error:
        raise CommandError(f"There is no agent {id_or_slug!r} in {workspace.slug}.") from error
