"""One copy of a migrated template per test process; the owner migrates it, the app's role runs the tests.

The template is made once per state of the migrations, so that most runs begin with a copy that takes a blink.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from memoryapp.embedded import roles
from tests.database import ROOT, SERVER

# Any number will do, as long as every test process uses the same one.
TEMPLATE_LOCK = 727_001


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    name = _database_name(request.config)
    with SERVER.connect_as_superuser() as admin:
        _drop_leftovers(admin)
        _copy_template(admin, name, django_db_blocker)
    _point_connections_at(name)
    with SERVER.connect_as_superuser(name) as inside, pytest.MonkeyPatch.context() as patch:
        filled = _statement_for_filled_tables(inside)
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: _empty_tables(inside, filled))
        yield
    _close_connections()
    with SERVER.connect_as_superuser() as admin:
        _drop(admin, name)


def _statement_for_filled_tables(inside: roles.Connection) -> str:
    tables = inside.execute(
        "SELECT quote_ident(relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        " AND relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission')"
    )
    return " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})"  # noqa: S608 - quoted by the catalogue
        for (name,) in tables
    )


def _empty_tables(inside: roles.Connection, statement_for_filled: str) -> None:
    """Leave nothing behind that a transactional test has written.

    Django's own flush takes far longer: it makes the files of all tables anew, whether they hold rows or not, and
    writes the content types and permissions again. Vacuumed, a table is as short as a new one: rows written at the
    same moment are read in the order in which they were written.
    """
    filled = [name for (name,) in inside.execute(statement_for_filled)]
    if not filled:
        return
    with inside.transaction():
        # Without triggers no order of the tables has to be kept.
        inside.execute("SET LOCAL session_replication_role = replica")
        for name in filled:
            inside.execute(f"DELETE FROM {name}")  # noqa: S608 - as above
    inside.execute(f"VACUUM {', '.join(filled)}")


def _database_name(config: pytest.Config) -> str:
    """Unique per process; MEMORYAPP_TEST_DB_SUFFIX gives it a name that can be told in advance."""
    worker = getattr(config, "workerinput", {}).get("workerid", "main")
    suffix = os.environ.get("MEMORYAPP_TEST_DB_SUFFIX", "")
    return f"test_{suffix}_{worker}" if suffix else f"test_p{os.getpid()}_{worker}"


def _template_name() -> str:
    digest = hashlib.sha256()
    for pattern in (
        "*/migrations/*.py",
        "memoryapp/embedded/*.py",
        "tests/database*.py",
        "requirements.lock",
    ):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return f"template_{digest.hexdigest()[:16]}"


def _copy_template(admin: roles.Connection, name: str, blocker: DjangoDbBlocker) -> None:
    template = _template_name()
    admin.execute("SELECT pg_advisory_lock(%s)", [TEMPLATE_LOCK])
    if not _databases(admin, template):
        for outdated in _databases(admin, r"template\_%"):
            _drop(admin, outdated)
        _make_template(admin, template, blocker)
    _drop(admin, name)
    _create(admin, name, template)
    admin.execute("SELECT pg_advisory_unlock(%s)", [TEMPLATE_LOCK])


def _make_template(admin: roles.Connection, template: str, blocker: DjangoDbBlocker) -> None:
    """Migrate under another name, so that a template which exists is a template which is complete."""
    from django.core.management import call_command

    unfinished = f"unfinished_{template}"
    _drop(admin, unfinished)
    _create(admin, unfinished, "template1")
    _point_connections_at(unfinished)
    with blocker.unblock():
        call_command("migrate", database="owner", interactive=False, verbosity=0)
    _close_connections()
    admin.execute(roles.statement("ALTER DATABASE {} RENAME TO {}", unfinished, template))


def _create(admin: roles.Connection, name: str, template: str) -> None:
    owner = roles.OWNER_ROLE
    admin.execute(roles.statement("CREATE DATABASE {} OWNER {} TEMPLATE {}", name, owner, template))
    admin.execute(roles.statement("ALTER DATABASE {} SET synchronous_commit = off", name))


def _drop(admin: roles.Connection, name: str) -> None:
    admin.execute(roles.statement("DROP DATABASE IF EXISTS {} WITH (FORCE)", name))


def _drop_leftovers(admin: roles.Connection) -> None:
    """Databases of test processes that were killed."""
    for name in _databases(admin, r"test\_p%"):
        if not Path(f"/proc/{name.split('_')[1][1:]}").exists() and Path("/proc/self").exists():
            _drop(admin, name)


def _databases(admin: roles.Connection, pattern: str) -> list[str]:
    rows = admin.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern])
    return [name for (name,) in rows]


def _point_connections_at(name: str) -> None:
    from django.db import connections

    _close_connections()
    for alias in connections:
        connections[alias].settings_dict["NAME"] = name


def _close_connections() -> None:
    from django.db import connections

    connections.close_all()
