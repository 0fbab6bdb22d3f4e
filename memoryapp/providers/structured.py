"""Always-on facts: who the person is and the rules they set, newest first, in every prompt."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, CharField, Count, F, OuterRef, Q, Value, When, Window
from django.db.models.functions import JSONObject, RowNumber

from memoryapp.models import Fact
from memoryapp.models.categories import FactCategory
from memoryapp.providers.base import Kind, Provider, Snippet, TurnQuery
from tenants.principals import Principal
from tenants.scoping import Scope


class StructuredProvider(Provider):
    name = "structured"

    def standing_rows(self, principal: Principal, conversation: str | None) -> ArraySubquery:
        """The newest always-on facts of each type and scope, with how many there are in all."""
        of_agent = Q(agent=OuterRef("pk")) | Q(scope=Scope.GLOBAL)
        here = Q(session=None)
        if conversation is not None:
            here |= Q(session__external_id=conversation, session__owner_key=principal.owner_key)
        facts = Fact.objects.visible_to(principal).valid().filter(of_agent, here)
        buckets = [F("scope"), F("view")]
        newest_first = [F("updated_at").desc(), F("pk").desc()]
        numbered = (
            facts.in_category(*FactCategory.always_on())
            .annotate(view=_view())
            .annotate(
                place=Window(RowNumber(), partition_by=buckets, order_by=newest_first),
                bucket_size=Window(Count("pk"), partition_by=buckets),
            )
        )
        limit = settings.MEMORY_SYSTEM_BLOCK_MAX_ENTRIES_PER_TYPE
        shown = numbered.filter(place__lte=limit) if limit else numbered
        row = JSONObject(text="text", scope="scope", view="view", bucket_size="bucket_size")
        return ArraySubquery(shown.order_by("-updated_at", "-pk").values(row=row))

    def system_prompt_block(self, turn: TurnQuery) -> list[Snippet]:
        return [_snippet(fact) for fact in turn.standing[self.name] if fact["scope"] != Scope.PERSONAL]

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        return [_snippet(fact) for fact in turn.standing[self.name] if fact["scope"] == Scope.PERSONAL]


def _view() -> Case:
    """The seed's type of a fact, as the database sees it: user or feedback."""
    always_on = (category for category in FactCategory if category.value.always_on)
    cases = [When(Q(category=category.slug), then=Value(category.value.view)) for category in always_on]
    return Case(*cases, output_field=CharField())


def _snippet(fact: dict[str, Any]) -> Snippet:
    return Snippet(Kind.STANDING, fact["text"], "fact", group=fact["view"], group_size=fact["bucket_size"])
