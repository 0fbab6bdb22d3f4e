"""The way in for WSGI servers: everything but the streams, which need `memoryapp.asgi`."""

from __future__ import annotations

import os

from memoryapp.embedded import prepare_database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MEMORYAPP_DATABASE_POOL", "true")
# The settings read the port of the server this starts, and Django reads the settings.
prepare_database()

from django.core.wsgi import get_wsgi_application  # noqa: E402

application = get_wsgi_application()

from memoryapp.checks import refuse_unsafe_role  # noqa: E402

refuse_unsafe_role()
