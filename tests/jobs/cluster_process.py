"""A real cluster on the test's database, in a process of its own, which stops at the line a test wants to kill it at.

usage: python -m tests.jobs.cluster_process DATABASE PIPE never|asking|settling
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock


def main(database: str, pipe: str, stop_at: str) -> None:
    import django
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = database
    django.setup()

    from memoryapp.jobs import backlog, queue, worker
    from memoryapp.llm.backends.scripted import ScriptedBackend
    from memoryapp.llm.client import LLMClient
    from memoryapp.llm.types import ChatRequest
    from memoryapp.model_settings import refuse_inside_scope, standing_in
    from memoryapp.models import Event

    def reach(point: str) -> None:
        """Tell the test where the work is, and stay there if that is where it shall end."""
        with Path(pipe).open("w") as reports:
            reports.write(f"{point}\n")
        while stop_at == point:
            time.sleep(60)

    def answer(request: ChatRequest) -> dict[str, Any]:
        reach("asking")
        return {
            "should_update": True,
            "reason": "news",
            "operations": [
                {"op": "ADD", "text": "User takes the 8:15 train", "category": "technical", "evidence": [1]}
            ],
            "daily_entry": "Talked about trains.",
        }

    settle = backlog.settle_event

    def settle_extraction(event: Event, outcome: Any) -> None:
        if event.kind == "extraction":
            reach("settling")
        settle(event, outcome)
        if event.kind == "extraction":
            reach("settled")

    client = LLMClient(ScriptedBackend(otherwise=answer), before_call=refuse_inside_scope)
    with standing_in(client), mock.patch.object(worker, "settle_event", settle_extraction):
        queue.run_cluster()


if __name__ == "__main__":
    main(*sys.argv[1:])
