"""The filters of the fact list: what the address says, what it selects, and the chips that change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.newest import Newest, places
from memoryapp.dashboard.tags import FADING_BELOW, LOW_TRUST
from memoryapp.dashboard.trust import within_trust
from memoryapp.models import Agent, Fact
from memoryapp.models.categories import FactCategory
from memoryapp.wording import say
from tenants.principals import Principal
from tenants.scoping import Scope

SCOPES = {
    Scope.PERSONAL.value: gettext_lazy("Only you"),
    Scope.TEAM.value: gettext_lazy("Team"),
    Scope.GLOBAL.value: gettext_lazy("Global"),
}
STATUSES = {
    Fact.Status.PENDING.value: gettext_lazy("Pending review"),
    Fact.Status.SUPERSEDED.value: gettext_lazy("Superseded"),
    Fact.Status.MERGED.value: gettext_lazy("Merged"),
    "all": gettext_lazy("All of them"),
}
TRUSTS = {
    "high": (gettext_lazy("0.60 and above"), 0.6, 1.01),
    "fading": (gettext_lazy("falls below 0.30 soon"), LOW_TRUST, FADING_BELOW),
    "low": (gettext_lazy("below 0.30"), 0.0, LOW_TRUST),
}


class Option(NamedTuple):
    """One choice of a chip's menu."""

    label: str
    url: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter as drawn."""

    name: str
    label: str
    value: str
    options: list[Option]
    clear_url: str

    @property
    def active(self) -> bool:
        return bool(self.value)


@dataclass(frozen=True, slots=True)
class FactFilters:
    """What the list shows. Unknown words in an address select nothing special."""

    q: str = ""
    category: tuple[str, ...] = ()
    scope: str = ""
    status: str = ""
    trust: str = ""

    @classmethod
    def from_query(cls, query: QueryDict) -> FactFilters:
        return cls(
            q=query.get("q", "").strip()[:500],
            category=tuple(dict.fromkeys(name[:64] for name in query.getlist("category") if name)),
            scope=_known(query.get("scope", ""), SCOPES),
            status=_known(query.get("status", ""), STATUSES),
            trust=_known(query.get("trust", ""), TRUSTS),
        )

    def select(self, principal: Principal, agent: Agent) -> Newest:
        """The facts the filters let through, the search apart; expired ones only when all states are asked for."""
        chosen = [
            self._narrowed(rows).filter(status=status)
            for scope, rows in places(principal, agent).items()
            if self.scope in {"", scope}
            for status in self._states
        ]
        return Newest.of(part for rows in chosen for part in self._trusted(rows))

    def among(self, found: Sequence[UUID], principal: Principal, agent: Agent) -> list[Fact]:
        """Those of the facts with these ids that the filters let through."""
        if not found:
            return []
        chosen = Newest.of(rows.filter(pk__in=found) for rows in self.select(principal, agent).parts)
        return list(chosen.first(len(found)))

    @property
    def _states(self) -> list[str]:
        if self.status == "all":
            return [state for state in Fact.Status.values if state != Fact.Status.FORGOTTEN]
        return [self.status or Fact.Status.ACTIVE.value]

    def _narrowed(self, rows: Any) -> Any:
        if self.status in {"", Fact.Status.PENDING.value}:
            rows = rows.unexpired()
        return rows.filter(category__in=self.category) if self.category else rows

    def _trusted(self, rows: Any) -> list[Any]:
        if not self.trust:
            return [rows]
        _label, low, high = TRUSTS[self.trust]
        return within_trust(rows, low, high)

    @property
    def narrowing(self) -> list[str]:
        """The names of the filters that are set, the search apart."""
        return [name for name in ("category", "scope", "status", "trust") if getattr(self, name)]

    def without(self, name: str) -> FactFilters:
        empty: dict[str, Any] = {name: () if name == "category" else ""}
        return replace(self, **empty)

    def query(self, **more: object) -> str:
        """The address's query for these filters, beginning with `?`."""
        parts: list[tuple[str, object]] = [("category", name) for name in self.category]
        parts += [
            (name, value) for name in ("q", "scope", "status", "trust") if (value := getattr(self, name))
        ]
        parts += [(name, value) for name, value in more.items() if value]
        return "?" + urlencode(parts)

    def chips(self) -> list[Chip]:
        """Every filter with its menu."""
        trust_labels = {name: label for name, (label, _low, _high) in TRUSTS.items()}
        return [
            self._category_chip(),
            self._chip("scope", _("Who sees it"), SCOPES),
            self._chip("status", _("Status"), STATUSES),
            self._chip("trust", _("Trust"), trust_labels),
        ]

    def _chip(self, name: str, label: str, words: Any) -> Chip:
        chosen = getattr(self, name)
        options = [
            Option(str(word), replace(self, **{name: value}).query(), value == chosen)
            for value, word in words.items()
        ]
        return Chip(name, label, str(words[chosen]) if chosen else "", options, self.without(name).query())

    def _category_chip(self) -> Chip:
        known = [slug for slug, _word in FactCategory.choices()]
        options = []
        for name in dict.fromkeys([*known, *self.category]):
            chosen = name in self.category
            others = tuple(other for other in self.category if other != name)
            options.append(
                Option(
                    say(name.capitalize()),
                    replace(self, category=others if chosen else (*others, name)).query(),
                    chosen,
                )
            )
        value = ", ".join(say(name.capitalize()) for name in self.category)
        return Chip("category", _("Category"), value, options, self.without("category").query())


def _known(value: str, words: Any) -> str:
    return value if value in words else ""
