"""Facts may live with one conversation."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0004_retrieval")]

    operations = [
        migrations.AddField(
            "fact",
            "session",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="session_facts",
                to="memoryapp.conversation",
            ),
        ),
    ]
