"""From the tree to `Q`: columns come from the table of fields, everything a caller wrote is a parameter.

Every comparison is either true or false, never unknown, so that NOT means what it says for rows without a value.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.db.models import CharField, F, Func, Q, TextField, Value
from django.db.models.lookups import IContains

from memoryapp.retrieval.filters.fields import FIELDS
from memoryapp.retrieval.filters.metadata import metadata_condition
from memoryapp.retrieval.filters.parsing import parse_id
from memoryapp.retrieval.filters.tree import And, Comparison, Moments, Node, Not, Or
from tenants.exceptions import InvalidOwner
from tenants.owners import end_user_owner_key, owner_key_from_label

FACT: Final = "fact"
# Between the names of a row's categories when they are looked into together: no name has a line break.
SEPARATOR: Final = "\n"


class _CategoryNames(Func):
    """The category and the labels of a fact in one text."""

    template = "(%(expressions)s)"
    arg_joiner = " || "
    output_field = TextField()


def compile_filter(node: Node, *, kind: str = FACT, mem0_names: bool = False) -> Q:
    """The condition of a filter on facts, sections or messages.

    It only narrows: whoever uses it starts from `visible_to(principal)`. With `mem0_names` a user's id is an end
    user's own, whatever it looks like, and `created_at` is when it was said; otherwise an id may be a full owner key.
    """
    return _Compiler(kind, mem0_names).compile(node)


class _Compiler:
    def __init__(self, kind: str, mem0_names: bool) -> None:
        self.kind = kind
        self.mem0_names = mem0_names

    def compile(self, node: Node) -> Q:
        match node:
            case And(children):
                return _joined([self.compile(child) for child in children], Q.AND)
            case Or(children):
                return _joined([self.compile(child) for child in children], Q.OR)
            case Not(child):
                return ~self.compile(child)
            case Comparison():
                return self._comparison(node)

    def _comparison(self, node: Comparison) -> Q:
        field = FIELDS[node.field]
        column = field.columns.get(self.kind)
        if self.mem0_names and node.field == "created_at":
            column = FIELDS["timestamp"].columns[self.kind]
        if field.kind == "agent":
            return self._agent(node)
        if column is None:
            return EVERY_ROW if node.operator == "exists" and not node.value else NO_ROW
        if field.kind == "owner":
            return self._owner(node, column)
        return CONDITIONS[field.kind](node, column)

    def _owner(self, node: Comparison, column: str) -> Q:
        if node.operator == "exists":
            return _text(node, column)
        return _one_of(
            column, [key for label in _values(node) if (key := self._owner_key(label)) is not None]
        )

    def _owner_key(self, label: str) -> str | None:
        """The owner key a label means; None for what can be nobody's."""
        try:
            return end_user_owner_key(label) if self.mem0_names else owner_key_from_label(label)
        except InvalidOwner:
            return None

    def _agent(self, node: Comparison) -> Q:
        """The agent by any of its names; only the caller's own label can be missing."""
        label = FIELDS[node.field].columns.get(self.kind)
        if node.operator == "exists":
            present = ~Q(**{label: ""}) if label else NO_ROW
            return present if node.value else ~present
        names = _values(node)
        found = Q(agent__slug__in=names) | _one_of("agent_id", _ids(names))
        return found | Q(**{f"{label}__in": names}) if label else found


NO_ROW: Final = Q(pk__in=[])
EVERY_ROW: Final = ~Q(pk__in=[])


def _joined(conditions: list[Q], connector: str) -> Q:
    joined = Q()
    for condition in conditions:
        joined = joined & condition if connector == Q.AND else joined | condition
    return joined


def _values(node: Comparison) -> list[Any]:
    return list(node.value) if isinstance(node.value, tuple) else [node.value]


def _ids(values: list[Any]) -> list[UUID]:
    return [key for value in values if (key := parse_id(str(value))) is not None]


def _one_of(column: str, values: list[Any]) -> Q:
    return Q(**{column: values[0]}) if len(values) == 1 else Q(**{f"{column}__in": values})


def _text(node: Comparison, column: str) -> Q:
    if node.operator == "exists":
        present = ~Q(**{column: ""})
        return present if node.value else ~present
    return _one_of(column, _values(node))


def _id(node: Comparison, column: str) -> Q:
    return Q(pk__in=_ids(_values(node)))


def _plain(node: Comparison, column: str) -> Q:
    if node.operator in {"eq", "in"}:
        return _one_of(column, _values(node))
    return Q(**{f"{column}__{ORDER_LOOKUPS[node.operator]}": node.value})


def _substring(node: Comparison, column: str) -> Q:
    lookup = "contains" if node.operator == "contains" else "icontains"
    return Q(**{f"{column}__{lookup}": node.value})


def _date(node: Comparison, column: str) -> Q:
    present = Q(**{f"{column}__isnull": False})
    if node.operator == "exists":
        return present if node.value else ~present
    return present & _joined(
        [_moment(node.operator, each, column) for each in _values(node)] or [NO_ROW], Q.OR
    )


def _moment(operator: str, moments: Moments, column: str) -> Q:
    """A comparison with an instant, or with a whole day: after it, from its start, before it, through its end."""
    is_day = moments.start < moments.end
    match operator:
        case "gt":
            return Q(**{f"{column}__gte": moments.end}) if is_day else Q(**{f"{column}__gt": moments.start})
        case "gte":
            return Q(**{f"{column}__gte": moments.start})
        case "lt":
            return Q(**{f"{column}__lt": moments.start})
        case "lte":
            return Q(**{f"{column}__lt": moments.end}) if is_day else Q(**{f"{column}__lte": moments.start})
        case _:
            within = Q(**{f"{column}__gte": moments.start, f"{column}__lt": moments.end})
            return within if is_day else Q(**{column: moments.start})


def _categories(node: Comparison, column: str) -> Q:
    names = _values(node)
    match node.operator:
        case "exists":
            present = ~Q(**{column: ""}) | Q(labels__len__gt=0)
            return present if node.value else ~present
        case "all":
            return _joined([_has_category(column, name) for name in names] or [EVERY_ROW], Q.AND)
        case "contains":
            return Q(IContains(_category_names(column), node.value))
        case _:
            return _joined([_has_category(column, name) for name in names] or [NO_ROW], Q.OR)


def _has_category(column: str, name: str) -> Q:
    return Q(**{column: name}) | Q(labels__contains=[name])


def _category_names(column: str) -> Func:
    labels = Func(F("labels"), Value(SEPARATOR), function="array_to_string", output_field=CharField())
    return _CategoryNames(F(column), Value(SEPARATOR), labels)


def _metadata(node: Comparison, column: str) -> Q:
    return metadata_condition(node)


ORDER_LOOKUPS: Final = {"gt": "gt", "gte": "gte", "lt": "lt", "lte": "lte"}
CONDITIONS: Final = {
    "text": _text,
    "date": _date,
    "categories": _categories,
    "metadata": _metadata,
    "substring": _substring,
    "id": _id,
    "number": _plain,
    "flag": _plain,
}
