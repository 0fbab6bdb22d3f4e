"""The table of the filter language: every field with its kind, its operators and where its value lies.

The parser refuses by it, the compiler reads its columns, and the page in the guide is printed from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

EQUALITY: Final = ("eq", "ne", "in", "nin")
ORDER: Final = ("gt", "gte", "lt", "lte")
SUBSTRING: Final = ("contains", "icontains")

OPERATORS: Final = {
    "eq": "is the same; a bare value means the same, and `null` asks for no value",
    "ne": "is not the same; rows without a value are included, unless `strict` is added",
    "in": "is in the list; an empty list matches nothing",
    "nin": "is not in the list; rows without a value are treated as by `ne`",
    "gt": "is later or greater",
    "gte": "is later or greater, or the same",
    "lt": "is earlier or less",
    "lte": "is earlier or less, or the same",
    "contains": "contains the text",
    "icontains": "contains the text, whatever its case",
    "all": "has everything in the list",
    "exists": 'true: has a value; false: has none. `"*"` as a bare value is short for true',
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the language."""

    kind: str
    operators: tuple[str, ...]
    description: str
    example: str
    # Where the value lies, per kind of thing searched; a kind that is missing here never has one.
    columns: dict[str, str] = field(default_factory=dict)


def _everywhere(column: str) -> dict[str, str]:
    return {"fact": column, "section": column, "message": column}


ENTITY_OPERATORS: Final = (*EQUALITY, "exists")
DATE_OPERATORS: Final = ("eq", "ne", "in", "nin", *ORDER, "exists")

FIELDS: Final[dict[str, Field]] = {
    "user_id": Field(
        "owner", ENTITY_OPERATORS, "Whose memory it is: an owner key, or an end user's own id.",
        '{"user_id": "ana"}', _everywhere("owner_key"),
    ),
    "agent_id": Field(
        "agent", ENTITY_OPERATORS, "The agent: the caller's own label for it, its slug or its id.",
        '{"agent_id": "support-bot"}', {"fact": "agent_label"},
    ),
    "app_id": Field(
        "text", ENTITY_OPERATORS, "The caller's label for the application.",
        '{"app_id": {"in": ["web", "phone"]}}', {"fact": "app_id"},
    ),
    "run_id": Field(
        "text", ENTITY_OPERATORS, "The caller's label for a session or run.", '{"run_id": "*"}', {"fact": "run_id"},
    ),
    "created_at": Field(
        "date", DATE_OPERATORS, "When it was stored.", '{"created_at": {"gte": "2026-01-01"}}',
        _everywhere("created_at"),
    ),
    "updated_at": Field(
        "date", DATE_OPERATORS, "When it last changed.", '{"updated_at": {"lt": "2026-12-31"}}',
        _everywhere("updated_at"),
    ),
    "timestamp": Field(
        "date", DATE_OPERATORS, "When it was said.", '{"timestamp": {"gt": "2026-01-01"}}',
        {"fact": "said_at", "section": "updated_at", "message": "said_at"},
    ),
    "event_date": Field(
        "date", DATE_OPERATORS, "When what it tells took place, as far as the text says so.",
        '{"event_date": {"lte": "2026-03-31"}}', {"fact": "event_from"},
    ),
    "expiration_date": Field(
        "date", DATE_OPERATORS, "When it expires.", '{"expiration_date": null}', {"fact": "expires_at"},
    ),
    "categories": Field(
        "categories", ("eq", "ne", "in", "nin", "all", "contains", "exists"),
        "The category and the labels: `eq` has this one, `in` any, `all` every; `contains` looks into the names, "
        "whatever their case.",
        '{"categories": {"in": ["finance"]}}', {"fact": "category"},
    ),
    "metadata": Field(
        "metadata", ("eq", "ne", "in", "nin", *ORDER, *SUBSTRING, "exists"),
        "The caller's own data, by key. A dot leads into nested data; `\\.` is a dot in a key.",
        '{"metadata": {"source": "email", "order.total": {"gte": 100}}}', {"fact": "metadata"},
    ),
    "keywords": Field(
        "substring", SUBSTRING, "A piece of the text; a bare value means `icontains`.",
        '{"keywords": {"icontains": "invoice"}}', _everywhere("text"),
    ),
    "text": Field(
        "substring", SUBSTRING, "The same as `keywords`.", '{"text": {"contains": "Invoice"}}', _everywhere("text"),
    ),
    "keywords_search": Field(
        "substring", SUBSTRING, "The same as `keywords`.", '{"keywords_search": "invoice"}', _everywhere("text"),
    ),
    "memory_ids": Field(
        "id", ("in", "nin"), "A list of ids, bare or under `in`.", '{"memory_ids": ["…", "…"]}', _everywhere("id"),
    ),
    "scope": Field(
        "text", EQUALITY, "PERSONAL, TEAM or GLOBAL.", '{"scope": "TEAM"}', _everywhere("scope"),
    ),
    "status": Field(
        "text", EQUALITY, "active, pending, superseded or merged.", '{"status": "active"}', {"fact": "status"},
    ),
    "origin": Field(
        "text", EQUALITY, "chat, tool, api, import, projection or dream.", '{"origin": {"ne": "dream"}}',
        {"fact": "origin"},
    ),
    "attributed_to": Field(
        "text", EQUALITY, "Whose word it is: user, agent or tool.", '{"attributed_to": "user"}',
        {"fact": "attributed_to"},
    ),
    "speaker": Field(
        "text", ENTITY_OPERATORS, "The name of whoever said it.", '{"speaker": "Ana"}',
        {"fact": "speaker", "message": "name"},
    ),
    "language": Field(
        "text", ENTITY_OPERATORS, "The language noted for it.", '{"language": "es"}', {"fact": "language"},
    ),
    "importance": Field(
        "number", (*EQUALITY, *ORDER), "From 0 to 1.", '{"importance": {"gte": 0.8}}', {"fact": "importance"},
    ),
    "pinned": Field("flag", ("eq", "ne"), "Whether it is pinned.", '{"pinned": true}', {"fact": "pinned"}),
}  # fmt: skip

LOGIC: Final = ("AND", "OR", "NOT")
