"""Wall off everything that is remembered, per workspace. Events and heartbeats stay outside: workers read them first."""

from __future__ import annotations

from django.db import migrations

from tenants.row_security import protect_table

WORKSPACE_TABLES = ["agent", "owner"]
OWNED_TABLES = [
    "conversation",
    "message",
    "extraction",
    "workspacefile",
    "filerevision",
    "filesection",
    "fact",
    "factsource",
    "factrevision",
    "factfeedback",
    "tombstone",
    "recall",
    "dream",
    "dreamentry",
    "contradiction",
    "embedding",
]


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0001_memory"), ("tenants", "0002_row_level_security")]

    operations = [
        *[protect_table(f"memoryapp_{name}") for name in WORKSPACE_TABLES],
        *[protect_table(f"memoryapp_{name}", shares_global_rows=True) for name in OWNED_TABLES],
    ]
