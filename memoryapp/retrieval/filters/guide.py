"""The page of the guide about filters, printed from the table that the compiler uses."""

from __future__ import annotations

from typing import Final

from memoryapp.retrieval.filters.fields import FIELDS, OPERATORS
from memoryapp.retrieval.filters.parsing import MAX_DEPTH, MAX_LIST, MAX_NODES

INTRODUCTION: Final = """# Filters

<!-- Printed from the table of fields by memoryapp/retrieval/filters/guide.py; its test says how. -->

A filter is a JSON object. It narrows lists, searches and deletions in the same way. Whose memory is visible at all is
decided beforehand, and no filter can widen it.

```json
{"AND": [
  {"user_id": "ana"},
  {"categories": {"in": ["finance"]}},
  {"created_at": {"gte": "2026-01-01", "lt": "2026-02-01"}},
  {"NOT": {"metadata": {"source": "import"}}}
]}
```

- A field with a bare value means equality: `{"user_id": "ana"}`.
- A field with an object as its value names operators; several of them are ANDed.
- All members of an object are ANDed, `AND`, `OR` and `NOT` included: nothing is dropped.
- `AND` and `OR` take a list of filters; `NOT` takes one filter or a list, none of which may hold.
- `"*"` as a bare value means any value; `null` means none. Under an operator a star is a star: `{"eq": "*"}`.
- What a filter does not mention does not matter.
- Every comparison is either true or false, even for rows without a value: `{"NOT": {"categories": "spam"}}` keeps rows
  without a category, and so does `ne`. To leave out rows without a value, add `strict`:
  `{"agent_id": {"ne": "old", "strict": true}}`.
- A date without a time is the whole day in UTC: `lte` includes all of it, `gt` begins after it. Times in ISO 8601 and
  Unix seconds are instants.
- A filter may be nested {depth} deep and have {nodes} conditions and lists of {list} values, at most.
- An unknown field or operator is refused with 400, naming it and what is allowed. So are symbols such as `>=`.
- An empty filter is no filter when listing or searching; a deletion refuses it.
"""

METADATA: Final = """## Metadata

Values are compared by their type in JSON; a number or a truth value that one side wrote as text counts as the same.
`contains` looks for a part of a text, or for an element of a list. A dot leads into nested objects and lists
(`"order.items.0.name"`); a dot in a key is written `\\.`. Operators on metadata: {operators}.
"""


def filter_guide() -> str:
    """The page, in Markdown."""
    introduction = INTRODUCTION
    for name, limit in {"{depth}": MAX_DEPTH, "{nodes}": MAX_NODES, "{list}": MAX_LIST}.items():
        introduction = introduction.replace(name, str(limit))
    metadata = METADATA.format(operators=_listed(FIELDS["metadata"].operators))
    return "\n".join([introduction, *_fields(), "", *_operators(), "", metadata])


def _fields() -> list[str]:
    rows = [
        f"| `{name}` | {_escaped(field.description)} | {_listed(field.operators)} | `{_escaped(field.example)}` |"
        for name, field in FIELDS.items()
    ]
    return ["## Fields", "", "| field | what it is | operators | example |", "|---|---|---|---|", *rows]


def _operators() -> list[str]:
    rows = [f"| `{name}` | {_escaped(meaning)} |" for name, meaning in OPERATORS.items()]
    return ["## Operators", "", "| operator | a row matches when its value … |", "|---|---|", *rows]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
