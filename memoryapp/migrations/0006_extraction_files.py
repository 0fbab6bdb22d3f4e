"""Let a reading say which files it wrote, beside which facts."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0005_session_facts")]

    operations = [
        migrations.AddField(
            model_name="extraction",
            name="files",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
