"""Always-on facts: who the person is and the rules they set, newest first, in every prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, Window
from django.db.models.functions import JSONObject, RowNumber

from memoryapp.models import Fact
from memoryapp.models.categories import FactCategory
from memoryapp.providers.base import BuiltIn, Kind, Snippet, TurnQuery, rows_of_agent
from tenants.principals import Principal
from tenants.scoping import Scope


class StructuredProvider(BuiltIn):
    name = "structured"

    def standing_rows(self, principal: Principal) -> ArraySubquery:
        """The newest always-on facts of each category and scope, with how many there are in all."""
        facts = rows_of_agent(Fact.objects.current().in_category(*FactCategory.always_on()), principal)
        bucket = [F("scope"), F("category")]
        counted = facts.annotate(
            place=Window(RowNumber(), partition_by=bucket, order_by=[F("updated_at").desc(), F("pk").desc()]),
            bucket_size=Window(Count("pk"), partition_by=bucket),
        )
        limit = settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE
        shown = counted.filter(place__lte=limit) if limit else counted
        row = JSONObject(text="text", scope="scope", category="category", size="bucket_size")
        return ArraySubquery(shown.order_by("-updated_at", "-pk").values(row=row))

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return list(_snippets([row for row in turn.standing[self.name] if row["scope"] != Scope.PERSONAL]))

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        return list(_snippets([row for row in turn.standing[self.name] if row["scope"] == Scope.PERSONAL]))


def _snippets(rows: list[dict[str, Any]]) -> Iterator[Snippet]:
    """The rows by type, as the seed calls them, at most so many of each, with the size of the whole type."""
    sizes = {row["category"]: (FactCategory.traits_of(row["category"]).view, row["size"]) for row in rows}
    of_type: Counter[str] = Counter()
    for view, size in sizes.values():
        of_type[view] += size
    told: Counter[str] = Counter()
    limit = settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE
    for row in rows:
        view, _ = sizes[row["category"]]
        told[view] += 1
        if not limit or told[view] <= limit:
            yield Snippet(Kind.STANDING, row["text"], "fact", group=view, group_size=of_type[view])
