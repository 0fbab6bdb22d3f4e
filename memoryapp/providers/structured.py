"""Always-on facts: who the person is and the rules they set, newest first, in every prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import Func, JSONField, OuterRef, QuerySet

from memoryapp.models import Fact
from memoryapp.models.categories import FactCategory
from memoryapp.providers.base import BuiltIn, Kind, Snippet, StandingRows, TurnQuery
from memoryapp.providers.standing import Standing, written_once
from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.principals import Principal
from tenants.scoping import Scope


class NewestOfEach(ArraySubquery):
    """The newest facts of each owner key and category, with how many there are in all.

    Each of these few pairs is looked up in an index that holds all that is asked of its facts, in that order. To sort
    the facts themselves, where there are thousands, would take longer than the rest of a turn.
    """

    template = """ARRAY(
        WITH mine AS NOT MATERIALIZED (%(subquery)s),
        bucket AS MATERIALIZED (
            SELECT key, category, (
                SELECT count(*) FROM mine WHERE mine.owner_key = key AND mine.category = kind.category
            ) AS size
            FROM unnest(%%s::text[] COLLATE "C") AS key CROSS JOIN unnest(%%s::text[]) AS kind (category)
        )
        SELECT jsonb_build_object(
            'text', fact.text, 'scope', fact.scope, 'category', fact.category,
            'size', bucket.size, 'at', extract(epoch FROM fact.updated_at)
        )
        FROM bucket CROSS JOIN LATERAL (
            SELECT id FROM mine WHERE mine.owner_key = bucket.key AND mine.category = bucket.category
            ORDER BY mine.updated_at DESC LIMIT %(limit)s
        ) AS newest
        JOIN memoryapp_fact AS fact USING (id)
        WHERE bucket.size > 0
    )"""

    def __init__(self, rows: QuerySet[Any], owner_keys: list[str], categories: list[str], limit: int) -> None:
        super().__init__(rows, limit=limit or "ALL")
        self.buckets = owner_keys, categories

    @property
    def output_field(self) -> ArrayField[Any, Any]:
        return ArrayField(JSONField())

    def as_sql(self, *arguments: Any, **named: Any) -> tuple[str, tuple[Any, ...]]:
        sql, parameters = super().as_sql(*arguments, **named)
        return sql, (*parameters, *self.buckets)


class StructuredProvider(BuiltIn):
    name = "structured"

    def standing_rows(self, principal: Principal) -> StandingRows:
        """The newest always-on facts of each category, those of every workspace beside those of this one."""
        limit = settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE
        return written_once(_newest_facts(limit), principal)

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return list(_snippets([row for row in turn.standing[self.name] if row["scope"] != Scope.PERSONAL]))

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        return list(_snippets([row for row in turn.standing[self.name] if row["scope"] == Scope.PERSONAL]))


@cache
def _newest_facts(limit: int) -> Standing:
    def standing(principal: Principal, moment: datetime) -> StandingRows:
        categories = FactCategory.always_on()
        facts = Fact.objects.visible_to(principal).current(moment).in_category(*categories)
        rows = facts.values("id", "owner_key", "category", "updated_at")
        # Two statements, since no index puts rows of two workspaces in order.
        own = rows.filter(workspace_id=principal.workspace.pk, agent=OuterRef("pk"))
        world = rows.filter(workspace_id=GLOBAL_WORKSPACE_ID).exclude(agent=OuterRef("pk"))
        newest = (
            NewestOfEach(own, ["", principal.owner_key], categories, limit),
            NewestOfEach(world, [""], categories, limit),
        )
        return Func(*newest, function="array_cat", output_field=newest[0].output_field)

    return standing


def _snippets(rows: list[dict[str, Any]]) -> Iterator[Snippet]:
    """The rows, newest first and at most so many of each type of the prompt, with how many that type has."""
    sizes = {(row["scope"], row["category"]): row["size"] for row in rows}
    of_type: Counter[str] = Counter()
    for (_, category), size in sizes.items():
        of_type[_type_of(category)] += size
    told: Counter[str] = Counter()
    limit = settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE
    for row in sorted(rows, key=lambda row: -row["at"]):
        view = _type_of(row["category"])
        told[view] += 1
        if not limit or told[view] <= limit:
            yield Snippet(Kind.STANDING, row["text"], "fact", group=view, group_size=of_type[view])


def _type_of(category: str) -> str:
    return FactCategory.traits_of(category).view
