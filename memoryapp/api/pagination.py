"""Lists in pages: `?page=&pageSize=` in, `{count, next, previous, results}` out."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from memoryapp.models.ordering import in_total_order

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
# Beyond it OFFSET no longer fits the database's integer.
MAX_PAGE = 1_000_000
PAGE_PARAMETERS = [
    OpenApiParameter("page", int, description="Which page, from 1."),
    OpenApiParameter("pageSize", int, description=f"How many results a page has, at most {MAX_PAGE_SIZE}."),
]


class PageQuery(serializers.Serializer[Any]):
    page = serializers.IntegerField(min_value=1, max_value=MAX_PAGE, default=1)
    pageSize = serializers.IntegerField(min_value=1, max_value=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)


@cache
def page_of(serializer: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The serializer of one page of these, for the schema."""
    fields = {
        "count": serializers.IntegerField(),
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": serializer(many=True),
    }
    return type(f"PageOf{serializer.__name__}", (serializers.Serializer,), fields)


def paginate(
    request: Request, rows: QuerySet[Any] | list[Any], serializer: type[serializers.BaseSerializer[Any]]
) -> dict[str, Any]:
    """The page that was asked for; one beyond the last is empty."""
    query = PageQuery(data=request.query_params)
    query.is_valid(raise_exception=True)
    page, size = query.validated_data["page"], query.validated_data["pageSize"]
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    rows = in_total_order(rows) if isinstance(rows, QuerySet) else rows
    shown = rows[(page - 1) * size : page * size]
    url = request.build_absolute_uri()
    following = replace_query_param(url, "page", page + 1) if page * size < count else None
    before = remove_query_param(url, "page") if page == 2 else replace_query_param(url, "page", page - 1)
    return {
        "count": count,
        "next": following,
        "previous": before if page > 1 else None,
        "results": serializer(shown, many=True, context={"request": request}).data,
    }
