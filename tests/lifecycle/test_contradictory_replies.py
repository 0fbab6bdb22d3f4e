"""Replies that contradict themselves or date things oddly end in one clean state, never in none or two."""

from __future__ import annotations

import pytest

from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.lifecycle.conftest import add, reply


def test_update_delete_and_add_of_the_same_in_one_reply(alice, talks, model, read):
    """BC-158"""
    talks.know("User drinks tea")
    new = "User drinks green tea"
    model.queue(
        reply(
            operations=[
                {"op": "UPDATE", "text": new, "target": 1, "evidence": [1]},
                {"op": "DELETE", "target": 1, "evidence": [1]},
                add(new),
            ]
        )
    )
    talks.hold("Remember that I drink green tea now, not just any tea.", "Noted.")
    read()
    with workspace_scope(alice.workspace):
        assert Fact.objects.filter(text=new).current().count() == 1


@pytest.mark.parametrize(
    "written", ["2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+08:00", "last spring"]
)
def test_dates_without_a_zone_and_words_for_a_date(alice, talks, model, read, written):
    """BC-152: a date is a day whatever zone is written beside it; words for one stay words."""
    model.queue(reply(operations=[add("User moved house last spring", event_date=written)]))
    talks.hold("Remember that I moved house last spring.", "Noted.")
    assert len(read()) == 1
    assert talks.facts == ["User moved house last spring"]
