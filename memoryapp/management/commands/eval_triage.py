"""Measure what extraction stores of a file of cases, with the offline rules, a configured model, or filed replies."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from memoryapp.llm.client import ModelConfig, build_client
from memoryapp.llm.types import ChatRequest, Completion
from memoryapp.management.triage_cases import Ask, Case, CaseResult, ExportedRequests, FiledReplies, run_case
from memoryapp.model_settings import model_config
from tenants.models import Workspace

NOTHING = Completion('{"should_update": false, "reason": "exported"}')


class Command(BaseCommand):
    help = "Run triage cases through the real extraction, write what changed in the scorer's form, and undo it all."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cases", metavar="CASES.jsonl", type=Path)
        parser.add_argument("--out", metavar="RESULTS.jsonl", type=Path)
        parser.add_argument("--backend", choices=["offline", "configured"], default="offline")
        source = parser.add_mutually_exclusive_group()
        source.add_argument(
            "--export-requests", metavar="DIR", type=Path, help="write the requests, ask nobody"
        )
        source.add_argument(
            "--replies", metavar="DIR", type=Path, help="take the answers from files named by case"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        cases = list(read_cases(options["cases"]))
        if options["out"] is None and options["export_requests"] is None:
            raise CommandError("Say where the results go: --out RESULTS.jsonl")
        results, seconds = [], []
        for case in tqdm(cases, desc="Cases", disable=None):
            started = time.perf_counter()
            results.append(self.run(case, options))
            seconds.append(time.perf_counter() - started)
        if options["out"] is not None:
            options["out"].write_text("".join(result.line() + "\n" for result in results), encoding="utf-8")
        self.summarise(results, seconds, options)

    def run(self, case: Case, options: dict[str, Any]) -> CaseResult:
        offline = (
            options["backend"] == "offline"
            and options["export_requests"] is None
            and options["replies"] is None
        )
        return run_case(case, self.asking(case, options), offline=offline)

    def asking(self, case: Case, options: dict[str, Any]) -> Ask:
        """How this case's question is answered."""
        if options["export_requests"] is not None:
            options["export_requests"].mkdir(parents=True, exist_ok=True)
            return lambda request: export(ExportedRequests(options["export_requests"]), case, request)
        if options["replies"] is not None:
            return lambda request: FiledReplies(options["replies"]).read(case.id)
        client = build_client(
            ModelConfig(backend="offline") if options["backend"] == "offline" else installed_model()
        )
        return client.complete

    def summarise(self, results: list[CaseResult], seconds: list[float], options: dict[str, Any]) -> None:
        if options["export_requests"] is not None:
            self.stdout.write(f"Wrote {len(results)} requests to {options['export_requests']}.")
            return
        operations = sum(len(result.operations) for result in results)
        failed = [result for result in results if result.error]
        median = 1000 * statistics.median(seconds) if seconds else 0
        self.stdout.write(
            f"{len(results)} cases, {operations} operations, {len(failed)} failed, "
            f"median {median:.0f} ms a case with its setting up: {options['out']}"
        )
        for result in failed[:10]:
            self.stderr.write(f"{result.id}: {result.error}")


def installed_model() -> ModelConfig:
    """The model of this installation; a workspace without settings of its own has just that."""
    return model_config(Workspace())


def export(requests: ExportedRequests, case: Case, request: ChatRequest) -> Completion:
    requests.write(case.id, request)
    return NOTHING


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file; CommandError names the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield Case.from_line(line)
            except ValueError as error:
                raise CommandError(f"{path}, line {number}: {error}") from error
