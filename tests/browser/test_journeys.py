"""What people come to do, from the sign-in on, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.jobs import drain
from tests.browser.conftest import Visitor
from tests.conftest import Person

SAID = (
    "My name is Alice Moor and I run operations in Rotterdam.",
    "Please send me one summary on Monday at eight, because I read it on the train.",
    "From now on always answer in short sentences.",
)
PAYLOAD = "<img src=x onerror=window.__x=1>"


def say(page: Page, text: str) -> None:
    """Write, send with Enter, and wait until the reply has ended."""
    # The script is there once the page has loaded; nobody types sooner.
    page.wait_for_load_state("load")
    replies = page.locator(".message.assistant").count()
    page.get_by_label("Message to Juno").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator(".message.assistant")).to_have_count(replies + 1)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()


def test_a_newcomer_talks_and_sees_what_was_kept(visit: Callable[..., Visitor], alice: Person) -> None:
    visitor = visit(alice)
    page = visitor.page
    expect(page.get_by_role("main").get_by_role("heading", level=2).first).to_contain_text(
        "does not know you yet"
    )
    page.get_by_role("link", name="Open playground").click()
    for text in SAID:
        say(page, text)
    expect(page).to_have_url(re.compile(r"\?c=[0-9a-f-]{36}$"))
    expect(page.locator(".message.user .said").first).to_have_text(SAID[0])
    drain()
    page.reload()
    kept = page.locator(".kept .op.add")
    expect(kept.first).to_be_visible()
    page.locator(".kept a").first.click()
    expect(page.locator("tbody.open mark").first).to_be_visible()
    assert visitor.complaints == []


def test_what_is_known_is_used_in_a_new_conversation(visit: Callable[..., Visitor], alice: Person) -> None:
    text = "Alice wants one summary on Monday at 08:00."
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=text, category="preference"))
    page = visit(alice).page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/playground/?new=1")
    say(page, "When do I want the summary?")
    expect(page.locator(".recalled")).to_contain_text(text)
    expect(page.locator(".message.assistant").last).to_contain_text("Monday")


def test_the_whole_works_without_script(visit: Callable[..., Visitor], alice: Person) -> None:
    page = visit(alice, script=False).page
    page.get_by_role("link", name="Open playground").click()
    page.get_by_label("Message to Juno").fill(SAID[1])
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator(".message.user .said")).to_have_text(SAID[1])
    expect(page.locator(".message.assistant .prose")).not_to_be_empty()
    page.get_by_role("navigation", name="Agent").get_by_role("link", name="Facts").click()
    page.get_by_role("link", name="Add a fact").first.click()
    page.get_by_label("Fact", exact=True).fill("Deliveries end at noon.")
    page.get_by_role("button", name="Add fact").click()
    expect(page.locator("tbody.open")).to_contain_text("Deliveries end at noon.")
    page.get_by_role("button", name="Pinned").click()
    expect(page.get_by_role("button", name="Pinned")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Forget…").click()
    page.get_by_role("button", name="Forget everywhere").click()
    expect(page.locator(".toast")).to_contain_text("1 fact forgotten")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tbody.fact")).to_contain_text("Deliveries end at noon.")


def test_a_fact_is_found_opened_corrected_and_taken_back(
    visit: Callable[..., Visitor], alice: Person
) -> None:
    for number in range(3):
        add_fact(
            principal=alice.principal,
            agent=alice.agent,
            new=NewFact(text=f"Report number {number} is due on Friday."),
        )
    fact = NewFact(text="The Antwerp feeder closes at 11:30 on Monday.", category="rule")
    add_fact(principal=alice.principal, agent=alice.agent, new=fact)
    visitor = visit(alice)
    page = visitor.page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/facts/")
    page.get_by_label("Search facts").fill("antwerp feeder")
    expect(page).to_have_url(re.compile("q=antwerp"))
    expect(page.locator("tbody.fact").first).to_contain_text("Antwerp")
    page.locator("tbody.fact a[data-open]").first.click()
    expect(page.get_by_role("heading", name="Where this comes from")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.locator("textarea[name=text]").fill("The Antwerp feeder closes at 12:00 on Monday.")
    page.get_by_role("button", name="Save fact").click()
    expect(page.locator("tbody.open .words")).to_contain_text("12:00")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tbody.open .words")).to_contain_text("11:30")
    assert visitor.complaints == []


def test_forgetting_asks_in_a_dialog_whose_safe_button_has_the_focus(
    visit: Callable[..., Visitor], alice: Person
) -> None:
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text="To be forgotten."))
    page = visit(alice).page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/facts/")
    opener = page.get_by_role("link", name="Forget…")
    opener.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Forget this everywhere?")
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


def test_files_are_edited_with_numbers_preview_and_ctrl_s(
    visit: Callable[..., Visitor], alice: Person
) -> None:
    visitor = visit(alice)
    page = visitor.page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/files/shared/MEMORY.md")
    page.get_by_role("link", name="Split").click()
    page.get_by_label("Text of MEMORY.md").fill("# Memory\n\n- one\n- two\n")
    expect(page.locator(".lines div")).to_have_count(5)
    expect(page.locator("#file-preview li")).to_have_count(2)
    expect(page.get_by_text("edited", exact=True)).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.locator(".toast")).to_contain_text("Saved.")
    assert visitor.complaints == []


def test_the_keyboard_goes_everywhere(visit: Callable[..., Visitor], alice: Person) -> None:
    for name in ("first", "second"):
        add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=f"The {name} fact."))
    page = visit(alice).page
    page.keyboard.press("g")
    page.keyboard.press("f")
    page.wait_for_url("**/facts/")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("tbody.open")).to_contain_text("The first fact.")
    page.keyboard.press("p")
    expect(page.locator("tbody.open").get_by_role("button", name="Pinned")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("/")
    palette = page.get_by_role("dialog", name="Search and go to")
    expect(palette.get_by_role("combobox")).to_be_focused()
    palette.get_by_role("combobox").fill("first fact")
    expect(palette.get_by_role("option").first).to_contain_text("The first fact.")
    expect(palette.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    palette.get_by_role("combobox").fill("people")
    palette.get_by_role("option", name="People").click()
    page.wait_for_url("**/people/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()


def test_a_token_can_be_copied_and_is_gone_after(visit: Callable[..., Visitor], alice: Person) -> None:
    page = visit(alice).page
    page.goto(f"/w/{alice.workspace.slug}/settings/access/")
    page.get_by_label("Name", exact=True).fill("Booking site")
    page.get_by_role("button", name="Create token").click()
    plain = page.get_by_label("The new token").input_value()
    assert len(plain) > 30
    page.goto(f"/w/{alice.workspace.slug}/settings/access/")
    assert plain not in page.content()


@pytest.mark.parametrize("width", ["phone", "desk"])
def test_the_theme_is_chosen_and_stays(visit: Callable[..., Visitor], alice: Person, width: str) -> None:
    page = visit(alice, width=width).page
    if width == "phone":
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Theme and sign out").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_what_people_write_never_runs(visit: Callable[..., Visitor], alice: Person) -> None:
    add_fact(
        principal=alice.principal, agent=alice.agent, new=NewFact(text=f"Known {PAYLOAD}", category=PAYLOAD)
    )
    page = visit(alice).page
    page.goto(f"/w/{alice.workspace.slug}/a/juno/playground/?new=1")
    say(page, f"Remember {PAYLOAD} please, it matters")
    expect(page.locator(".message.user .said").last).to_contain_text(PAYLOAD)
    page.goto(f"/w/{alice.workspace.slug}/a/juno/facts/")
    expect(page.locator("tbody.fact").first).to_contain_text("<img")
    page.goto(f"/w/{alice.workspace.slug}/a/juno/files/shared/MEMORY.md?view=split")
    page.get_by_label("Text of MEMORY.md").fill(f"# {PAYLOAD}\n")
    expect(page.locator("#file-preview")).to_contain_text("<img")
    assert page.evaluate("window.__x") is None
