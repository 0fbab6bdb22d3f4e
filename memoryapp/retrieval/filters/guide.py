"""The page of the guide about filters, printed from the table that the compiler uses."""

from __future__ import annotations

from typing import Final

from memoryapp.retrieval.filters.fields import FIELDS, OPERATORS
from memoryapp.retrieval.filters.parsing import MAX_DEPTH, MAX_LIST, MAX_NODES

INTRODUCTION: Final = """# Filters

<!-- Printed from the table of fields by memoryapp/retrieval/filters/guide.py; its test says how. -->

A filter is a JSON object. It narrows lists, searches and deletions in the same way; whose memory is visible at all is
decided before, and no filter can widen it.

```json
{"AND": [
  {"user_id": "ana"},
  {"categories": {"in": ["finance"]}},
  {"created_at": {"gte": "2026-01-01", "lt": "2026-02-01"}},
  {"NOT": {"metadata": {"source": "import"}}}
]}
```

- A field with a bare value means equality: `{"user_id": "ana"}`.
- A field with an object names operators; several of them are ANDed.
- Several members of one object are ANDed, `AND`, `OR` and `NOT` among them: nothing is dropped.
- `AND` and `OR` take a list of filters, `NOT` one filter or a list, of which none may hold.
- `"*"` as a bare value means any value; `null` means none. Under an operator a star is a star: `{"eq": "*"}`.
- What a filter does not mention is left open.
- Every comparison is true or false, also for rows without a value: `{"NOT": {"categories": "spam"}}` keeps what has no
  category, and so does `ne`. To leave rows without a value out, add `strict`:
  `{"agent_id": {"ne": "old", "strict": true}}`.
- A date without a time is the whole day in UTC: `lte` includes it to its end, `gt` begins after it. Times in ISO 8601
  and Unix seconds are instants.
- A filter is nested at most {depth} deep, has at most {nodes} conditions and lists of at most {list} values.
- An unknown field or operator is refused with 400, naming it and what is allowed. Symbols such as `>=` are refused too.
- An empty filter is no filter when listing or searching; deleting refuses it.
"""

METADATA: Final = """## Metadata

A key is compared by the type its value has in JSON; a number or a truth value that one side wrote as text counts as the
same. `contains` looks into a text, or for an element of a list. A dot leads into nested objects and lists
(`"order.items.0.name"`); a dot in a key is written `\\.`. Operators on the metadata: {operators}.
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
