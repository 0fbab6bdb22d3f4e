"""Have the policies look up the open workspace once in a statement instead of once for every row they judge."""

from __future__ import annotations

from django.db import migrations

from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.row_security import CURRENT_WORKSPACE

FOR_EVERY_ROW = "nullif(current_setting('app.workspace_id', true), '')::uuid"
ALTER = """
DO $do$
DECLARE
  policy record;
BEGIN
  FOR policy IN SELECT * FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'own_workspace' LOOP
    EXECUTE format('ALTER POLICY own_workspace ON %I USING (workspace_id = {current})', policy.tablename);
  END LOOP;
  FOR policy IN SELECT * FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'global_rows' LOOP
    EXECUTE format(
      'ALTER POLICY global_rows ON %I USING '
      '(workspace_id = ''{everybodys}'' AND scope = ''GLOBAL'' AND {current} IS NOT NULL)',
      policy.tablename
    );
  END LOOP;
END $do$
"""


def altered_to(current: str) -> str:
    """The statement that gives every policy that way to know the workspace."""
    return ALTER.format(current=current.replace("'", "''"), everybodys=GLOBAL_WORKSPACE_ID)


class Migration(migrations.Migration):
    dependencies = [
        ("memoryapp", "0009_webhooks"),
        ("tenants", "0002_row_level_security"),
    ]

    operations = [migrations.RunSQL(altered_to(CURRENT_WORKSPACE), altered_to(FOR_EVERY_ROW))]
