"""Read a page of somebody's facts from an index, whatever they and all others have besides."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0013_plural_names"), ("memoryapp", "0013_newest_facts")]

    operations = [
        migrations.AddIndex(
            "fact",
            models.Index(
                fields=["workspace", "agent", "owner_key", "status", "-id", "confirmed_at", "category"],
                name="memoryapp_fact_by_id",
            ),
        ),
        migrations.AddIndex(
            "fact",
            models.Index(
                fields=["workspace", "agent", "owner_key", "-id"],
                condition=Q(helpful_count__gt=0) | Q(unhelpful_count__gt=0) | Q(pinned=True),
                name="memoryapp_fact_judged",
            ),
        ),
    ]
