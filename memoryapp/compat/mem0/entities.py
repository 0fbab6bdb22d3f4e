"""mem0's entities: the users, agents, apps and runs that memories are labelled with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import uuid5

from django.db.models import Count, Max, Min
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.erasure import erase_owner
from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.listing import read_paging
from memoryapp.compat.mem0.memories import delete_matching
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Conversation, Fact, Owner
from memoryapp.retrieval.filters import parse_filter
from tenants.owners import end_user_of, end_user_owner_key
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

# Each kind with the column that names it.
COLUMNS: Final = {"user": "owner_key", "agent": "agent_label", "app": "app_id", "run": "run_id"}
MAX_NAME: Final = 160


@dataclass(frozen=True, slots=True)
class Entity:
    """One user, agent, app or run with what is remembered under it."""

    kind: str
    name: str
    memories: int
    first: datetime
    last: datetime

    def body(self, principal: Principal) -> dict[str, Any]:
        return {
            "id": str(uuid5(principal.workspace.pk, f"{self.kind}:{self.name}")),
            "name": self.name,
            "type": self.kind,
            "owner": principal.workspace.slug,
            "metadata": {},
            "total_memories": self.memories,
            "created_at": self.first.isoformat(),
            "updated_at": self.last.isoformat(),
        }


def entities_of(principal: Principal) -> list[Entity]:
    """The entities the principal sees, users first, each kind by what changed last."""
    with workspace_scope(principal.workspace):
        labelled = [each for kind in COLUMNS for each in _labelled(principal, kind)]
        known = {each.name for each in labelled if each.kind == "user"}
        met = [each for each in _met(principal) if each.name not in known]
    return [*met, *labelled]


def _labelled(principal: Principal, kind: str) -> list[Entity]:
    column = COLUMNS[kind]
    facts = Fact.objects.visible_to(principal).exclude(scope=Scope.GLOBAL).active().exclude(**{column: ""})
    rows = facts.values(column).annotate(count=Count("pk"), first=Min("created_at"), last=Max("updated_at"))
    named = [
        (end_user_of(row[column]) if kind == "user" else row[column], row)
        for row in rows.order_by("-last", column)
    ]
    return [Entity(kind, name, row["count"], row["first"], row["last"]) for name, row in named if name]


def _met(principal: Principal) -> list[Entity]:
    """Users who have said something and of whom nothing is kept yet."""
    owners = Owner.objects.filter(workspace=principal.workspace, erased_at=None)
    owners = (
        owners.filter(owner_key__startswith="api:")
        if principal.integrator
        else owners.filter(owner_key=principal.owner_key)
    )
    return [
        Entity("user", name, 0, owner.first_seen_at, owner.last_seen_at)
        for owner in owners.order_by("-last_seen_at", "pk")
        if (name := end_user_of(owner.owner_key))
    ]


class EntitiesView(Mem0View):
    def get(self, request: Request) -> Response:
        """Whom and what there are memories of."""
        found = entities_of(self.principal)
        totals = Counter(each.kind for each in found)
        page = read_paging(self.query).of(request, found, len(found))
        page["results"] = [each.body(self.principal) for each in page["results"]]
        return Response({**page, **{f"total_{kind}s": totals[kind] for kind in COLUMNS}})


class EntityView(Mem0View):
    def get(self, request: Request, kind: str, name: str) -> Response:
        """One user, agent, app or run, with how much is remembered."""
        kind = checked_kind(kind)
        found = next(
            (each for each in entities_of(self.principal) if (each.kind, each.name) == (kind, name)), None
        )
        if found is None:
            raise NotFound
        return Response(found.body(self.principal))

    def delete(self, request: Request, kind: str, name: str) -> Response:
        """Erase a user with everything of theirs, or forget the memories labelled with an agent, app or run."""
        remove_entity(self.principal, checked_kind(kind), name)
        return Response({"message": "Entity deleted successfully!"})


def checked_kind(kind: str) -> str:
    """One of the kinds, also in the plural; NotFound for any other word."""
    singular = kind.removesuffix("s")
    if singular not in COLUMNS:
        raise NotFound
    return singular


def remove_entity(principal: Principal, kind: str, name: str) -> None:
    """Remove an entity with its memories; NotFound for a user nobody has met, ValidationFailed for no name.

    A label whose memories are gone already is fine: clients list everything first and then delete one after the other.
    """
    if not name.strip() or len(name) > MAX_NAME or "\0" in name:
        raise ValidationFailed.of("entity_id", f"A name has 1 to {MAX_NAME} characters.")
    name = _named(principal, kind, name)
    if kind == "user":
        _erase_user(principal, name)
        return
    delete_matching(principal, parse_filter({f"{kind}_id": name}))


def _named(principal: Principal, kind: str, given: str) -> str:
    """The name an id of ours stands for; any other text is the name itself."""
    for entity in entities_of(principal) if len(given) == 36 and given.count("-") == 4 else ():
        if entity.kind == kind and entity.body(principal)["id"] == given:
            return entity.name
    return given


def _erase_user(principal: Principal, name: str) -> None:
    acting = principal.acting_as(name)
    key = end_user_owner_key(name)
    with workspace_scope(principal.workspace):
        theirs: dict[str, Any] = {"workspace": principal.workspace, "owner_key": key}
        is_known = any(
            rows.filter(**theirs).exists() for rows in (Owner.objects, Fact.objects, Conversation.objects)
        )
    if not is_known:
        raise NotFound
    erase_owner(principal=acting, owner_key=key)
