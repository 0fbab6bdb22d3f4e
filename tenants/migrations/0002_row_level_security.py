"""Wall off the audit trail per workspace, and make the reserved workspace of global rows."""

from __future__ import annotations

from django.db import migrations

from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.row_security import protect_table


def create_global_workspace(apps, schema_editor):
    workspaces = apps.get_model("tenants", "Workspace").objects.using(schema_editor.connection.alias)
    workspaces.get_or_create(pk=GLOBAL_WORKSPACE_ID, defaults={"name": "Global", "slug": "global"})


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_tenancy")]

    operations = [
        protect_table("tenants_auditevent"),
        migrations.RunPython(create_global_workspace, migrations.RunPython.noop),
    ]
