"""`manage.py web`: the web server alone, for installations with a process manager of their own."""

from __future__ import annotations

from typing import Any

import uvicorn
from django.core.management.base import BaseCommand, CommandParser

from memoryapp.management.leash import follow_supervisor
from memoryapp.management.static_files import collect_static_files


class Command(BaseCommand):
    help = "Run the web server."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: str, **options: Any) -> None:
        follow_supervisor()
        collect_static_files()
        uvicorn.run(
            "memoryapp.asgi:application",
            host=options["host"],
            port=options["port"],
            lifespan="on",
            # Django's logging has been set up already; requests are logged by whoever stands in front.
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=10,
        )
