"""What takes a hand on the page: building a filter, selecting words, dragging a file."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from memoryapp.models import Conversation, Fact, Owner
from tenants.scoping import workspace_scope
from tests.browser.conftest import Visitor
from tests.conftest import Person
from tests.dashboard.conftest import conversation, fact  # noqa: F401  fixtures


def test_the_builder_writes_the_filter_and_reads_it_back(
    visit: Callable[..., Visitor],
    alice: Person,
    fact: Fact,  # noqa: F811
) -> None:
    page = visit(alice).page
    page.goto("/w/harbour/a/juno/recall/")
    page.get_by_text("Filter and limits").click()
    page.get_by_role("button", name="Condition").click()
    page.get_by_label("Field").select_option("categories")
    page.get_by_label("Comparison").select_option("in")
    page.locator("[data-value]").fill("preference, rule")
    page.get_by_role("button", name="Condition", exact=True).click()
    page.get_by_label("Field").nth(1).select_option("metadata")
    page.get_by_label("Key of the metadata").nth(1).fill("order.total")
    page.get_by_label("Comparison").nth(1).select_option("gte")
    page.locator("[data-value]").nth(1).fill("100")
    page.get_by_label("Any of").check()
    written = json.loads(page.get_by_label("As JSON").input_value())
    assert written == {
        "OR": [
            {"categories": {"in": ["preference", "rule"]}},
            {"metadata": {"order.total": {"gte": 100}}},
        ]
    }
    page.get_by_label("Question").fill("monday summary")
    page.get_by_role("button", name="Recall").click()
    page.get_by_role("heading", name="Result").wait_for()
    assert page.get_by_label("Any of").is_checked()
    assert page.locator("[data-value]").nth(0).input_value() == "preference, rule"
    page.get_by_role("button", name="Remove this condition").nth(1).click()
    assert json.loads(page.get_by_label("As JSON").input_value()) == written["OR"][0]
    page.get_by_label("As JSON").fill('{"NOT": {"OR": [{"pinned": true}]}}')
    page.get_by_text("too complex for a list").wait_for()
    page.get_by_label("As JSON").fill('{"pinned": true, "created_at": {"gte": "2026-01-01"}}')
    assert page.locator(".condition").count() == 2


@pytest.mark.long
def test_selected_words_show_what_they_became(
    visit: Callable[..., Visitor],
    alice: Person,
    conversation: Conversation,  # noqa: F811
) -> None:
    with workspace_scope(alice.workspace):
        owner = Owner.objects.get(owner_key=alice.principal.owner_key)
    page = visit(alice).page
    page.goto(f"/w/harbour/people/{owner.pk}/?tab=conversations&c={conversation.pk}")
    page.locator("[data-at]").first.dblclick(position={"x": 20, "y": 10})
    page.get_by_text("These words became no fact.").wait_for()
    page.locator("a.mark").first.click()
    page.wait_for_url("**fact=*")
    assert page.locator(".mark.chosen").inner_text() == "Just send me one summary on Monday"
    page.get_by_text("Alice wants one summary on Monday.").first.wait_for()


@pytest.mark.long
def test_a_file_is_dragged_to_its_place_in_the_prompt(visit: Callable[..., Visitor], alice: Person) -> None:
    page = visit(alice).page
    page.goto("/w/harbour/a/juno/files/")
    page.drag_and_drop(
        '[data-movable="MEMORY.md"]', '[data-movable="AGENTS.md"]', target_position={"x": 60, "y": 3}
    )
    page.wait_for_load_state("networkidle")
    names = page.locator("[data-order] [data-movable]").evaluate_all(
        "rows => rows.map(row => row.dataset.movable)"
    )
    assert names == ["MEMORY.md", "AGENTS.md", "SOUL.md", "PROFILE.md"]
