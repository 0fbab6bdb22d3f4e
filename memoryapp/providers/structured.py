"""Always-on facts: who the person is and the rules they set, newest first, in every prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import JSONField

from memoryapp.models import Fact
from memoryapp.models.categories import FactCategory
from memoryapp.providers.base import BuiltIn, Kind, Snippet, TurnQuery, rows_of_agent
from tenants.principals import Principal
from tenants.scoping import Scope


class NewestOfEach(ArraySubquery):
    """The newest of the rows of each scope and category, with how many there are in all.

    Numbering them by window functions would sort all rows by two texts for the few that are wanted.
    """

    template = """ARRAY(
        WITH mine AS MATERIALIZED (%(subquery)s),
        bucket AS (SELECT scope, category, count(*) AS size FROM mine GROUP BY scope, category)
        SELECT jsonb_build_object(
            'text', newest.text, 'scope', newest.scope, 'category', newest.category, 'size', bucket.size
        )
        FROM bucket CROSS JOIN LATERAL (
            SELECT * FROM mine WHERE mine.scope = bucket.scope AND mine.category = bucket.category
            ORDER BY mine.updated_at DESC, mine.id DESC LIMIT %(limit)s
        ) AS newest
        ORDER BY newest.updated_at DESC, newest.id DESC
    )"""

    @property
    def output_field(self) -> ArrayField[Any, Any]:
        return ArrayField(JSONField())


class StructuredProvider(BuiltIn):
    name = "structured"

    def standing_rows(self, principal: Principal) -> ArraySubquery:
        """The newest always-on facts of each category and scope."""
        facts = rows_of_agent(Fact.objects.current().in_category(*FactCategory.always_on()), principal)
        rows = facts.values("id", "text", "scope", "category", "updated_at")
        return NewestOfEach(rows, limit=settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE or "ALL")

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
