"""Memories by id, with whatever agent of the workspace they are."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Fact
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope


def read_id(given: object, name: str = "memory_id") -> UUID:
    """The id; raises ValidationFailed for what cannot be one."""
    try:
        return UUID(given if isinstance(given, str) else "")
    except ValueError as error:
        raise ValidationFailed.of(name, f"{name} is not a valid id.", code="invalid_id") from error


def load_memory(principal: Principal, given: object) -> Fact:
    """The memory of that id, expired or not; NotFound when missing, forgotten or not the principal's to see."""
    return load_memories(principal, [given])[0]


def load_memories(principal: Principal, given: Sequence[object]) -> list[Fact]:
    """The memories of those ids in their order; NotFound when one of them is not there."""
    ids = list(dict.fromkeys(read_id(each) for each in given))
    if len(ids) != len(given):
        raise ValidationFailed.of("memories", "A memory is named more than once.")
    with workspace_scope(principal.workspace):
        rows = Fact.objects.visible_to(principal).exclude(scope=Scope.GLOBAL)
        found = {fact.pk: fact for fact in rows.exclude(status=Fact.Status.FORGOTTEN).filter(pk__in=ids)}
    if len(found) != len(ids):
        raise NotFound
    return [found[key] for key in ids]
