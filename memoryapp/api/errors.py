"""One handler that turns every refusal into the wire shape `{detail, code, errors}`, never HTML, never a trace."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

from memoryapp.exceptions import MemoryAppError, ModelUnavailable, RateLimited
from memoryapp.llm.errors import ModelError
from memoryapp.wording import say
from tenants.exceptions import InvalidCredentials, TenancyError, TooManyCalls

logger = logging.getLogger(__name__)

NOT_FOUND = "Not found."
NO_DATABASE = (
    "The database cannot be reached, or too many requests are waiting for it. Try again in a moment."
)
TOO_LARGE = "The request body is larger than 1 MB."
FIRST_FIELD_MESSAGE = "Some fields cannot be used: {fields}."
# DRF's own refusals, by the stable word a client sees.
CODES = {
    exceptions.ParseError: "malformed",
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "invalid_token",
    exceptions.PermissionDenied: "not_allowed",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "rate_limited",
}


def error_body(detail: str, code: str, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """The one shape in which a client is told that something went wrong."""
    return {"detail": detail, "code": code, "errors": errors or {}}


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: the response for a refusal of ours, of tenancy's or of DRF's; None for a defect."""
    if isinstance(error, MemoryAppError | TenancyError):
        return _refusal(error)
    if isinstance(error, ModelError):
        return _refusal(ModelUnavailable(error.detail, errors={"model": [error.code]}))
    if isinstance(error, OperationalError):
        logger.error("The database could not be used: %s", error)
        return Response(
            error_body(NO_DATABASE, "database_unavailable"), status=503, headers={"Retry-After": "5"}
        )
    if isinstance(error, Http404):
        return Response(error_body(NOT_FOUND, "not_found"), status=404)
    if isinstance(error, RequestDataTooBig):
        return Response(error_body(TOO_LARGE, "too_large"), status=413)
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, exceptions.ValidationError):
        return _invalid_fields(error)
    if isinstance(error, exceptions.APIException):
        return _from_framework(error)
    return None


def _refusal(error: MemoryAppError | TenancyError) -> Response:
    if error.status >= 500:
        logger.warning("%s: %s", error.code, error.detail)
    headers = {}
    if isinstance(error, InvalidCredentials):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, RateLimited | TooManyCalls):
        headers["Retry-After"] = str(error.retry_after)
    errors = {name: [say(detail) for detail in details] for name, details in error.errors.items()}
    return Response(error_body(say(error.detail), error.code, errors), status=error.status, headers=headers)


def _invalid_fields(error: exceptions.ValidationError) -> Response:
    errors = flattened(error.detail)
    detail = FIRST_FIELD_MESSAGE.format(fields=", ".join(errors))
    if len(errors) == 1:
        (field,) = errors
        detail = f"{field}: {errors[field][0]}" if field else errors[field][0]
    return Response(error_body(detail, "invalid", errors), status=400)


def _from_framework(error: exceptions.APIException) -> Response:
    headers = {}
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        headers["WWW-Authenticate"] = "Bearer"
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(int(wait) + 1)
    code = next((word for kind, word in CODES.items() if isinstance(error, kind)), error.default_code)
    return Response(error_body(str(error.detail), code), status=error.status_code, headers=headers)


def flattened(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """DRF's nested error tree as `{"outer.inner": [messages]}`."""
    if isinstance(detail, dict):
        parts = ((f"{prefix}.{key}" if prefix else str(key), value) for key, value in detail.items())
        return {name: texts for key, value in parts for name, texts in flattened(value, key).items()}
    if isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        numbered = ((f"{prefix}.{place}", item) for place, item in enumerate(detail) if item)
        return {name: texts for key, item in numbered for name, texts in flattened(item, key).items()}
    texts = [str(item) for item in detail] if isinstance(detail, list) else [str(detail)]
    return {prefix.removesuffix(".non_field_errors").replace("non_field_errors", ""): texts}


def _plain(status: int, detail: str, code: str) -> JsonResponse:
    """An answer from outside DRF, byte for byte like one from inside."""
    spelling = {"separators": (",", ":"), "ensure_ascii": False}
    return JsonResponse(error_body(detail, code), status=status, json_dumps_params=spelling)


def _wants_page(request: HttpRequest) -> bool:
    return not request.path_info.startswith("/api/") and "text/html" in request.headers.get("Accept", "")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for what it refuses before any view runs."""
    if _wants_page(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return _plain(413, TOO_LARGE, "too_large")
    return _plain(400, "This request cannot be read.", "malformed")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _wants_page(request):
        return defaults.permission_denied(request, exception)
    return _plain(403, "This is not allowed.", "not_allowed")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for an address that no route has: the same body as for an id that nobody has."""
    if _wants_page(request):
        return defaults.page_not_found(request, exception)
    return _plain(404, NOT_FOUND, "not_found")


def server_error(request: HttpRequest) -> HttpResponse:
    if _wants_page(request):
        return defaults.server_error(request)
    return _plain(500, "Something went wrong on our side.", "server_error")
