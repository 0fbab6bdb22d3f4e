"""`manage.py up`: the whole product with one command, until Ctrl-C."""

from __future__ import annotations

import http.client
import os
import socket
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from memoryapp.checks import refuse_unsafe_role
from memoryapp.embedded import EmbeddedServer
from memoryapp.management.children import Child
from memoryapp.management.demo import ensure_demo, read_login
from memoryapp.management.supervisor import AlreadyRunning, Supervisor, supervise_alone
from tenants.first_account import is_untouched

READY_SECONDS = 60
EVERY_ADDRESS = {"0.0.0.0", "::", ""}  # noqa: S104 - recognised here, not listened on


class Command(BaseCommand):
    help = "Start everything: PostgreSQL, migrations, a demo workspace, the workers and the web server."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--no-demo", action="store_true", help="make no demo workspace on the first start"
        )
        # Every command takes it; it is gone from the arguments by the time Django sees them.
        parser.add_argument(
            "--data-dir", help="where everything is kept (default: .data, or MEMORYAPP_DATA_DIR)"
        )

    def handle(self, *args: str, **options: Any) -> None:
        try:
            with supervise_alone(settings.DATA_DIR):
                self.supervise(options["host"], options["port"], make_demo=not options["no_demo"])
        except AlreadyRunning as other:
            raise CommandError(
                f"This is running already over {settings.DATA_DIR}, as process {other}."
            ) from other
        except ImproperlyConfigured as refusal:
            raise CommandError(str(refusal)) from refusal

    def supervise(self, host: str, port: int, *, make_demo: bool) -> None:
        web = Child("web", ["web", "--host", host, "--port", str(port)])
        server = None if os.environ.get("DATABASE_URL") else EmbeddedServer(settings.DATA_DIR)
        supervisor = Supervisor([web, Child("worker", ["worker"])], server)
        supervisor.obey_signals()
        url = f"http://{'localhost' if host in EVERY_ADDRESS else host}:{port}"
        try:
            self.refuse_port_in_use(host, port)
            self.prepare(url, make_demo=make_demo)
            supervisor.start()
            self.wait_for_page(supervisor, web, host, port)
            if not supervisor.stopping.is_set():
                self.greet(url)
            supervisor.run()
        finally:
            self.say("Stopping ...")
            supervisor.stop()

    def prepare(self, url: str, *, make_demo: bool) -> None:
        """Bring the database up to date; Django's connections are closed again before anything is started."""
        executor = MigrationExecutor(connections["owner"])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.say("Preparing the database ...")
            call_command("migrate", interactive=False, verbosity=0)
        refuse_unsafe_role()
        self.made_demo = make_demo and ensure_demo(self.login_file, url)
        self.needs_account = is_untouched()
        connections.close_all()

    def wait_for_page(self, supervisor: Supervisor, web: Child, host: str, port: int) -> None:
        self.say("Starting the workers and the web server ...")
        deadline = time.monotonic() + READY_SECONDS
        while not supervisor.stopping.wait(0.1) and not answers(host, port):
            if web.process is None or web.process.poll() is not None or time.monotonic() > deadline:
                raise CommandError("The web server did not start; what it said stands above.")

    def greet(self, url: str) -> None:
        """Say where it runs; the password and the token once only, since logs are kept and read."""
        login = read_login(self.login_file)
        self.say(f"\nmemoryapp is running: {url}")
        if self.needs_account:
            self.say("  Nobody has an account yet: the first one is made there, by whoever comes first.")
        elif login is None:
            self.say("  No login file: `manage.py createsuperuser` and `changepassword` help with logins.")
        elif self.made_demo:
            self.say(f"  login   {login['username']} / {login['password']}")
            self.say(f"  token   {login['token']}")
            self.say(f"  kept in {self.login_file}")
        else:
            self.say(f"  login   {login['username']}; its password and token are in {self.login_file}")
        self.say("Stop it with Ctrl-C.")

    @property
    def login_file(self) -> Path:
        return Path(settings.DATA_DIR) / "first-login.json"

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def refuse_port_in_use(self, host: str, port: int) -> None:
        try:
            [(family, kind, _, _, address), *_] = socket.getaddrinfo(
                host or None, port, type=socket.SOCK_STREAM
            )
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
        except OSError as problem:
            raise CommandError(
                f"Cannot listen on {host}:{port} ({problem.strerror}). Another program may use it: "
                f"try `manage.py up --port {port + 1}`."
            ) from problem


def answers(host: str, port: int) -> bool:
    """Whether an answer comes back, whatever it says."""
    connection = http.client.HTTPConnection("localhost" if host in EVERY_ADDRESS else host, port, timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except OSError:
        return False
    else:
        return True
    finally:
        connection.close()
