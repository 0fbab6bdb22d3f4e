"""The list of files with very many of them: a page of each group, the rest behind it, found by name."""

from __future__ import annotations

import re

import pytest

from memoryapp.models import WorkspaceFile
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

NAME = re.compile(r'title="([^"]+\.md)"')


@pytest.fixture
def many(alice: Person) -> None:
    """120 notes of the team, 120 loose files and 120 of alice's own."""
    who = {"workspace": alice.workspace, "agent": alice.agent}
    own = {**who, "scope": Scope.PERSONAL, "owner_key": alice.principal.owner_key}
    with workspace_scope(alice.workspace):
        WorkspaceFile.objects.bulk_create(
            [
                *(WorkspaceFile(**who, scope=Scope.TEAM, path=f"memory/{n:03}.md") for n in range(120)),
                *(WorkspaceFile(**who, scope=Scope.TEAM, path=f"loose-{n:03}.md") for n in range(120)),
                *(WorkspaceFile(**own, path=f"mine-{n:03}.md", content="x" * n) for n in range(120)),
            ]
        )


@pytest.mark.parametrize(
    ("group", "prefix"), [("demand", "loose-"), ("memory/", "memory/"), ("own", "mine-")]
)
def test_every_file_is_reached_page_by_page(many: None, pages: Pages, group: str, prefix: str) -> None:
    seen: list[str] = []
    query = "?list=1"
    for _ in range(3):
        html = pages.client.get(pages.agent("files/") + query).content.decode()
        found = [name for name in NAME.findall(html) if name.startswith(prefix)]
        assert len(found) <= 50
        seen += found
        links = re.findall(r'others"><a href="(\?group=[^"]+)"', html)
        query = next((link for link in links if f"group={group.replace('/', '%2F')}" in link), "")
        query = query.replace("&amp;", "&")
    assert query == ""
    assert len(seen) == len(set(seen)) == 120


def test_one_is_found_by_name(many: None, pages: Pages) -> None:
    html = pages.client.get(pages.agent("files/?find=MINE-07")).content.decode()
    names = [name for name in NAME.findall(html) if not name.isupper() and name[0].islower()]
    assert names == [f"mine-07{n}.md" for n in range(10)]


def test_a_strangers_files_are_not_among_them(many: None, stranger: Pages) -> None:
    html = stranger.client.get(stranger.agent("files/")).content.decode()
    assert "mine-" not in html
    assert "loose-" not in html
