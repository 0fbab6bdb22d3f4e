"""Order somebody's facts by when they were made: an index that only reads theirs, in place of two."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

JUDGED = Q(helpful_count__gt=0) | Q(unhelpful_count__gt=0) | Q(pinned=True)


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0014_facts_by_id")]

    operations = [
        migrations.RemoveIndex("fact", "memoryapp_fact_by_id"),
        migrations.RemoveIndex("fact", "memoryapp_fact_judged"),
        migrations.AddIndex(
            "fact",
            models.Index(
                fields=[
                    *("workspace", "agent", "owner_key", "status"),
                    *("-created_at", "-id", "confirmed_at", "category"),
                ],
                name="memoryapp_fact_by_age",
            ),
        ),
        migrations.AddIndex(
            "fact",
            models.Index(
                fields=["workspace", "agent", "owner_key", "-created_at", "-id"],
                condition=JUDGED,
                name="memoryapp_fact_judged",
            ),
        ),
        migrations.RemoveIndex("fact", "memoryapp_fact_owner"),
    ]
