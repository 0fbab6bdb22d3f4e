"""How far an act of forgetting goes: which buckets of memory it touches, and whose names may stand for the owner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import regex
from django.db.models import Q

from memoryapp.actions.statements import Statements
from memoryapp.models import Fact, Owner
from tenants.models import Role
from tenants.owners import SYSTEM, user_owner_key
from tenants.principals import Principal
from tenants.scoping import Scope

NAMED = regex.compile(
    r"(?:name is|named|called|goes by|se llama|nombre es|heißt|Name ist|名叫|叫做?|名字是)\s*"
    r"((?:\p{Lu}[\p{L}'’-]+\s?){1,3}|\p{Han}{2,4})"
)
# More statements than this are not looked up by their words in the database: everything in reach is read instead.
MOST_HINTS = 25


@dataclass(frozen=True, slots=True)
class Reach:
    """The buckets of one agent in which something is forgotten: the owner's, and the team's where they may."""

    workspace_id: UUID
    agent_id: UUID
    owner_key: str
    team: bool

    @property
    def rows(self) -> Q:
        """The owned rows within reach."""
        buckets = Q(scope=Scope.PERSONAL, owner_key=self.owner_key)
        if self.team:
            buckets |= Q(scope=Scope.TEAM)
        return Q(workspace_id=self.workspace_id, agent_id=self.agent_id) & buckets

    @property
    def events(self) -> Q:
        """The background jobs within reach."""
        keys = [self.owner_key, SYSTEM] if self.team else [self.owner_key]
        return Q(workspace_id=self.workspace_id, agent_id=self.agent_id, owner_key__in=keys)


def reach_of(principal: Principal, fact: Fact) -> Reach:
    """What forgetting a fact touches.

    A personal fact goes from its owner's memory; a member who acts for themselves takes it out of the team's as well,
    where it may stand too. An end user of somebody's product never reaches what the team knows.
    """
    personal = fact.scope == Scope.PERSONAL
    acts_for_self = principal.user_id is not None and principal.owner_key == user_owner_key(principal.user_id)
    return Reach(
        workspace_id=fact.workspace_id,
        agent_id=fact.agent_id,
        owner_key=fact.owner_key if personal else principal.owner_key,
        team=not personal or (acts_for_self and principal.can(Role.MEMBER)),
    )


def names_of(reach: Reach) -> list[str]:
    """What the owner is called: their display name and what facts about their identity say."""
    if not reach.owner_key:
        return []
    owner = Owner.objects.filter(workspace_id=reach.workspace_id, owner_key=reach.owner_key).first()
    told = Fact.objects.filter(reach.rows, category="identity", scope=Scope.PERSONAL).values_list(
        "text", flat=True
    )[:50]
    return [name for name in (owner.display_name if owner else "", *names_in(told)) if name]


def names_in(texts: Iterable[str]) -> list[str]:
    """The names that sentences about somebody's identity tell."""
    return [name.strip() for text in texts for name in NAMED.findall(text)]


def mentioning(statements: Statements, *fields: str) -> Q:
    """Rows whose fields may make one of the statements, by a word each must hold; all when that is no help."""
    hints = statements.hints
    if not hints or len(hints) > MOST_HINTS:
        return Q()
    found = Q(pk__in=[])
    for field in fields:
        for hint in hints:
            found |= Q(**{f"{field}__icontains": hint})
    return found
