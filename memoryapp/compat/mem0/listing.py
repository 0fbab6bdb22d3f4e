"""Lists of memories: what is asked for, which rows that is, and one page of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from memoryapp.compat.mem0.conditions import labels_of, read_condition
from memoryapp.compat.mem0.places import Labels
from memoryapp.compat.mem0.searches import read_fields
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Fact
from memoryapp.models.ordering import in_total_order
from memoryapp.retrieval.filters import Node, compile_filter
from tenants.principals import Principal

DEFAULT_PAGE_SIZE: Final = 100
MAX_PAGE_SIZE: Final = 200
MAX_LIMIT: Final = 1_000
MAX_PAGE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Paging:
    """Which page, and how long pages are."""

    page: int = 1
    size: int = DEFAULT_PAGE_SIZE

    def of(self, request: Request, rows: Any, count: int) -> dict[str, Any]:
        """The page of a query or list, in the envelope of the API, with addresses of its neighbours."""
        rows = in_total_order(rows) if isinstance(rows, QuerySet) else rows
        url = request.build_absolute_uri()
        start, end = (self.page - 1) * self.size, self.page * self.size
        following = replace_query_param(url, "page", self.page + 1) if end < count else None
        before = replace_query_param(url, "page", self.page - 1) if self.page > 1 else None
        return {"count": count, "next": following, "previous": before, "results": list(rows[start:end])}


def read_paging(*given: Mapping[str, Any]) -> Paging:
    """The page asked for by the first of several places that says it; `limit` and `top_k` are lengths too."""
    page, size, limit = (_whole(given, names) for names in (["page"], ["page_size"], ["limit", "top_k"]))
    if page is not None and not 1 <= page <= MAX_PAGE:
        raise ValidationFailed.of("page", "page is a whole number from 1.")
    if size is not None and not 1 <= size <= MAX_PAGE_SIZE:
        raise ValidationFailed.of("page_size", f"page_size is a whole number from 1 to {MAX_PAGE_SIZE}.")
    if limit is not None and not 1 <= limit <= MAX_LIMIT:
        raise ValidationFailed.of("limit", f"limit is a whole number from 1 to {MAX_LIMIT}.")
    return Paging(page or 1, size or limit or DEFAULT_PAGE_SIZE)


def _whole(places: tuple[Mapping[str, Any], ...], names: list[str]) -> int | None:
    for name in names:
        for place in places:
            value = place.get(name)
            if value is not None:
                return _number(name, value)
    return None


def _number(name: str, value: object) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, int | str) or not text.isdecimal() or len(text) > 9:
        raise ValidationFailed.of(name, f"{name} is a whole number.")
    return int(text)


@dataclass(frozen=True, slots=True)
class Listing:
    """One call that lists memories."""

    node: Node
    labels: Labels
    paging: Paging
    fields: frozenset[str]
    show_expired: bool
    include_merged: bool
    latest_only: bool


def read_listing(given: Mapping[str, Any], query: Mapping[str, Any]) -> Listing:
    """The list that a body or a query string asks for; the query string has the last word about pages."""
    node = read_condition(given)
    return Listing(
        node=node,
        labels=labels_of(node),
        paging=read_paging(query, given),
        fields=read_fields(given.get("fields")),
        show_expired=_is_set(given, "show_expired"),
        include_merged=_is_set(given, "include_merged"),
        latest_only=_is_set(given, "latest_only"),
    )


def _is_set(given: Mapping[str, Any], name: str) -> bool:
    value = given.get(name)
    return value is True or (isinstance(value, str) and value.lower() == "true")


def rows_of(principal: Principal, listing: Listing) -> QuerySet[Fact]:
    """The memories of a list, the newest first; inside the workspace's scope."""
    states = [Fact.Status.ACTIVE]
    states += [] if listing.latest_only else [Fact.Status.SUPERSEDED]
    states += [Fact.Status.MERGED] if listing.include_merged else []
    facts = Fact.objects.visible_to(principal).filter(
        compile_filter(listing.node, mem0_names=True), status__in=states, session=None
    )
    if not listing.show_expired:
        facts = facts.unexpired()
    if not listing.include_merged:
        facts = facts.filter(Q(valid_to=None) | Q(valid_to__gt=timezone.now()))
    rows: QuerySet[Fact] = facts.order_by("-created_at", "-id")
    return rows


def page_of(request: Request, rows: QuerySet[Fact], listing: Listing) -> dict[str, Any]:
    """One page of memories with how many there are."""
    return listing.paging.of(request, rows, rows.count())
