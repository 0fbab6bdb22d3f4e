"""The routes that read memories: searched by meaning and words, or listed page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.db.models import Exists, OuterRef
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.masking import masked
from memoryapp.compat.mem0.base import OLD_FORMAT, Mem0View
from memoryapp.compat.mem0.items import as_item, projected
from memoryapp.compat.mem0.listing import Listing, page_of, read_listing, rows_of
from memoryapp.compat.mem0.searches import Search, read_search
from memoryapp.models import Agent, Fact
from memoryapp.retrieval.filters import Node, compile_filter
from memoryapp.retrieval.search import Hit, search_memories
from tenants.principals import Principal
from tenants.scoping import workspace_scope


class Searching(Mem0View):
    """A view that searches."""

    def search(self, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The memories that answer a question, best first, whichever agent of the workspace they are with."""
        search = read_search(wanted)
        principal = self.acting(search.labels.user_id)
        hits: list[Hit] = []
        for agent in agents_meant(principal, search.node):
            hits += _hits(principal, agent, search)
        hits.sort(key=lambda hit: -hit.score)
        return [_found(hit, search) for hit in hits[: search.top_k]]


class SearchView(Searching):
    def post(self, request: Request) -> Response:
        return self.listed(self.search(self.body))


def agents_meant(principal: Principal, node: Node) -> list[Agent]:
    """The agents with memories that a condition lets through: an agent nobody names is left open."""
    with workspace_scope(principal.workspace):
        agents = Agent.objects.visible_to(principal).order_by("created_at")
        if principal.agent_id is not None:
            agents = agents.filter(pk=principal.agent_id)
        found = list(agents)
        if len(found) < 2:
            return found
        facts = Fact.objects.visible_to(principal).filter(compile_filter(node, mem0_names=True))
        return list(agents.filter(Exists(facts.filter(agent=OuterRef("pk")))))


def _hits(principal: Principal, agent: Agent, search: Search) -> list[Hit]:
    return search_memories(
        masked(search.query, principal.workspace)[0],
        principal=principal,
        agent=agent,
        filters=search.node,
        top_k=search.top_k,
        threshold=search.threshold,
        sources=("facts",),
        explain=True,
        show_expired=search.show_expired,
        latest_only=search.latest_only,
        reference_date=search.reference_date,
        mem0_names=True,
    ).items


def _found(hit: Hit, search: Search) -> dict[str, Any]:
    reasons = hit.explain or {}
    item = {
        **as_item(cast("Fact", hit.object)),
        "score": round(hit.score, 4),
        "score_breakdown": {
            "semantic": reasons["vector"]["score"],
            "bm25": reasons["lexical"]["score"],
            "entity": reasons["boosts"].get("speaker", 0.0),
        },
    }
    return projected(item, search.fields)


class Listed(Mem0View):
    """A view that lists."""

    def list_page(self, given: Mapping[str, Any]) -> Response:
        """A page of memories, the newest first."""
        listing = read_listing(given, self.query)
        principal = self.acting(listing.labels.user_id)
        with workspace_scope(principal.workspace):
            page = page_of(self.request, rows_of(principal, listing), listing)
        return self._in_format(page, listing)

    def _in_format(self, page: dict[str, Any], listing: Listing) -> Response:
        items = [projected(as_item(fact), listing.fields) for fact in page["results"]]
        if (self.body.get("output_format") or self.query.get("output_format")) == OLD_FORMAT:
            return Response(items)
        return Response({**page, "results": items})


class ListView(Listed):
    def post(self, request: Request) -> Response:
        return self.list_page(self.body)
