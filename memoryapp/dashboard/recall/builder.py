"""What the filter builder offers: the engine's own table of fields and operators, in words."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from memoryapp.retrieval.filters.fields import FIELDS, OPERATORS

# Other names of the same field are understood, and not offered twice.
SYNONYMS = {"text", "keywords_search"}


class BuilderField(NamedTuple):
    """One field with what its value looks like and the operators it has."""

    name: str
    kind: str
    operators: str
    choices: str = ""


def builder_fields() -> list[BuilderField]:
    """The fields of the filter language."""
    return [
        BuilderField(name, field.kind, " ".join(field.operators))
        for name, field in FIELDS.items()
        if name not in SYNONYMS
    ]


def builder_operators() -> list[tuple[str, str]]:
    """The operators in words, in the engine's order."""
    words = {
        "eq": _("is"),
        "ne": _("is not"),
        "in": _("is one of"),
        "nin": _("is none of"),
        "gt": _("after, above"),
        "gte": _("from, at least"),
        "lt": _("before, below"),
        "lte": _("up to, at most"),
        "contains": _("contains exactly"),
        "icontains": _("contains"),
        "all": _("has all of"),
        "exists": _("has a value"),
    }
    return [(name, words.get(name, name)) for name in OPERATORS]
