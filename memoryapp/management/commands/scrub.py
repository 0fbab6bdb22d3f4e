"""Purge secrets from everything that is kept, from the command line."""

from __future__ import annotations

import getpass
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.actions.agents import load_agent
from memoryapp.actions.scrubbing import Progress, scrub_now
from memoryapp.exceptions import MemoryAppError
from tenants.models import Role, Workspace
from tenants.owners import SYSTEM
from tenants.principals import Principal


class Command(BaseCommand):
    help = (
        "Mask every credential that today's patterns find, in every version of everything a workspace keeps. May be "
        "interrupted and run again: what is masked is masked, and a second run finds nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", help="the workspace's slug")
        parser.add_argument("--agent", default="", help="only this agent's memory, by slug or id")
        parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")
        parser.add_argument(
            "--secret",
            action="store_true",
            help="ask for one secret and purge that; it is not taken as an argument, which others could read",
        )

    def handle(self, **options: Any) -> None:
        workspace = Workspace.objects.filter(slug=options["workspace"]).first()
        if workspace is None:
            raise CommandError(f"There is no workspace {options['workspace']}.")
        principal = Principal(workspace, SYSTEM, Role.OWNER)
        try:
            receipt = scrub_now(
                principal=principal,
                agent_id=load_agent(principal, options["agent"]).pk if options["agent"] else None,
                dry_run=options["dry_run"],
                secret=getpass.getpass("The secret: ") if options["secret"] else None,
                told=self._tell,
            )
        except MemoryAppError as error:
            raise CommandError(error.detail) from error
        self._print(receipt)

    def _tell(self, progress: Progress) -> None:
        self.stderr.write(f"\r{progress.read} of {progress.total} texts read", ending="")

    def _print(self, receipt: dict[str, Any]) -> None:
        self.stderr.write("")
        verb = "would change" if receipt["dryRun"] else "changed"
        self.stdout.write(f"{receipt['textsRead']} texts read, {sum(receipt['changed'].values())} {verb}.")
        for name, heading in (
            ("changed", "Rows"),
            ("credentials", "Found"),
            ("left", "Left, since rows are found by them"),
        ):
            for what, count in receipt[name].items():
                self.stdout.write(f"{heading}: {what}: {count}")
        for backup in receipt["backups"]:
            self.stdout.write(f"A backup holds what was there when it was made: {backup['name']}")
        self.stdout.write(f"Signature: {receipt['signature']}")
