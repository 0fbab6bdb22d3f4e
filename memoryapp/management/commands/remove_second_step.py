"""Let somebody in again who has lost both their authenticator and their recovery codes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tenants.sessions import end_other_sessions
from tenants.two_step import remove_two_step


class Command(BaseCommand):
    help = "Switch off somebody's second step and sign them out everywhere. Make sure first that it is them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        user = User.objects.filter(username=name).first()
        if user is None or not remove_two_step(user=user, by="operator"):
            raise CommandError(f"There is nobody called {name!r} who signs in in two steps.")
        end_other_sessions(user=user, keep=None)
        self.stdout.write(f"{name} signs in with the password alone and can set up a second step again.")
