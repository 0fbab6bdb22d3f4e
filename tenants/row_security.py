"""Row-level security as a migration operation: the wall that holds even when a query forgets `visible_to`."""

from __future__ import annotations

from typing import Any

from django.db.migrations.operations.special import RunSQL

from tenants.models import GLOBAL_WORKSPACE_ID

# Unset reads as NULL, and NULL equals nothing: without a scope every protected table is empty. As a statement of its
# own it is evaluated once and not for every row, which would cost more than all other conditions of a search.
CURRENT_WORKSPACE = "(SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)"


def protect_table(table: str, *, shares_global_rows: bool = False) -> RunSQL:
    """A reversible operation that shows a table's rows to their own workspace only, the owner of the table included.

    With shares_global_rows everyone may also read (never write) the rows of the reserved global workspace.
    """
    statements: list[Any] = [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY own_workspace ON {table} USING (workspace_id = {CURRENT_WORKSPACE})",
    ]
    if shares_global_rows:
        # The global rows are out of reach too until some workspace's scope is open.
        statements.append(
            f"CREATE POLICY global_rows ON {table} FOR SELECT "
            f"USING (workspace_id = '{GLOBAL_WORKSPACE_ID}' AND scope = 'GLOBAL' AND {CURRENT_WORKSPACE} IS NOT NULL)"
        )
    undo: list[Any] = [
        f"DROP POLICY IF EXISTS global_rows ON {table}",
        f"DROP POLICY own_workspace ON {table}",
        f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
    ]
    return RunSQL(statements, undo)
