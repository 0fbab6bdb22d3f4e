"""What every view that speaks OpenAI shares: who asks, for whom, and what a refusal looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp.exceptions import ValidationFailed
from tenants.authentication import TokenAuthentication
from tenants.principals import Principal

Handler = Callable[[Exception, dict[str, Any]], Response | None]
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


@extend_schema(exclude=True)
class OpenAIView(APIView):
    """A view that speaks OpenAI, for programs with a token."""

    authentication_classes = [TokenAuthentication]
    principal: Principal

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.auth is not None:
            self.principal = cast("Principal", request.auth)

    def get_exception_handler(self) -> Handler:
        return told_as_openai(super().get_exception_handler())

    @property
    def body(self) -> dict[str, Any]:
        """The body, which the parser has seen to be an object."""
        return cast("dict[str, Any]", self.request.data)

    def acting(self) -> Principal:
        """The principal on behalf of the end user that the body or a header names, else as the token's own user."""
        named = self.body.get("user")
        header = self.request.headers.get("X-End-User")
        if named is not None and header is not None and named != header:
            raise ValidationFailed.of("user", "The body and the header name different end users.")
        return self.principal.acting_as(header if named is None else named)


def told_as_openai(handler: Handler) -> Handler:
    """The exception handler whose bodies have OpenAI's `error` beside our own words."""

    def handle(error: Exception, context: dict[str, Any]) -> Response | None:
        response = handler(error, context)
        if response is not None and isinstance(response.data, dict):
            kind = "server_error" if response.status_code >= 500 else "invalid_request_error"
            told = {
                "message": response.data.get("detail", ""),
                "type": TYPES.get(response.status_code, kind),
                "code": response.data.get("code"),
                "param": next(iter(response.data.get("errors") or {}), None),
            }
            response.data = {**response.data, "error": told}
        return response

    return handle
