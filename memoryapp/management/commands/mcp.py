"""Connect a desktop client that can only start a program to a server's MCP endpoint."""

from __future__ import annotations

import os
from typing import Any

import anyio
from django.core.management.base import BaseCommand, CommandError, CommandParser

TOKEN = "MEMORYAPP_TOKEN"  # noqa: S105 - the name of a variable


class Command(BaseCommand):
    help = "Speak MCP on standard input and output, on behalf of a server's /mcp. The token comes from MEMORYAPP_TOKEN."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default="http://127.0.0.1:8000/mcp", help="the server's endpoint")
        parser.add_argument(
            "--end-user", default="", metavar="E", help="whose memory it is, if the token is free"
        )
        parser.add_argument("--agent", default="", metavar="ID-or-slug", help="which agent's memory it is")

    def handle(self, *args: Any, **options: Any) -> None:
        from memoryapp.management.mcp_bridge import carry

        token = os.environ.get(TOKEN, "")
        if not token:
            raise CommandError(f"Put an access token into the environment variable {TOKEN}.")
        anyio.run(carry, options["url"], token, options["end_user"], options["agent"])
