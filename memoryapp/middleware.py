"""What every response carries: an id that error pages repeat, its language, a policy that lets no inline code run."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate, get_language, get_language_from_request, override

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


class LanguageMiddleware(ResponseHeaderMiddleware):
    """Speaks the reader's language: the chosen one, else what the browser asks for. A program with a key hears English.

    Programs compare words and write them into logs; see docs/decisions/0090-where-words-are-translated.md.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            # Its context ends with the request, and a reply that is streamed goes on in the same language.
            return super().__call__(request)
        with override(get_language()):
            return super().__call__(request)

    def prepare(self, request: HttpRequest) -> None:
        language = settings.LANGUAGE_CODE if _has_key(request) else get_language_from_request(request)
        activate(language)
        request.LANGUAGE_CODE = language

    def add_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        if not _has_key(request):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


def _has_key(request: HttpRequest) -> bool:
    return "Authorization" in request.headers or "X-API-Key" in request.headers


class ContentSecurityPolicyMiddleware(ResponseHeaderMiddleware):
    """Forbids inline script and style, foreign origins and framing, so that memory text can never run."""

    def add_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        match = request.resolver_match
        policy = DOCS_POLICY if match is not None and match.view_name == DOCS_VIEW else STRICT_POLICY
        response.headers["Content-Security-Policy"] = "; ".join(
            f"{name} {sources}" for name, sources in policy.items()
        )
        return response


ReceiveBody = Callable[[], Awaitable[Any]]
SendMessage = Callable[[Any], Awaitable[None]]
# A snapshot of 16 MB and the form around it; everything else is far smaller.
LONGEST_BODY = 16 * 1024 * 1024 + 64 * 1024
TOO_LONG = b'{"detail":"An upload has at most 16 MB.","code":"upload_too_large","errors":{}}'


class BodyLimit:
    """Refuses request bodies over the limit before they are read: by their length, or once a stream passes it.

    Django writes a whole body to disk before any view runs, so the refusal has to stand in front of it.
    """

    def __init__(self, application: Callable[..., Awaitable[None]], limit: int = LONGEST_BODY) -> None:
        self.application = application
        self.limit = limit

    async def __call__(
        self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        if self._said_length(scope) > self.limit:
            await _refuse(send)
            return
        counted = CountedBody(receive, send, self.limit)
        await self.application(scope, counted.receive, counted.send)

    @staticmethod
    def _said_length(scope: Any) -> int:
        said = dict(scope["headers"]).get(b"content-length", b"0")
        return int(said) if said.isdigit() else 0


class CountedBody:
    """One request's body on its way in; beyond the limit the application sees a client that went away."""

    def __init__(self, receive: ReceiveBody, send: SendMessage, limit: int) -> None:
        self._receive, self._send, self.left = receive, send, limit
        self.refused = False

    async def receive(self) -> Any:
        message = await self._receive()
        self.left -= len(message.get("body", b""))
        if self.left >= 0:
            return message
        if not self.refused:
            self.refused = True
            await _refuse(self._send)
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if not self.refused:
            await self._send(message)


async def _refuse(send: SendMessage) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": TOO_LONG})
