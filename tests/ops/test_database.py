"""The suite runs as the product does: as a role that row-level security binds, on a migrated database."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from memoryapp.embedded import roles


@pytest.mark.django_db
def test_tests_run_as_the_bound_role() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (roles.APP_ROLE,)
        assert isinstance(connection.connection, psycopg.Connection)
        assert roles.find_role_problems(connection.connection) == []


@pytest.mark.django_db
def test_extensions_and_unicode_rules_are_there() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extname FROM pg_extension")
        assert {name for (name,) in cursor.fetchall()} >= set(roles.EXTENSIONS)
        cursor.execute("SELECT cardinality(show_trgm('你好世界')), lower('ÑÉ')")
        assert cursor.fetchone() == (5, "ñé")


@pytest.mark.django_db(transaction=True)
def test_transactional_tests_can_empty_the_tables() -> None:
    """The flush after this test is the proof: it needs TRUNCATE, which the app's role lacks elsewhere."""
