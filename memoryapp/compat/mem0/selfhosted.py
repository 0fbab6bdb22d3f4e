"""The routes of mem0's self-hosted server: without a version or a trailing slash, and with answers that do not wait.

Its own routes to configure models and to wipe everything are not offered: that is done in the dashboard, by people.
"""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.entities import entities_of
from memoryapp.compat.mem0.memories import MemoriesView, MemoryView
from memoryapp.compat.mem0.searching import Searching


class HostedMemoriesView(MemoriesView):
    """The collection; messages are read while the caller waits, unless it asks otherwise.

    The server's own clients write no closing slash. A plugin that only knows a base address does, and gives up soon.
    """

    @property
    def waits(self) -> bool:
        return not self.request.path.endswith("/")

    def get(self, request: Request) -> Response:
        """A list without pages, as long as `top_k` says."""
        return self.list_page(self.query)

    def done(self, results: list[dict[str, Any]]) -> Response:
        return Response({"results": results})


class HostedMemoryView(MemoryView):
    def put(self, request: Request, memory_id: str) -> Response:
        return Response({"message": "Memory updated successfully!", **super().put(request, memory_id).data})


class HostedSearchView(Searching):
    def post(self, request: Request) -> Response:
        return Response({"results": self.search(self.body)})


class HostedEntitiesView(Mem0View):
    """Everything there are memories of, as a bare list."""

    def get(self, request: Request) -> Response:
        found = [each.body(self.principal) for each in entities_of(self.principal)]
        return Response([{**each, "id": each["name"]} for each in found])
