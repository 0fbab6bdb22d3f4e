"""Bullets of memory files are facts: with owner and section, never doubled, never reviving what has gone."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryapp.actions.facts import update_fact
from memoryapp.actions.forget import forget_fact, purge_forgetting
from memoryapp.jobs import drain, tick
from memoryapp.lifecycle.projected_lines import category_of
from memoryapp.lifecycle.projection import project_agent
from memoryapp.models import Event, Fact, FactSource
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules


@pytest.fixture(autouse=True)
def offline():
    with offline_rules():
        yield


@pytest.fixture
def mine(alice):
    return Memory(alice)


def project(memory):
    return project_agent(memory.person.workspace, memory.person.agent).as_json()


def links(memory, text):
    with workspace_scope(memory.person.workspace):
        rows = FactSource.objects.filter(fact__text=text, message=None, **memory.bucket.rows)
        return [(row.path, row.section.heading if row.section else None) for row in rows]


def test_bullets_become_facts_of_the_files_owner_linked_to_their_section(alice, mine):
    mine.write(
        "MEMORY.md",
        "# Memory\n\nSome prose.\n\n## Projects\n\n- **Kestrel**: late\n1. Boat is `ready`\n"
        "- [x] Paint the hull\n\n```\n- not a fact\n```\n- …\n",
    )
    assert project(mine) == {
        "created": 3,
        "linked": 0,
        "revived": 0,
        "superseded": 0,
        "retired": 0,
        "refused": 0,
    }
    assert mine.facts == ["Boat is ready", "Kestrel: late", "Paint the hull"]
    fact = mine.fact("Kestrel: late")
    assert (fact.origin, fact.category, fact.scope, fact.owner_key, fact.attributed_to) == (
        "projection", "project", "PERSONAL", alice.principal.owner_key, "agent",
    )  # fmt: skip
    assert links(mine, "Kestrel: late") == [("MEMORY.md", "Projects")]
    assert project(mine)["created"] == 0


def test_shared_files_become_shared_facts(alice):
    shared = Memory(alice, shared=True)
    shared.write("MEMORY.md", "- Office plants need water\n", person=True)
    project(shared)
    fact = shared.fact("Office plants need water")
    assert (fact.scope, fact.owner_key, fact.attributed_to) == ("TEAM", "", "user")
    assert Memory(alice).facts == []


@pytest.mark.parametrize("known", ["Likes tea", "User loves tea."])
def test_a_fact_that_already_says_it_is_linked_not_doubled(mine, known):
    mine.know(known, category="preference")
    mine.write("PROFILE.md", "## Preferences\n\n- Likes tea\n")
    assert project(mine)["linked"] == 1
    assert mine.facts == [known]
    assert links(mine, known) == [("PROFILE.md", "Preferences")]
    assert project(mine)["linked"] == 0


def test_a_line_that_goes_takes_its_own_fact_along_and_brings_it_back(mine):
    mine.write("MEMORY.md", "- Runs\n- Swims\n")
    project(mine)
    mine.write("MEMORY.md", "- Swims\n")
    assert project(mine)["retired"] == 1
    assert mine.facts == ["Swims"]
    mine.write("MEMORY.md", "- Swims\n- Runs\n")
    assert project(mine)["revived"] == 1
    assert mine.facts == ["Runs", "Swims"]
    mine.write("MEMORY.md", "# Memory\n")
    assert project(mine)["retired"] == 2
    assert mine.facts == []


def test_a_line_that_goes_leaves_what_others_said_too(mine):
    mine.know("Runs every day")
    mine.write("MEMORY.md", "- Runs every day\n")
    project(mine)
    mine.write("MEMORY.md", "# Memory\n")
    project(mine)
    assert (mine.facts, links(mine, "Runs every day")) == (["Runs every day"], [])


def test_a_rewritten_key_supersedes_the_old_value(mine):
    mine.write("MEMORY.md", "## Setup\n- **Editor**: vim\n- **Shell**: zsh\n")
    project(mine)
    mine.write("MEMORY.md", "## Setup\n- **Editor**: emacs\n- **Shell**: zsh\n")
    assert project(mine)["superseded"] == 1
    assert mine.facts == ["Editor: emacs", "Shell: zsh"]
    old = mine.fact("Editor: vim")
    assert old.superseded_by_id == mine.fact("Editor: emacs").pk


def test_a_fact_somebody_worked_on_stays_when_its_line_goes(alice, mine):
    mine.write("MEMORY.md", "- Runs\n")
    project(mine)
    update_fact(principal=alice.principal, fact=mine.fact("Runs"), text="Runs marathons")
    mine.write("MEMORY.md", "# Memory\n")
    project(mine)
    assert mine.facts == ["Runs marathons"]


def test_a_corrected_fact_is_corrected_in_its_file_and_never_comes_back_in_its_old_words(alice, mine):
    mine.write("MEMORY.md", "## Sport\n\n- Runs\n- **Swims** on Mondays\n\n```\n- Runs\n```\n")
    project(mine)
    update_fact(principal=alice.principal, fact=mine.fact("Runs"), text="Runs marathons")
    mine.write("MEMORY.md", mine.text() + "\n- Rows\n")
    project(mine)
    assert mine.facts == ["Rows", "Runs marathons", "Swims on Mondays"]
    assert "- Runs marathons\n- **Swims** on Mondays\n\n```\n- Runs\n```\n" in mine.text()
    assert links(mine, "Runs marathons") == [("MEMORY.md", "Sport")]


def test_a_fact_behind_a_check_box_is_corrected_there(alice, call, mine):
    mine.write("MEMORY.md", "## Goals\n\n1. [x] **Runs** a marathon <!-- since May -->\n")
    project(mine)
    fact = mine.fact("Runs a marathon")
    call(alice, "PATCH", f"/memory/juno/facts/{fact.pk}", {"text": "Walks a marathon"})
    assert "1. [x] Walks a marathon <!-- since May -->\n" in mine.text()
    project(mine)
    assert mine.facts == ["Walks a marathon"]


@pytest.mark.parametrize("fate", ["superseded", "expired", "forgotten", "purged"])
def test_what_has_gone_is_not_revived_by_a_line_that_still_says_it(alice, mine, fate):
    """BC-148"""
    fact = mine.know("The sprint ends on Friday", category="project")
    if fate == "superseded":
        update_fact(principal=alice.principal, fact=fact, status="superseded")
    if fate in {"forgotten", "purged"}:
        act = forget_fact(principal=alice.principal, fact=fact)
    if fate == "purged":
        purge_forgetting(principal=alice.principal, forgetting_id=act.pk)
    with time_machine.travel(timezone.now() + timedelta(days=100 if fate == "expired" else 0)):
        mine.write("MEMORY.md", "- The sprint ends on Friday\n- Runs\n")
        project(mine)
        assert mine.facts == ["Runs"]


def test_a_person_who_writes_it_by_hand_again_means_it(alice, mine):
    forget_fact(principal=alice.principal, fact=mine.know("Likes nuts"))
    mine.write("MEMORY.md", "- Likes nuts\n", person=True)
    project(mine)
    assert mine.facts == ["Likes nuts"]


@pytest.fixture
def work(django_capture_on_commit_callbacks):
    @contextmanager
    def writing():
        with django_capture_on_commit_callbacks(execute=True):
            yield
        drain()

    return writing


def test_every_write_of_such_a_file_projects_it(mine, work, settings):
    with work():
        mine.write("MEMORY.md", "- Runs\n")
        mine.note(date(2026, 7, 19), "Swims")
    assert mine.facts == ["Runs"]
    settings.MEMORY_FACT_PROJECTION_ENABLED = False
    with work():
        mine.write("MEMORY.md", "- Runs\n- Rows\n")
    assert mine.facts == ["Runs"]


def test_the_half_hourly_round_picks_up_what_changed_and_costs_nothing_otherwise(mine):
    mine.write("MEMORY.md", "- Runs\n")
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        tick()
        drain()
        assert mine.facts == ["Runs"]
        assert Event.objects.get(kind="projection").result["created"] == 1
    with time_machine.travel(timezone.now() + timedelta(minutes=62)):
        tick()
        assert Event.objects.filter(kind="projection").count() == 1


@pytest.mark.parametrize(
    ("heading", "category"),
    [
        ("Preferences", "preference"),
        ("规则", "rule"),
        ("My projects", "project"),
        ("Family", "relationship"),
        ("X", ""),
    ],
)
def test_the_heading_tells_the_category(heading, category):
    assert category_of(heading) == category


def test_nothing_of_one_owner_is_projected_into_anothers_memory(alice, bob, mine):
    mine.write("MEMORY.md", "- Mine alone\n")
    Memory(bob).write("MEMORY.md", "- Theirs alone\n")
    project(mine)
    with workspace_scope(alice.workspace):
        owners = {fact.text: fact.owner_key for fact in Fact.objects.all()}
    assert owners == {"Mine alone": alice.principal.owner_key, "Theirs alone": bob.principal.owner_key}
