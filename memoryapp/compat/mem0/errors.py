"""Refusals as mem0's clients read them: the sentence under the keys that one or the other of them looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.response import Response

Handler = Callable[[Exception, dict[str, Any]], Response | None]


def with_mem0_keys(handler: Handler) -> Handler:
    """The exception handler whose bodies have `error` and `message` beside `detail`."""

    def handle(error: Exception, context: dict[str, Any]) -> Response | None:
        response = handler(error, context)
        if response is not None and isinstance(response.data, dict):
            detail = response.data.get("detail", "")
            response.data = {**response.data, "error": detail, "message": detail}
        return response

    return handle
