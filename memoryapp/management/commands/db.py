"""`manage.py db`: look after the embedded PostgreSQL, or prepare another server for this product."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.embedded import EmbeddedPostgresError, EmbeddedServer, roles


class Command(BaseCommand):
    help = "Start, stop or ask about the embedded PostgreSQL; make the roles on another server."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="start|stop|status|url|provision"
        )
        actions.add_parser("start", help="start the embedded server, if it is not running")
        actions.add_parser("stop", help="stop the embedded server")
        actions.add_parser("status", help="say whether it runs, and where; exit code 3 when it does not")
        url = actions.add_parser("url", help="print a connection URL, password included")
        url.add_argument("--role", choices=["app", "owner", "superuser"], default="app")
        provision = actions.add_parser(
            "provision", help="make roles, database and extensions on another server"
        )
        provision.add_argument(
            "--admin-url", required=True, help="postgresql://superuser:password@host/postgres"
        )
        provision.add_argument("--database", default=roles.DATABASE)
        provision.add_argument(
            "--new-passwords", action="store_true", help="give the roles new passwords if they exist already"
        )

    def handle(self, *args: str, **options: Any) -> None:
        try:
            getattr(self, f"handle_{options['action']}")(options)
        except EmbeddedPostgresError as problem:
            raise CommandError(str(problem)) from problem
        except psycopg.Error as problem:
            raise CommandError(f"The server says: {problem}") from problem

    @property
    def server(self) -> EmbeddedServer:
        return EmbeddedServer(settings.DATA_DIR)

    def handle_start(self, options: dict[str, Any]) -> None:
        self.stdout.write(f"PostgreSQL is running on 127.0.0.1:{self.server.start().port}")

    def handle_stop(self, options: dict[str, Any]) -> None:
        self.stdout.write("PostgreSQL has stopped." if self.server.stop() else "PostgreSQL was not running.")

    def handle_status(self, options: dict[str, Any]) -> None:
        access = self.server.access()
        if access is None or not self.server.is_running():
            self.stdout.write(f"PostgreSQL is not running over {self.server.cluster}")
            raise SystemExit(3)
        self.stdout.write(f"PostgreSQL is running on 127.0.0.1:{access.port} over {self.server.cluster}")

    def handle_url(self, options: dict[str, Any]) -> None:
        role = {"app": roles.APP_ROLE, "owner": roles.OWNER_ROLE, "superuser": roles.SUPERUSER}[
            options["role"]
        ]
        self.stdout.write(self.server.start().url(role))

    def handle_provision(self, options: dict[str, Any]) -> None:
        admin_url, database = options["admin_url"], options["database"]
        with psycopg.connect(admin_url, autocommit=True) as admin:
            passwords = {
                role: secrets.token_urlsafe(24)
                for role in (roles.APP_ROLE, roles.OWNER_ROLE)
                if options["new_passwords"] or not roles.role_exists(admin, role)
            }
            roles.provision(admin, passwords=passwords, database=database)
        with psycopg.connect(_url_of(admin_url, database=database), autocommit=True) as admin:
            roles.prepare_schema(admin)
        for name, role in (("DATABASE_URL", roles.APP_ROLE), ("DATABASE_OWNER_URL", roles.OWNER_ROLE)):
            password = passwords.get(role, "the-password-it-has")
            self.stdout.write(f"{name}={_url_of(admin_url, database=database, user=role, password=password)}")
        if len(passwords) < 2:
            self.stderr.write("Roles that existed keep their password; --new-passwords gives them new ones.")


def _url_of(url: str, *, database: str, user: str = "", password: str = "") -> str:
    """The same server's URL for another database, and for another user if one is named."""
    parts = urlsplit(url)
    address = parts.netloc.rpartition("@")[2]
    credentials = f"{quote(user)}:{quote(password)}" if user else parts.netloc.rpartition("@")[0]
    netloc = f"{credentials}@{address}" if credentials else address
    return urlunsplit((parts.scheme, netloc, f"/{quote(database)}", parts.query, ""))
