"""The OpenAPI document: complete, valid, and changed only on purpose."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema

from tenants.permissions import PUBLIC, ROUTES
from tests.isolation_world import all_routes

SNAPSHOT = Path(__file__).parent.parent / "snapshots" / "openapi.yaml"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return generated


def test_is_what_the_committed_snapshot_says(document: dict[str, Any]) -> None:
    """With UPDATE_SNAPSHOTS=1 the file is written anew; the difference is then read in the diff."""
    rendered = OpenApiYamlRenderer().render(document, renderer_context={}).decode()  # type: ignore[no-untyped-call]
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(rendered, encoding="utf-8")

    assert yaml.safe_load(rendered) == yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))


def test_is_valid_and_was_made_without_a_warning(document: dict[str, Any]) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]

    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache


def test_describes_every_route_and_method(document: dict[str, Any]) -> None:
    described = {
        (re.sub(r"\{\w+\}", "*", path), method.upper())
        for path, operations in document["paths"].items()
        for method in operations
    }
    routes = {name: path for name, path in all_routes().items() if name.startswith("api:")}
    answered = {
        ("/" + re.sub(r"<\w+:\w+>", "*", path), method)
        for name, path in routes.items()
        for method in ROUTES[name.removeprefix("api:")]
    }

    assert described == answered


def test_says_of_every_operation_how_it_refuses_and_whom_it_lets_in(document: dict[str, Any]) -> None:
    operations = [each for item in document["paths"].values() for each in item.values()]
    # Other products' addresses are described by them.
    ours = [methods for name, methods in ROUTES.items() if not name.startswith(("mem0-", "openai-"))]
    public = sum(rule is PUBLIC for methods in ours for rule in methods.values())

    assert all("4XX" in operation["responses"] for operation in operations)
    assert sum(not operation.get("security") for operation in operations) == public


def test_is_served(client: Client, db: None) -> None:
    answer = client.get("/api/schema/")

    assert answer.status_code == 200
    assert yaml.safe_load(answer.content)["openapi"] == "3.1.0"
    assert client.get("/api/docs/").status_code == 200
