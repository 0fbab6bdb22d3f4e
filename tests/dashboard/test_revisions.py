"""A file's earlier texts: any two compared, each of them reachable; and the order of the files in the prompt."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.actions.files import write_file
from memoryapp.dashboard import file_revisions
from tests.conftest import Person
from tests.dashboard.conftest import Pages


@pytest.fixture
def written(alice: Person) -> Any:
    """NOTES.md in five texts, of which the first is the creation."""
    for number in range(1, 6):
        content = f"# Notes\n\nText number {number}.\n"
        write_file(principal=alice.principal, agent=alice.agent, path="NOTES.md", content=content)


def show(pages: Pages, **query: object) -> Any:
    return pages.client.get(pages.agent("files/shared/NOTES.md"), query)


def test_any_two_revisions_are_compared(pages: Pages, written: Any) -> None:
    response = show(pages, revisions=4, **{"with": 2})
    html = response.content.decode()
    assert "Revision 4 against revision 2" in html
    assert "<del>2</del>" in html.replace("<del>2.</del>", "<del>2</del>")
    assert "number 3" not in html.partition('class="diff"')[2]
    other_way = show(pages, revisions=2, **{"with": 4}).content.decode()
    assert "Revision 2 against revision 4" in other_way
    assert "against the one before it" in show(pages, revisions=3).content.decode()


@pytest.mark.parametrize("query", [{"revisions": 99}, {"revisions": 2, "with": 77}])
def test_a_revision_that_is_not_there_is_said(query: dict[str, int], pages: Pages, written: Any) -> None:
    answer = show(pages, **query)
    assert answer.status_code == 200
    assert f"There is no revision {max(query.values())}." in answer.content.decode()


def test_old_revisions_are_reached_page_by_page(
    pages: Pages, written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_revisions, "REVISIONS_SHOWN", 2)
    first = show(pages, revisions="latest").context
    assert [row.revision.number for row in first["past"]] == [5, 4]
    second = show(pages, revisions="latest", below=first["older_revisions"]).context
    assert [row.revision.number for row in second["past"]] == [3, 2]
    assert show(pages, revisions=1).context["chosen"].number == 1


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({"do": "place", "at": "0"}, ["PROFILE.md", "AGENTS.md", "SOUL.md", "MEMORY.md"]),
        ({"do": "place", "at": "3"}, ["AGENTS.md", "SOUL.md", "MEMORY.md", "PROFILE.md"]),
        ({"do": "place", "at": "x"}, ["AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md"]),
        ({"do": "up"}, ["AGENTS.md", "PROFILE.md", "SOUL.md", "MEMORY.md"]),
        ({"do": "down"}, ["AGENTS.md", "SOUL.md", "MEMORY.md", "PROFILE.md"]),
    ],
)
def test_a_file_is_moved_to_a_place(form: dict[str, str], expected: list[str], pages: Pages) -> None:
    page = pages.client.post(pages.agent("files/arrange/"), {"path": "PROFILE.md", **form}, follow=True)
    assert [file.path for file in page.context["shelf"].in_prompt] == expected
