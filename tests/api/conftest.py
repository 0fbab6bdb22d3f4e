from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.conftest import Person

Call = Callable[..., HttpResponse]


@pytest.fixture
def call(client: Client) -> Call:
    """Calls the native API as somebody of the cast, with a JSON body when there is one."""

    def call(who: Person | None, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        sent = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        token = who.headers if who else {}
        return client.generic(method, f"/api/v1{path}", headers={**token, **headers}, **sent)

    return call
