"""How the web server runs a request."""

from __future__ import annotations

import gc

import django
from asgiref.sync import sync_to_async
from django.core.checks.urls import check_url_config
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Collections of what is younger before all is looked through again: a tenth of a second with 500 streams open.
OLD_COLLECTED_EVERY = 50


class InOneGo(ASGIHandler):
    """Runs all middleware and the view in one go on the request's thread.

    Django goes there and back for each middleware that touches a session or a user: a dozen waits for the loop, which
    add up where it is busy with the streams of others. No view of ours is async; what streams does so afterwards.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


def make_handler() -> InOneGo:
    """The pages and APIs, once Django is set up."""
    django.setup(set_prefix=False)
    return InOneGo()


def keep_for_good() -> None:
    """Load what every request needs, and spare the garbage collector to look through what is loaded by now.

    With some hundred streams open it did so every few seconds, and all stood still for a quarter of a second.
    """
    check_url_config(None)
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, OLD_COLLECTED_EVERY)
