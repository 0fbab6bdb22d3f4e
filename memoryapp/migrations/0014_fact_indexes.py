"""Indexes that hold a page of somebody's facts, and what of them stands in every prompt, in the order asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memoryapp', '0013_plural_names'),
        ('tenants', '0004_sessions_and_second_step'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(fields=['workspace', 'agent', 'owner_key', 'status', '-created_at', '-id', 'confirmed_at', 'category'], name='memoryapp_fact_by_age'),
        ),
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(condition=models.Q(('helpful_count__gt', 0), ('unhelpful_count__gt', 0), ('pinned', True), _connector='OR'), fields=['workspace', 'agent', 'owner_key', '-created_at', '-id'], name='memoryapp_fact_judged'),
        ),
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(condition=models.Q(('category__in', ['identity', 'rule', 'preference', 'relationship']), ('status', 'active')), fields=['workspace', 'agent', 'owner_key', 'category', '-updated_at'], include=('id', 'scope', 'session', 'expires_at', 'valid_to'), name='memoryapp_fact_newest'),
        ),
        migrations.RemoveIndex(
            model_name='fact',
            name='memoryapp_fact_owner',
        ),
    ]
