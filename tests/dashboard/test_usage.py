"""What a workspace used: counted by the job from what is kept anyway, shown to admins by day."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import time_machine
from django.utils import timezone

from memoryapp.actions.conversations import add_message
from memoryapp.jobs import drain, tick
from memoryapp.lifecycle.usage import count_day, count_usage
from memoryapp.models import Conversation, Event, Extraction, Schedule, UsageDay
from tenants.actions import update_workspace
from tenants.models import Workspace
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages

REFUSED = [{"text": "", "gate": gate, "reason": ""} for gate in ("form", "form", "safe")]


def use_something(alice: Person, conversation: Conversation) -> None:
    """One answer of 120 tokens, and a reading of 50 that refuses three more."""
    add_message(
        principal=alice.principal,
        conversation=conversation,
        role="assistant",
        text="Noted.",
        detail={"usage": {"promptTokens": 100, "completionTokens": 20, "totalTokens": 120}},
    )
    with workspace_scope(alice.workspace):
        read = Extraction.objects.get()
        Extraction.objects.create(
            workspace=alice.workspace,
            agent=alice.agent,
            owner_key=read.owner_key,
            scope=read.scope,
            conversation=conversation,
            first_number=3,
            last_number=3,
            status=Extraction.Status.NO_UPDATE,
            refused=REFUSED,
            usage={"promptTokens": 40, "completionTokens": 10},
        )


def today(workspace: Workspace) -> UsageDay:
    with workspace_scope(workspace):
        return UsageDay.objects.get(day=timezone.now().astimezone(workspace.zone).date())


def test_a_day_is_counted_by_the_job_and_shown(
    pages: Pages, alice: Person, conversation: Conversation
) -> None:
    use_something(alice, conversation)
    assert "Nothing has been counted yet" in pages.client.get(pages.workspace("usage/")).content.decode()
    pages.client.post(pages.workspace("usage/count/"))
    drain()

    day = today(alice.workspace)
    assert (day.messages, day.answers, day.answer_tokens) == (3, 1, 120)
    assert (day.readings, day.reading_tokens, day.kept) == (2, 50, 1)
    assert day.refused == {"utility": 1, "form": 2, "safe": 1}
    assert (day.stored_facts, day.stored_messages, day.stored_files) == (1, 3, 4)

    html = pages.client.get(pages.workspace("usage/")).content.decode()
    assert "80 %" in html
    assert "4 refused, 1 kept" in html
    assert 'aria-label="Tokens by day' in html
    assert "170" in html
    assert "style=" not in html
    assert pages.client.get(pages.workspace("usage/?days=nonsense")).status_code == 200
    assert 'aria-current="true">7 days' in pages.client.get(pages.workspace("usage/?days=7")).content.decode()


def test_a_page_that_is_looked_at_has_what_is_new_counted(
    pages: Pages, alice: Person, conversation: Conversation
) -> None:
    count = pages.workspace("usage/count/")
    assert (
        f'hx-post="{count}" hx-trigger="load"' in pages.client.get(pages.workspace("usage/")).content.decode()
    )
    part = {"HX-Request": "true", "HX-Target": "counting"}
    assert "Being counted now" in pages.client.post(count, headers=part).content.decode()
    asked = pages.workspace("usage/?since=&asked=")
    assert "every 2s" in pages.client.get(f"{asked}3", headers=part).content.decode()
    assert "every 2s" not in pages.client.get(f"{asked}14", headers=part).content.decode()
    drain()
    assert pages.client.get(f"{asked}3", headers=part).headers["HX-Refresh"] == "true"
    assert "hx-post" not in pages.client.get(pages.workspace("usage/")).content.decode()


def test_counting_again_changes_nothing(alice: Person, conversation: Conversation) -> None:
    use_something(alice, conversation)
    assert count_usage(alice.workspace) == 30
    before = today(alice.workspace)
    assert count_usage(alice.workspace) == 1
    after = today(alice.workspace)
    assert (before.tokens, before.kept, before.refused) == (after.tokens, after.kept, after.refused)


def test_a_day_is_the_workspaces_own(alice: Person, conversation: Conversation) -> None:
    workspace = update_workspace(principal=alice.principal, time_zone="Pacific/Kiritimati")
    late = timezone.now().astimezone(ZoneInfo("Pacific/Kiritimati"))
    with workspace_scope(workspace):
        assert count_day(workspace, late.date()).messages == 2
        assert count_day(workspace, late.date() - timedelta(days=1)).messages == 0


def test_it_is_counted_every_hour_but_not_for_nothing(alice: Person, conversation: Conversation) -> None:
    def counts() -> int:
        return Event.objects.filter(kind="usage", workspace=alice.workspace).count()

    start = timezone.now().replace(minute=51)
    with time_machine.travel(start, tick=False) as clock:
        clock.shift(timedelta(hours=1))
        tick()
        assert counts() == 1
        drain()
        clock.shift(timedelta(hours=1))
        tick()
        assert counts() == 1
        Schedule.objects.filter(kind="usage").update(last_run=start - timedelta(hours=2))
        clock.shift(timedelta(hours=1))
        tick()
        assert counts() == 2


def test_a_strangers_days_are_not_shown(pages: Pages, stranger: Pages, conversation: Conversation) -> None:
    count_usage(pages.person.workspace)
    html = stranger.client.get(stranger.workspace("usage/")).content.decode()
    assert "Nothing has been counted yet" in html
