"""Dream now, from the command line: of the shared memory of an agent, of one owner's, or of everybody's."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.actions.agents import load_agent
from memoryapp.exceptions import MemoryAppError
from memoryapp.jobs.night import report_of
from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.lifecycle.dream_orders import DreamOrder
from memoryapp.lifecycle.dreaming import run_dream
from memoryapp.lifecycle.nights import buckets_to_dream
from memoryapp.llm.errors import ModelError
from memoryapp.models import Agent, Dream
from tenants.models import Workspace
from tenants.principals import principal_for_job


class Command(BaseCommand):
    help = "Dream of an agent's memory now and say what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", help="the workspace's slug")
        parser.add_argument("agent", help="the agent's slug or id")
        whose = parser.add_mutually_exclusive_group()
        whose.add_argument(
            "--owner", default="", help="an owner key, such as api:customer-7; else the shared memory"
        )
        whose.add_argument("--everybody", action="store_true", help="the shared memory and every owner's")
        parser.add_argument("--topic", default="", help="look at one topic only")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would change, and change nothing"
        )

    def handle(self, **options: Any) -> None:
        workspace = Workspace.objects.filter(slug=options["workspace"]).first()
        if workspace is None:
            raise CommandError(f"There is no workspace {options['workspace']}.")
        try:
            agent = load_agent(principal_for_job(workspace), options["agent"])
        except MemoryAppError as error:
            raise CommandError(f"There is no agent {options['agent']}.") from error
        order = DreamOrder(
            kind=Dream.Kind.FOCUSED if options["topic"] else Dream.Kind.MANUAL,
            topic=options["topic"],
            dry_run=options["dry_run"],
        )
        buckets = self.buckets(workspace, agent, options)
        failed = [bucket for bucket in buckets if not self.dream(bucket, order)]
        if failed:
            raise CommandError(f"{len(failed)} of {len(buckets)} dreams did not work out.")

    def buckets(self, workspace: Workspace, agent: Agent, options: dict[str, Any]) -> list[BucketOf]:
        if options["everybody"]:
            return buckets_to_dream(workspace, agent)[0]
        return [bucket_of(workspace, agent, options["owner"])]

    def dream(self, bucket: BucketOf, order: DreamOrder) -> bool:
        """Dream of one bucket and tell; whether it worked out."""
        whose = bucket.owner_key or "shared"
        try:
            outcome = run_dream(bucket, order)
        except (MemoryAppError, ModelError) as error:
            self.stderr.write(f"{whose}: {error.detail}")
            return False
        told = report_of(outcome.dream, outcome.status, outcome.reason)
        counts = ", ".join(
            f"{value} {name}" for name, value in told.items() if isinstance(value, int) and value
        )
        self.stdout.write(
            f"{whose}: {outcome.status}. {outcome.reason} {f'({counts})' if counts else ''}".rstrip()
        )
        return outcome.status != Dream.Status.FAILED
