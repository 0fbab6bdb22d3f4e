"""Every column that holds somebody's words is filled with what a browser would run, and no page lets it run."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import CharField, JSONField, Model, TextField

from memoryapp.actions.erasure_places import workspace_models
from memoryapp.models import WorkspaceFile
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages
from tests.dashboard.nights import waiting_facts
from tests.dashboard.test_escaping import assert_harmless
from tests.dashboard.test_pages import DOWNLOADS, READS, address, personal_file  # noqa: F401  fixtures

POISON = (
    "\"'><img src=x onerror=window.__x=1><svg/onload=window.__x=1></script><script>window.__x=1</script>"
    "</textarea></title>[a](javascript:window.__x=1)"
)
# What names a row, an owner or a kind: pages find things by these.
NAMES = {
    "owner_key", "slug", "external_id", "channel", "idempotency_key", "digest", "prefix", "text_key", "pair_key",
    "slot", "query_key", "line_key", "cron", "computed_for", "last_slot", "signature", "url", "folder", "kind", "month",
    "given_by", "consolidation_seen", "owner_digest", "time_zone", "end_user", "language", "sealed", "sealed_secret",
    "statistics", "score_parts", "usage", "overlay_rules", "settings", "files", "changes", "body", "sources",
}  # fmt: skip
SHORTEST = 40


def poisoned(told: Any) -> Any:
    """JSON with every sentence in it replaced; ids and words of the program stay."""
    if isinstance(told, dict):
        return {key: poisoned(value) for key, value in told.items()}
    if isinstance(told, list):
        return [poisoned(value) for value in told]
    return POISON if isinstance(told, str) and " " in told else told


def poison(model: type[Model]) -> None:
    """Fill a table's words."""
    columns = [
        column
        for column in model._meta.concrete_fields
        if column.name not in NAMES
        and not column.choices
        and isinstance(column, (CharField, TextField, JSONField))
    ]
    for row in model._default_manager.all():
        for column in columns:
            if isinstance(column, JSONField):
                setattr(row, column.name, poisoned(getattr(row, column.name)))
            elif (column.max_length or len(POISON)) >= SHORTEST and not is_path_of_a_file(row, column.name):
                setattr(row, column.name, POISON[: column.max_length])
        row.save(update_fields=[column.name for column in columns])


def is_path_of_a_file(row: Model, column: str) -> bool:
    return column == "path" and isinstance(row, WorkspaceFile)


@pytest.mark.long
@pytest.mark.usefixtures("personal_file")
def test_no_page_runs_what_stands_in_a_row(pages: Pages, alice: Person, address: Any) -> None:  # noqa: F811
    waiting_facts(alice, "Alice may prefer calls")
    names = [name for name in READS if name not in DOWNLOADS]
    addresses = {name: address(name) for name in names}
    with workspace_scope(alice.workspace):
        for model in workspace_models():
            poison(model)
    type(alice.workspace).objects.filter(pk=alice.workspace.pk).update(name=POISON[:120])
    type(alice.user).objects.filter(pk=alice.user.pk).update(first_name=POISON[:100])
    wrong, shown = {}, 0
    for name, path in addresses.items():
        response = pages.client.get(path)
        html = response.content.decode()
        shown += "window.__x" in html
        try:
            assert response.status_code == 200, response.status_code
            assert_harmless(html)
        except (AssertionError, KeyError) as error:
            wrong[name] = str(error)[:300]
    assert not wrong
    assert shown > len(names) // 2
