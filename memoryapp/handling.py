"""How the web server runs a request."""

from __future__ import annotations

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


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
