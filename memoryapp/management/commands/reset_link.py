"""Print a link by which somebody who lost their password sets a new one, once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode


class Command(BaseCommand):
    help = "Print the path of a page where a person sets a new password; it works once, for three days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is nobody called {options['username']!r} who may sign in.")
        key = urlsafe_base64_encode(force_bytes(user.pk))
        path = reverse("password-reset", args=[key, default_token_generator.make_token(user)])
        self.stdout.write(path)
