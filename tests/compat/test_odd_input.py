"""Whatever is sent to another product's routes is answered or refused, and never breaks anything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compat.conftest import Mem0
from tests.conftest import Person

pytestmark = pytest.mark.django_db

MISSING = "01a00000-0000-7000-8000-000000000000"
ODD = st.sampled_from(
    [
        None, True, False, 0, -1, 7, 1.5, 1e308, 2**70, "", " ", "x", "*", "ana", "null", "2026-01-01", "{}", "[]",
        "[object Object]", "{'user_id': 'ana'}", "a\u200bb", "é" * 300, "%00", MISSING, [], [None], ["x", 7], {},
        {"user_id": "ana"}, {"user_id": {"in": []}}, {"AND": []}, {"OR": [{"user_id": "*"}]}, {"NOT": {}},
        {"role": "user", "content": "hi"}, [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        [{"role": "user", "content": {"a": 1}}], [{"memory_id": MISSING}], [{"memory_id": None, "text": "x"}],
        {"a": {"b": [1, {"c": None}]}}, [{"name": "x"}],
    ]
)  # fmt: skip
FIELDS = (
    "messages", "user_id", "agent_id", "app_id", "run_id", "metadata", "infer", "timestamp",
    "expiration_date", "filters", "query", "top_k", "limit", "threshold", "fields", "categories",
    "keywords", "page", "page_size", "start_date", "reference_date", "show_expired", "latest_only",
    "output_format", "memories", "memory_id", "feedback", "text", "schema", "memory_export_id",
    "custom_instructions", "custom_categories", "retention", "async_mode", "immutable", "includes",
    "deduced_memories", "model", "user", "stream", "max_tokens", "temperature", "input", "dimensions",
)  # fmt: skip
BODIES = st.dictionaries(st.sampled_from(FIELDS), ODD, max_size=5)
ROUTES = (
    ("POST", "/v1/memories/"), ("POST", "/v1/memories/search/"), ("POST", "/v2/memories/"),
    ("POST", "/v3/memories/add/"), ("POST", "/v3/memories/"), ("POST", "/v3/memories/search/"),
    ("PUT", "/v1/batch/"), ("DELETE", "/v1/batch/"), ("DELETE", "/v1/memories/"), ("POST", "/v1/feedback/"),
    ("POST", "/v1/exports/"), ("POST", "/v1/exports/get/"), ("POST", "/v1/summary/"), ("POST", "/memories"),
    ("POST", "/search"), ("PUT", f"/v1/memories/{MISSING}/"), ("PUT", "/v1/memories/x/"), ("PATCH", "{project}"),
    ("POST", "/v1/chat/completions"), ("POST", "/v1/embeddings"),
)  # fmt: skip
QUERIES = st.dictionaries(
    st.sampled_from([*FIELDS[:24], "source", "delete_linked", "status"]),
    st.sampled_from(
        [
            "",
            " ",
            "x",
            "*",
            "ana",
            "1",
            "-1",
            "9" * 40,
            "{}",
            "{'a': 1}",
            "[1]",
            "a\x00b",
            "é",
            "true",
            "(" * 500,
        ]
    ),
    max_size=4,
)
READS = (
    "/v1/memories/",
    "/v1/entities/",
    "/v1/events/",
    "/v1/event/x/",
    "/memories",
    "/v1/memories/x/history/",
)
QUIET = settings(
    max_examples=80, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


@QUIET
@given(route=st.sampled_from(ROUTES), body=BODIES, least=st.booleans())
def test_in_bodies(mem0: Mem0, alice: Person, route: tuple[str, str], body: Any, least: bool) -> None:
    method, path = route
    workspace = str(alice.workspace.pk)
    path = path.format(project=f"/api/v1/orgs/organizations/{workspace}/projects/{workspace}/")
    sent = {"user_id": "ana", "messages": "hi", "query": "x", "infer": False, **body} if least else body
    response = mem0.send(method, path, sent)
    assert response.status_code < 500, (method, path, sent, response.content)
    assert response.status_code < 400 or response.json()["error"]


@QUIET
@given(method=st.sampled_from(["GET", "DELETE"]), path=st.sampled_from(READS), query=QUERIES)
def test_in_query_strings(mem0: Mem0, method: str, path: str, query: dict[str, str]) -> None:
    sent = mem0.client.get if method == "GET" else mem0.client.delete
    response = sent(path, query_params=query)
    assert response.status_code < 500, (method, path, query, response.content)
