"""Adding to a file from its page: the rest stays, and what is not plain is refused with the text kept."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.actions.files import load_file, write_file
from tests.conftest import Person
from tests.dashboard.conftest import Pages

ADD = "/w/harbour/a/juno/files/add/shared/NOTES.md"


@pytest.fixture
def notes(alice: Person) -> None:
    text = "# Notes\n\n## Crew\n\n- Mira\n\n## Tides\n\nhigh: 6:10\n"
    write_file(principal=alice.principal, agent=alice.agent, path="NOTES.md", content=text)


def text_of(who: Person) -> str:
    return load_file(principal=who.principal, agent=who.agent, path="NOTES.md", scope="TEAM").content


def add(who: Person, **given: str) -> Any:
    return Pages(who).client.post(ADD, given)


def test_a_line_joins_a_section_and_a_value_takes_the_place_of_its_own(alice: Person, notes: None) -> None:
    assert add(alice, strategy="append", section="Crew", content="- Teo").status_code == 302
    assert add(alice, strategy="upsert_kv", content="high: 7:05").status_code == 302
    assert text_of(alice) == "# Notes\n\n## Crew\n\n- Mira\n- Teo\n\n## Tides\n\nhigh: 7:05\n"


def test_an_unknown_section_is_refused_and_the_text_kept(alice: Person, notes: None) -> None:
    before = text_of(alice)
    refused = add(alice, strategy="replace_section", section="Boats", content="- the <Aurora>")
    assert refused.status_code == 400
    assert "the &lt;Aurora&gt;" in refused.content.decode()
    assert text_of(alice) == before


def test_shared_files_are_written_by_members(vera: Person, alice: Person, notes: None) -> None:
    before = text_of(alice)
    assert add(vera, strategy="append", content="- mine").status_code == 400
    assert text_of(alice) == before
