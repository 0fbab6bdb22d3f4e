"""The web server's way in, for `manage.py web` and for any ASGI server: `memoryapp.asgi:application`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from asgiref.sync import sync_to_async

from memoryapp.embedded import prepare_database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MEMORYAPP_DATABASE_POOL", "true")
# WhiteNoise hands the server its files as plain iterators, and they are small. What is large goes through
# memoryapp.snapshots.sending.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators", Warning)
# The settings read the port of the server this starts, and Django reads the settings.
prepare_database()

from django.conf import settings  # noqa: E402
from django.core.exceptions import ImproperlyConfigured  # noqa: E402

from memoryapp.checks import refuse_unsafe_role  # noqa: E402
from memoryapp.handling import keep_for_good, make_handler  # noqa: E402
from memoryapp.middleware import BodyLimit  # noqa: E402
from memoryapp.retrieval.vectors.checking import refuse_wrong_dimensions  # noqa: E402

# The loop that all streams hang on hands the interpreter over at every wait; while a request computes, it would get it
# back only after five milliseconds, and every request likewise from the others.
sys.setswitchinterval(0.0005)

pages = BodyLimit(make_handler())

# It reads models, which must be ready first.
from memoryapp.mcp import endpoint  # noqa: E402

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Send each connection to whoever answers it."""
    if scope["type"] == "lifespan":
        await answer_lifespan(receive, send)
    elif endpoint.is_for_mcp(scope, settings.FORCE_SCRIPT_NAME or ""):
        await endpoint.answer(scope, receive, send)
    else:
        await pages(scope, receive, send)


async def answer_lifespan(receive: Receive, send: Send) -> None:
    """Start only over a database whose roles keep workspaces apart."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await send({"type": "lifespan.shutdown.complete"})
            return
        try:
            await sync_to_async(refuse_unsafe_role)()
            await sync_to_async(refuse_wrong_dimensions)()
        except ImproperlyConfigured as refusal:
            await send({"type": "lifespan.startup.failed", "message": str(refusal)})
            return
        keep_for_good()
        await send({"type": "lifespan.startup.complete"})
