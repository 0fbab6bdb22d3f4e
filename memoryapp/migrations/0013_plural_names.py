"""What people read for more than one of a table's rows, where adding an s does not make it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0012_open_events")]

    operations = [
        migrations.AlterModelOptions(
            name="dreamentry", options={"ordering": ["position"], "verbose_name_plural": "dream entries"}
        ),
        migrations.AlterModelOptions(
            name="webhookdelivery",
            options={"ordering": ["-created_at"], "verbose_name_plural": "webhook deliveries"},
        ),
    ]
