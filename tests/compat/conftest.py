"""A mem0 client of alice's workspace, as its wire looks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.retrieval.conftest import Remember, remember


class Mem0:
    """Speaks mem0's routes with one token."""

    def __init__(self, token: str) -> None:
        self.client = Client(headers={"Authorization": f"Token {token}"})

    def post(self, path: str, body: Any) -> Any:
        return self.client.post(path, body, content_type="application/json")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON; an answer that is no success fails the test."""
        response = self.send(method, path, body)
        assert response.status_code < 300, (response.status_code, response.content)
        return response.json()

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {} if body is None else {"data": body, "content_type": "application/json"}
        return getattr(self.client, method.lower())(path, headers=headers, **sent)

    def add(self, *contents: str, **fields: Any) -> Any:
        messages = [{"role": "user", "content": content} for content in contents]
        return self.post("/v1/memories/", {"messages": messages, "infer": False, **fields})

    def added(self, *contents: str, **fields: Any) -> list[dict[str, Any]]:
        response = self.add(*contents, **fields)
        assert response.status_code == 200, response.content
        results: list[dict[str, Any]] = response.json()["results"]
        return results

    def search(self, query: str, filters: Any, **fields: Any) -> Any:
        return self.post("/v2/memories/search/", {"query": query, "filters": filters, **fields})

    def found(self, query: str, filters: Any, **fields: Any) -> list[str]:
        response = self.search(query, filters, **fields)
        assert response.status_code == 200, response.content
        return [item["memory"] for item in response.json()["results"]]

    def listed(self, filters: Any, **fields: Any) -> list[str]:
        page = self.call("POST", "/v3/memories/", {"filters": filters, **fields})
        return [item["memory"] for item in page["results"]]


def counted(who: Person) -> int:
    """How many facts of a workspace stand."""
    with workspace_scope(who.workspace):
        return Fact.objects.filter(workspace=who.workspace).active().count()


def project_path(mem0: Mem0) -> str:
    """The path of the project that a token is for."""
    ping = mem0.call("GET", "/v1/ping/")
    return f"/api/v1/orgs/organizations/{ping['org_id']}/projects/{ping['project_id']}/"


@pytest.fixture
def mem0(alice: Person) -> Mem0:
    return Mem0(alice.token)


@pytest.fixture(name="remember")
def remember_fixture() -> Remember:
    return remember
