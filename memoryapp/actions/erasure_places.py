"""Where a person can be found in a workspace: rows of theirs, mentions of them by key, and texts that repeat theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.db.models import CharField, JSONField, Model, Q, TextField
from django.db.models.functions import Cast

from memoryapp.models import Event, Owner, WebhookDelivery
from tenants.models import AccessToken, AuditEvent, Workspace
from tenants.owners import end_user_of
from tenants.scoping import OwnedModel

# Columns that say who did something: the owner's key, alone or beside another's.
ACTOR_FIELDS = ("actor", "edited_by", "resolved_by", "decided_by", "given_by")
# A probe must be long enough to be nobody else's words by chance.
SHORTEST_PROBE = 24
MOST_PROBES = 400
AT_ONCE = 40


def owned_models() -> list[type[OwnedModel]]:
    """Every model whose rows belong to somebody, found by itself, so that no new table is forgotten."""
    return [model for model in apps.get_models() if issubclass(model, OwnedModel)]


def workspace_models() -> list[type[Model]]:
    """Every model whose rows belong to a workspace."""
    return [
        model
        for model in apps.get_models()
        if any(field.many_to_one and field.related_model is Workspace for field in model._meta.get_fields())
    ]


def rows_of(model: type[Model], workspace: Workspace, owner_key: str) -> Any:
    """The rows of one owner in a table."""
    return model._default_manager.filter(workspace=workspace, owner_key=owner_key)


def places(workspace: Workspace, owner_key: str) -> Iterator[tuple[str, Any]]:
    """Every place with rows of the owner, by a name for people, as a query of those rows."""
    for model in owned_models():
        yield str(model._meta.verbose_name_plural), rows_of(model, workspace, owner_key)
    yield "owners", Owner.objects.filter(workspace=workspace, owner_key=owner_key)
    yield "events", Event.objects.filter(workspace=workspace, owner_key=owner_key)
    end_user = end_user_of(owner_key)
    if end_user is not None:
        yield "access tokens", AccessToken.objects.filter(workspace=workspace, end_user=end_user)


def counts(workspace: Workspace, owner_key: str) -> dict[str, int]:
    """How many rows of the owner there are in each place; empty places are left out."""
    found = {name: rows.count() for name, rows in places(workspace, owner_key)}
    found["mentions by key"] = sum(1 for _ in mentions(workspace, owner_key))
    return {name: count for name, count in found.items() if count}


def mentions(workspace: Workspace, owner_key: str) -> Iterator[tuple[Any, str]]:
    """Rows of others' that name the owner by key, each with the column."""
    for model in workspace_models():
        for name in _actor_columns(model):
            named = Q(**{name: owner_key}) | Q(**{f"{name}__endswith": f" as {owner_key}"})
            named |= Q(**{f"{name}__startswith": f"{owner_key} as "})
            yield from ((row, name) for row in model._default_manager.filter(named, workspace=workspace))
    yield from ((row, "target") for row in AuditEvent.objects.filter(workspace=workspace, target=owner_key))
    told = ((AuditEvent, "detail"), (Event, "payload"), (Event, "result"), (WebhookDelivery, "payload"))
    for table, column in told:
        rows: Any = table._default_manager.filter(workspace=workspace).annotate(
            told=Cast(column, TextField())
        )
        for row in rows.filter(told__contains=owner_key):
            if names(getattr(row, column), owner_key):
                yield row, column


def _actor_columns(model: type[Model]) -> list[str]:
    columns = {field.name for field in model._meta.concrete_fields}
    return [name for name in ACTOR_FIELDS if name in columns]


def names(value: Any, owner_key: str) -> bool:
    """Whether a JSON value has the key as one of its strings."""
    if isinstance(value, dict):
        return any(names(each, owner_key) for each in (*value, *value.values()))
    if isinstance(value, list):
        return any(names(each, owner_key) for each in value)
    return bool(value == owner_key)


def probes(workspace: Workspace, owner_key: str) -> list[str]:
    """Pieces of what the owner said and what was known of them, long enough to be recognised anywhere."""
    found: dict[str, None] = {}
    for model in owned_models():
        for column in _text_columns(model):
            texts = rows_of(model, workspace, owner_key).order_by().values_list(column, flat=True)
            for text in texts.iterator(200):
                found.update(dict.fromkeys(_lines(text or "")))
                if len(found) >= MOST_PROBES:
                    return list(found)[:MOST_PROBES]
    return list(found)


def _lines(text: str) -> list[str]:
    lines = (line.strip(" -*#>\t") for line in text.splitlines())
    return [line[:200] for line in lines if len(line) >= SHORTEST_PROBE]


def _text_columns(model: type[Model]) -> list[str]:
    """Columns of free text, none of which is an enumeration or a digest."""
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, TextField) and field.name != "sealed"
    ]


def shared_places_with(workspace: Workspace, texts: Sequence[str]) -> dict[str, int]:
    """Tables in which shared rows still hold one of the texts, each with the number of rows."""
    found: dict[str, int] = {}
    for model in workspace_models():
        rows: Any = model._default_manager.filter(workspace=workspace)
        if issubclass(model, OwnedModel):
            rows = rows.filter(owner_key="")
        columns = {name: f"{name}_said" for name in _searched_columns(model)}
        if not columns:
            continue
        rows = rows.annotate(**{said: Cast(name, TextField()) for name, said in columns.items()})
        count = sum(
            _count(rows, list(columns.values()), texts[at : at + AT_ONCE])
            for at in range(0, len(texts), AT_ONCE)
        )
        if count:
            found[str(model._meta.verbose_name_plural)] = count
    return found


def _searched_columns(model: type[Model]) -> list[str]:
    return [
        field.name
        for field in model._meta.concrete_fields
        if isinstance(field, TextField | JSONField | CharField) and field.name not in {"sealed", "digest"}
    ]


def _count(rows: Any, columns: Sequence[str], texts: Sequence[str]) -> int:
    found = Q(pk__in=[])
    for column in columns:
        for text in texts:
            found |= Q(**{f"{column}__contains": text})
    return int(rows.filter(found).count())
