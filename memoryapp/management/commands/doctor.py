"""`manage.py doctor`: looks at the whole installation and names what is wrong, and what helps."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, connection, connections
from django.db.migrations.executor import MigrationExecutor

from memoryapp.bootstrap import ROOT, RUN_LOCK
from memoryapp.checks import find_unsafe_role
from memoryapp.embedded import roles
from memoryapp.jobs import worker_heartbeat_age
from memoryapp.retrieval.vectors import EmbedderUnavailable, get_embedder

FREE_BYTES_WANTED = 500 * 1024 * 1024
# The workers write their sign of life once a minute.
QUIET = timedelta(minutes=3)


class Complaint(Exception):
    """What is wrong, and what helps."""


def look_at_packages() -> str:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+) \\", (ROOT / RUN_LOCK).read_text(), re.MULTILINE)
    differing = [f"{name} {version}" for name, version in pins if _installed(name) != version]
    if differing:
        raise Complaint(f"not as locked: {', '.join(differing)}; install requirements.lock")
    return f"Python {platform.python_version()}, {len(pins)} packages as locked"


def look_at_data_folder() -> str:
    folder = Path(settings.DATA_DIR)
    open_files = [
        path.relative_to(folder)
        for pattern in ("secret-key", "first-login.json", "postgres/connection.json")
        for path in folder.glob(pattern)
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_files:
        raise Complaint(f"others can read {', '.join(map(str, open_files))} in {folder}: chmod 600 them")
    free = shutil.disk_usage(folder).free
    if free < FREE_BYTES_WANTED:
        raise Complaint(f"only {free // 2**20} MB free for {folder}")
    return f"{folder}, {free // 2**30} GB free"


def look_at_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_setting('server_version')")
        number, version = cursor.fetchone()
        cursor.execute("SELECT extname, extversion FROM pg_extension")
        extensions = dict(cursor.fetchall())
    missing = [name for name in roles.EXTENSIONS if name not in extensions]
    if missing:
        raise Complaint(f"extensions missing: {', '.join(missing)}; `manage.py db provision` installs them")
    if number < 150000 or _numbers(extensions["vector"]) < (0, 8):
        raise Complaint(f"PostgreSQL {version} with pgvector {extensions['vector']}: 15 and 0.8 are needed")
    with connection.cursor() as cursor:
        cursor.execute("SELECT cardinality(show_trgm('你好世界')) > 0")
        if cursor.fetchone() != (True,):
            raise Complaint("its character type knows ASCII only, so Chinese cannot be searched: use C.UTF-8")
    return f"PostgreSQL {version}, pgvector {extensions['vector']}"


def look_at_role() -> str:
    problems = find_unsafe_role()
    if problems:
        raise Complaint(f"{'; '.join(problems)}. {roles.HOW_TO_MAKE_ROLES}")
    return f"{settings.DATABASES['default']['USER']} is bound by row-level security"


def look_at_migrations() -> str:
    executor = MigrationExecutor(connections["default"])
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        raise Complaint(f"{len(pending)} to apply: manage.py migrate")
    return "all applied"


def look_at_workers() -> str:
    age = worker_heartbeat_age()
    if age is None or age > QUIET:
        raise Complaint("no worker has run a task lately: start `manage.py up` or `manage.py worker`")
    return f"ran a task {age.total_seconds():.0f} s ago"


def look_at_embedder() -> str:
    embedder = get_embedder()
    try:
        embedder.embed_query("hello")
    except EmbedderUnavailable as problem:
        raise Complaint(f"{problem}; search goes on by words alone") from problem
    return f"{embedder.name}, {embedder.dimensions} dimensions"


CHECKS: dict[str, Callable[[], str]] = {
    "packages": look_at_packages,
    "data folder": look_at_data_folder,
    "database": look_at_database,
    "database role": look_at_role,
    "migrations": look_at_migrations,
    "workers": look_at_workers,
    "embedder": look_at_embedder,
}


class Command(BaseCommand):
    help = "Look at the whole installation and say what is wrong."
    requires_system_checks = ()

    def handle(self, *args: str, **options: Any) -> None:
        wrong = 0
        for name, check in CHECKS.items():
            try:
                self.stdout.write(f"ok     {name}: {check()}")
            except Complaint as complaint:
                wrong += 1
                self.stdout.write(self.style.ERROR(f"wrong  {name}: {complaint}"))
            except (Error, psycopg.Error) as problem:
                wrong += 1
                self.stdout.write(self.style.ERROR(f"wrong  {name}: the database says: {problem}"))
        if wrong:
            raise SystemExit(1)


def _installed(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
