"""The three database roles: a superuser for extensions, the owner who migrates, the app's bound role."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

APP_ROLE: Final = "memoryapp_app"
OWNER_ROLE: Final = "memoryapp_owner"
SUPERUSER: Final = "postgres"
DATABASE: Final = "memoryapp"
EXTENSIONS: Final = ("vector", "pg_trgm", "unaccent", "btree_gin", "pg_stat_statements")

HOW_TO_MAKE_ROLES: Final = (
    "The app must connect as a role that row-level security binds: no superuser, no BYPASSRLS, owner of "
    "nothing. `manage.py db provision --admin-url postgresql://superuser:password@host/postgres` makes the "
    "roles and prints DATABASE_URL (the app) and DATABASE_OWNER_URL (the owner who migrates)."
)

Connection = psycopg.Connection[Any]


def provision(admin: Connection, *, passwords: Mapping[str, str], database: str = DATABASE) -> None:
    """Make or repair the roles and the database; `admin` is an administrator's autocommit connection.

    A role that exists keeps its password unless `passwords` has one for it.
    """
    for role, database_right in ((OWNER_ROLE, "CREATEDB"), (APP_ROLE, "NOCREATEDB")):
        verb = "ALTER" if role_exists(admin, role) else "CREATE"
        admin.execute(statement(f"{verb} ROLE {{}} LOGIN {database_right}", role))
        if role in passwords:
            admin.execute(statement("ALTER ROLE {} PASSWORD ", role) + sql.Literal(passwords[role]))
    # A hosted server's administrator is no superuser, and gives to another role only what is also theirs.
    admin.execute(statement("GRANT {} TO CURRENT_USER", OWNER_ROLE))
    if not _exists(admin, "SELECT 1 FROM pg_database WHERE datname = %s", database):
        # template0, because template1 may have a locale or objects of its own.
        admin.execute(statement("CREATE DATABASE {} OWNER {} TEMPLATE template0", database, OWNER_ROLE))


def prepare_schema(admin: Connection) -> None:
    """Install the extensions in the connected database; let the app's role use what the owner will create."""
    for extension in EXTENSIONS:
        admin.execute(statement("CREATE EXTENSION IF NOT EXISTS {}", extension))
    _trust_text_search(admin)
    admin.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    admin.execute(statement("GRANT USAGE, CREATE ON SCHEMA public TO {}", OWNER_ROLE))
    admin.execute(statement("GRANT USAGE ON SCHEMA public TO {}", APP_ROLE))
    for grant in (
        "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {}",
        "GRANT USAGE, SELECT ON SEQUENCES TO {}",
    ):
        admin.execute(statement(f"ALTER DEFAULT PRIVILEGES FOR ROLE {{}} {grant}", OWNER_ROLE, APP_ROLE))


def _trust_text_search(admin: Connection) -> None:
    """Let the index over words be used on tables with row-level security.

    PostgreSQL keeps every operator away from rows that a policy may hide, unless it is marked as telling nothing of
    what it sees. The match of a text with a query tells nothing, but comes without the mark, and only a superuser may
    set it; without it a large owner's search by words reads all their rows, and finds the same.
    """
    with contextlib.suppress(psycopg.errors.InsufficientPrivilege):
        admin.execute("ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF")


def statement(template: LiteralString, *names: str) -> sql.Composed:
    """An SQL statement about roles and databases, whose names cannot be parameters."""
    return sql.SQL(template).format(*map(sql.Identifier, names))


def find_role_problems(connection: Connection) -> list[str]:
    """Why row-level security would not bind the role of this connection; an empty list when it does."""
    row = connection.execute(
        "SELECT rolname, rolsuper, rolbypassrls, ("
        # A member of the owner's role may do as the owner does.
        "  SELECT count(*) FROM pg_class WHERE pg_has_role(pg_roles.oid, relowner, 'MEMBER')"
        "    AND relkind IN ('r', 'p') AND relnamespace <> 'pg_catalog'::regnamespace"
        ") FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    name, superuser, bypasses, owned = row or ("?", False, False, 0)
    found = {
        f"{name} is a superuser": superuser,
        f"{name} has BYPASSRLS": bypasses and not superuser,
        f"{name} owns {owned} tables here, or is a member of the role that does": owned and not superuser,
    }
    return [problem for problem, present in found.items() if present]


def role_exists(admin: Connection, role: str) -> bool:
    return _exists(admin, "SELECT 1 FROM pg_roles WHERE rolname = %s", role)


def _exists(admin: Connection, query: str, value: str) -> bool:
    return admin.execute(query.encode(), [value]).fetchone() is not None
