"""Facts newest first, from among very many: what one may see is read in parts that an index gives in that order.

Asked for in one go, the alternatives of who may see what leave the database no order to read in but that of the whole
table, everybody's facts included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryapp.dashboard.counting import MOST_COUNTED
from memoryapp.models import Agent, Fact
from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.principals import Principal
from tenants.scoping import Scope


def places(principal: Principal, agent: Agent) -> dict[str, Any]:
    """The facts of an agent that one may see, by the scope they have: together all of them, none twice."""
    visible = Fact.objects.visible_to(principal).for_agent(agent)
    here = visible.filter(workspace=principal.workspace, agent=agent)
    return {
        Scope.PERSONAL.value: here.filter(scope=Scope.PERSONAL, owner_key=principal.owner_key),
        Scope.TEAM.value: here.filter(scope=Scope.TEAM, owner_key=""),
        Scope.GLOBAL.value: visible.filter(scope=Scope.GLOBAL, workspace_id=GLOBAL_WORKSPACE_ID),
    }


@dataclass(frozen=True, slots=True)
class Newest:
    """Facts put together from parts that have none in common. Ids are ordered by time."""

    parts: tuple[Any, ...]

    @classmethod
    def of(cls, parts: Iterable[Any]) -> Newest:
        return cls(tuple(parts))

    def older_than(self, key: UUID) -> Newest:
        return self.of(part.filter(pk__lt=key) for part in self.parts)

    def newer_than(self, key: UUID) -> Newest:
        return self.of(part.filter(pk__gt=key) for part in self.parts)

    def count(self) -> int:
        """How many there are; one more than the limit stands for any number above it."""
        count: int = self.merged(MOST_COUNTED + 1, "").count()
        return count

    def first(self, amount: int) -> Any:
        """So many of the newest, the newest first."""
        return Fact.objects.filter(pk__in=self._keys(amount, "-pk")).order_by("-pk")

    def last(self, amount: int) -> Any:
        """So many of the oldest, the oldest first."""
        return Fact.objects.filter(pk__in=self._keys(amount, "pk")).order_by("pk")

    def _keys(self, amount: int, order: str) -> list[UUID]:
        # Fetched by themselves: the ORM takes longer to write the parts into another statement than a round trip takes.
        return [key for (key,) in self.merged(amount, order)]

    def merged(self, amount: int, order: str, *columns: str) -> Any:
        """So many rows of all parts in an order; of any of them where none is named."""
        ordering = [order] if order else []
        one, *others = [part.order_by(*ordering).values_list("pk", *columns)[:amount] for part in self.parts]
        return one.union(*others, all=True).order_by(*ordering)[:amount] if others else one
