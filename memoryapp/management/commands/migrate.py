"""Django's migrate, as the role that owns the tables: the app's own role may change rows only."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: str, **options: Any) -> None:
        users = {connections[alias].settings_dict["USER"] for alias in ("default", "owner")}
        if len(users) == 1:
            raise CommandError(
                "DATABASE_OWNER_URL must name the owner's role, which is another one than the app's: whoever "
                "migrates owns the tables, and the app must own none. `manage.py db provision` makes both."
            )
        super().handle(*args, **options)
