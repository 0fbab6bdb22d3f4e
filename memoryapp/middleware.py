"""What every response carries: an id that error pages repeat, and a policy that lets no inline code run."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

STRICT_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
# The API docs page is a packaged application that writes its own style elements and draws icons from data URLs.
DOCS_POLICY = {**STRICT_POLICY, "style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:"}
DOCS_VIEW = "docs"


class ResponseHeaderMiddleware:
    """Adds headers to every response, on the sync and on the async path alike, without a thread of its own."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        self.prepare(request)
        if self.is_async:
            return self._finish_later(request)
        return self.add_headers(request, self.get_response(request))

    async def _finish_later(self, request: HttpRequest) -> HttpResponseBase:
        return self.add_headers(request, await self.get_response(request))

    def prepare(self, request: HttpRequest) -> None:
        """What is known before the view runs."""

    def add_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        raise NotImplementedError


class RequestIdMiddleware(ResponseHeaderMiddleware):
    """Gives every request an id, the proxy's when it sent a usable one, and says it in `X-Request-ID`."""

    def prepare(self, request: HttpRequest) -> None:
        given = request.headers.get("X-Request-ID", "")
        request.request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)  # type: ignore[attr-defined]

    def add_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers["X-Request-ID"] = request.request_id  # type: ignore[attr-defined]
        return response


class ContentSecurityPolicyMiddleware(ResponseHeaderMiddleware):
    """Forbids inline script and style, foreign origins and framing, so that memory text can never run."""

    def add_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        policy = DOCS_POLICY if match is not None and match.view_name == DOCS_VIEW else STRICT_POLICY
        response.headers["Content-Security-Policy"] = "; ".join(
            f"{name} {sources}" for name, sources in policy.items()
        )
        return response
