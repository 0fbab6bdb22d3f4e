"""Keep imports of snapshots, receipts of erasure and the list of backups; all behind the wall."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import tenants.ids
from tenants.row_security import protect_table


class Migration(migrations.Migration):
    dependencies = [
        ("memoryapp", "0006_extraction_files"),
        ("tenants", "0002_row_level_security"),
    ]

    operations = [
        migrations.AddField(
            model_name="factsource",
            name="told",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.CreateModel(
            name="SnapshotImport",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("owner_key", models.CharField(blank=True, db_collation="C", max_length=170)),
                (
                    "scope",
                    models.CharField(
                        choices=[("PERSONAL", "Personal"), ("TEAM", "Team"), ("GLOBAL", "Global")],
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("previewed", "Previewed"), ("applied", "Applied"), ("undone", "Undone")],
                        default="previewed",
                        max_length=10,
                    ),
                ),
                ("filename", models.CharField(blank=True, max_length=200)),
                ("size", models.PositiveIntegerField()),
                ("digest", models.CharField(db_collation="C", max_length=64)),
                ("with_personal", models.BooleanField(default=False)),
                ("manifest", models.JSONField(blank=True, default=dict)),
                ("refused", models.JSONField(blank=True, default=list)),
                ("notices", models.JSONField(blank=True, default=list)),
                ("changes", models.JSONField(blank=True, default=dict)),
                ("expires_at", models.DateTimeField()),
                ("applied_at", models.DateTimeField(blank=True, null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryapp.agent"
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tenants.workspace"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="ImportPart",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("owner_key", models.CharField(blank=True, db_collation="C", max_length=170)),
                (
                    "scope",
                    models.CharField(
                        choices=[("PERSONAL", "Personal"), ("TEAM", "Team"), ("GLOBAL", "Global")],
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=16)),
                ("path", models.CharField(db_collation="C", max_length=200)),
                ("target_scope", models.CharField(max_length=8)),
                (
                    "action",
                    models.CharField(
                        choices=[("create", "Create"), ("update", "Update"), ("skip", "Skip")], max_length=8
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("base_version", models.PositiveIntegerField(default=0)),
                ("text", models.TextField(blank=True)),
                ("detail", models.JSONField(blank=True, default=dict)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryapp.agent"
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tenants.workspace"
                    ),
                ),
                (
                    "snapshot_import",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="memoryapp.snapshotimport",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="Backup",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("name", models.CharField(max_length=200)),
                ("folder", models.CharField(max_length=500)),
                ("size", models.PositiveBigIntegerField()),
                ("digest", models.CharField(db_collation="C", max_length=64)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                ("drilled_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tenants.workspace"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "folder", "name"), name="memoryapp_backup_name_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ErasureReceipt",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("owner_digest", models.CharField(db_collation="C", max_length=64)),
                ("actor", models.CharField(max_length=200)),
                ("body", models.JSONField(default=dict)),
                ("signature", models.CharField(max_length=64)),
                (
                    "workspace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tenants.workspace"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(fields=["workspace", "owner_digest"], name="memoryapp_erasure_owner")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="snapshotimport",
            index=models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at"], name="memoryapp_import_recent"
            ),
        ),
        migrations.AddConstraint(
            model_name="snapshotimport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("scope", "PERSONAL"), models.Q(("owner_key", ""), _negated=True)),
                    models.Q(models.Q(("scope", "PERSONAL"), _negated=True), ("owner_key", "")),
                    _connector="OR",
                ),
                name="memoryapp_snapshotimport_owner_matches_scope",
            ),
        ),
        migrations.AddConstraint(
            model_name="importpart",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("scope", "PERSONAL"), models.Q(("owner_key", ""), _negated=True)),
                    models.Q(models.Q(("scope", "PERSONAL"), _negated=True), ("owner_key", "")),
                    _connector="OR",
                ),
                name="memoryapp_importpart_owner_matches_scope",
            ),
        ),
        migrations.AddConstraint(
            model_name="importpart",
            constraint=models.UniqueConstraint(
                fields=("workspace", "snapshot_import", "position"),
                name="memoryapp_importpart_position_unique",
            ),
        ),
        protect_table("memoryapp_snapshotimport", shares_global_rows=True),
        protect_table("memoryapp_importpart", shares_global_rows=True),
        protect_table("memoryapp_backup"),
        protect_table("memoryapp_erasurereceipt"),
    ]
