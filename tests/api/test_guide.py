"""The guide's table of who may what is the table the product goes by."""

from __future__ import annotations

import os
from pathlib import Path

from tenants.models import Role
from tenants.permissions import PUBLIC, ROUTES, WRITE_OWN
from tests.isolation_world import all_routes
from tests.test_isolation import as_format

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "api.md"
START, END = "<!-- routes -->\n", "<!-- /routes -->"


def table() -> str:
    lines = ["| Method and path | Role | Scope |", "|---|---|---|"]
    paths = {
        name.removeprefix("api:"): path for name, path in all_routes().items() if name.startswith("api:")
    }
    for name, path in paths.items():
        shown = as_format(path.removeprefix("api/v1"))
        for method, rule in ROUTES[name].items():
            who = "anybody" if rule is PUBLIC else "own" if rule is WRITE_OWN else Role(rule.role).label
            scope = f"`{rule.scope}`" if rule and rule.scope else ""
            lines.append(f"| `{method} {camel(shown)}` | {who} | {scope} |")
    return "\n".join(lines) + "\n"


def camel(path: str) -> str:
    return "".join(
        part[:1].upper() + part[1:] if place else part for place, part in enumerate(path.split("_"))
    )


def test_the_table_of_routes_is_up_to_date() -> None:
    """With UPDATE_SNAPSHOTS=1 it is written anew."""
    text = GUIDE.read_text(encoding="utf-8")
    before, after = text.split(START)[0], text.split(END)[1]
    if os.environ.get("UPDATE_SNAPSHOTS"):
        GUIDE.write_text(before + START + table() + END + after, encoding="utf-8")

    assert GUIDE.read_text(encoding="utf-8").split(START)[1].split(END)[0] == table()
