"""How many statements each kind of request takes, kept in a file: a change of a number shows in the diff."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection
from django.test.utils import CaptureQueriesContext

BASELINE = Path(__file__).parent / "query_counts.json"
# Opening and closing transactions and scopes: they carry no rows and depend on how a test is run.
UNCOUNTED = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SELECT SET_CONFIG", "SET ")


class Counted:
    """The statements that were run in a block."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __len__(self) -> int:
        return len(self.statements)


@contextmanager
def counted() -> Iterator[Counted]:
    """Count the statements of a block, those of its transactions' edges left out."""
    counted = Counted()
    with CaptureQueriesContext(connection) as captured:
        yield counted
    statements = (query["sql"].strip() for query in captured.captured_queries)
    counted.statements = [sql for sql in statements if not sql.upper().startswith(UNCOUNTED)]


def assert_as_before(name: str, counted: Counted) -> None:
    """Fail unless the block took as many statements as the file says; with UPDATE_SNAPSHOTS=1 the file is changed."""
    known: dict[str, int] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    if os.environ.get("UPDATE_SNAPSHOTS"):
        known[name] = len(counted)
        BASELINE.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n")
    listed = "\n".join(f"  {sql[:200]}" for sql in counted.statements)
    assert len(counted) == known.get(name), f"{name} took {len(counted)} statements:\n{listed}"
