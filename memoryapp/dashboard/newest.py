"""Facts newest first, from among very many: what one may see is read in parts that an index gives in that order.

Asked for in one go, the alternatives of who may see what leave the database no order to read in but that of the whole
table, everybody's facts included.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import DateTimeField, Func, UUIDField, Value
from django.db.models.lookups import GreaterThan, LessThan

from memoryapp.dashboard.counting import MOST_COUNTED
from memoryapp.models import Agent, Fact
from memoryapp.retrieval.statements import fetch
from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.principals import Principal
from tenants.scoping import Scope

NEARBY: Final = "SELECT set_config('random_page_cost', '1.1', true)"
# By both, since an index over everybody's facts would be taken for either alone.
NEWEST_FIRST: Final = ("-created_at", "-pk")
OLDEST_FIRST: Final = ("created_at", "pk")


class Pair(Func):
    """Two values as one, which an index over both compares at once."""

    template = "(%(expressions)s)"
    arity = 2
    output_field = DateTimeField()


class Place(NamedTuple):
    """Where a fact stands in the order of a list."""

    created_at: datetime
    key: UUID

    @property
    def pair(self) -> Pair:
        return Pair(Value(self.created_at, DateTimeField()), Value(self.key, UUIDField()))


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
    """Facts put together from parts that have none in common."""

    parts: tuple[Any, ...]

    @classmethod
    def of(cls, parts: Iterable[Any]) -> Newest:
        return cls(tuple(parts))

    def older_than(self, place: Place) -> Newest:
        older = LessThan(Pair("created_at", "pk"), place.pair)
        return self.of(part.filter(older) for part in self.parts)

    def newer_than(self, place: Place) -> Newest:
        newer = GreaterThan(Pair("created_at", "pk"), place.pair)
        return self.of(part.filter(newer) for part in self.parts)

    def count(self) -> int:
        """How many there are; one more than the limit stands for any number above it. Inside a scope."""
        # Taken for far away, as it is by default, a part is looked for in the whole table by several workers at once.
        fetch(NEARBY, [])
        count: int = self.merged(MOST_COUNTED + 1).count()
        return count

    def first(self, amount: int) -> Any:
        """So many of the newest, the newest first."""
        return self._whole(amount, NEWEST_FIRST)

    def last(self, amount: int) -> Any:
        """So many of the oldest, the oldest first."""
        return self._whole(amount, OLDEST_FIRST)

    def merged(self, amount: int, order: tuple[str, ...] = (), *columns: str) -> Any:
        """The keys and ages of so many facts of all parts, with further columns; of any where no order is named."""
        one, *others = [
            part.order_by(*order).values_list("pk", "created_at", *columns)[:amount] for part in self.parts
        ]
        return one.union(*others, all=True).order_by(*order)[:amount] if others else one

    def _whole(self, amount: int, order: tuple[str, ...]) -> Any:
        # Keys are fetched first: the ORM takes longer to write the parts into a statement than a round trip takes.
        keys = [row[0] for row in self.merged(amount, order)]
        return Fact.objects.filter(pk__in=keys).order_by(*order)
