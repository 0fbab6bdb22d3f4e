"""Nights in the dashboard: the timeline, one night with its changes, what may come next, and when."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.jobs import drain
from memoryapp.models import Dream, DreamEntry, Event, Fact, Schedule
from tenants.models import Profile
from tenants.scoping import workspace_scope
from tests.dashboard.conftest import Pages
from tests.dashboard.nights import LINE, lived_night
from tests.lifecycle.nights import Memory, offline_rules

# How the morning card tells a line.
ITEM = f'<p class="dense" dir="auto">{LINE}</p>'


@pytest.fixture
def night(alice):
    return lived_night(alice)


def text(pages, path):
    return pages.client.get(pages.agent(path)).content.decode()


def post(pages, path, **fields):
    return pages.client.post(pages.agent(path), fields, follow=True).content.decode()


def entry_path(night):
    return f"dreams/{night.dream.pk}/{night.entry.pk}/"


def test_a_night_tells_what_it_changed_and_what_each_change_rests_on(pages, night):
    html = text(pages, "dreams/")
    assert "Dream of" in html
    assert f"- {LINE}" in html
    assert "<mark>Oat milk with every coffee</mark>" in html, "the words of the message that said it"
    assert "Named on 3 of 7 days." in html
    assert f"memory/{timezone.localdate()}.md" in html
    assert "A walk by the harbour" in html
    assert "Too few recalls" in html
    assert "Parts of the score" in html


def test_one_can_follow_a_line_from_its_file_to_the_night_the_fact_and_the_message(pages, night, alice):
    html = text(pages, "files/why/personal/MEMORY.md")
    report = pages.agent(f"dreams/{night.dream.pk}/#entry-{night.entry.pk}")
    assert report in html
    assert pages.agent("facts/") + f"?open={night.fact.pk}" in html
    with workspace_scope(alice.workspace):
        message = night.fact.sources.get().message
    assert pages.agent(f"playground/{message.conversation_id}/#m{message.number}") in html
    assert f'id="entry-{night.entry.pk}"' in pages.client.get(report.partition("#")[0]).content.decode()
    assert "/files/why/personal/MEMORY.md" in text(pages, "files/personal/MEMORY.md")


def test_a_line_somebody_wrote_says_who(pages, alice):
    Memory(alice).write("PROFILE.md", "# Profile\n\n- Plays chess\n", person=True)
    html = text(pages, "files/why/personal/PROFILE.md")
    assert "Plays chess" in html
    assert "Written by you" in html


def test_dreaming_now_is_a_job_one_can_watch(pages, alice):
    for back in range(3):
        Memory(alice).note(timezone.localdate() - timedelta(days=back), LINE)
    html = post(pages, "dreams/start/", do="now")
    assert "waiting for the worker" in html
    event = Event.objects.get(kind="dream")
    assert f"dreams/progress/{event.pk}/" in html
    with offline_rules():
        drain()
    assert "The dream is over." in text(pages, f"dreams/?job={event.pk}")
    part = pages.client.get(pages.agent(f"dreams/progress/{event.pk}/"), headers={"HX-Request": "true"})
    assert part.headers["HX-Refresh"] == "true"
    assert LINE in Memory(alice).text()


def test_a_dry_run_of_one_topic_changes_nothing(pages, alice):
    for back in range(3):
        Memory(alice).note(timezone.localdate() - timedelta(days=back), LINE, "Runs by the river")
    post(pages, "dreams/start/", do="dry", topic="coffee")
    event = Event.objects.get(kind="dream")
    with offline_rules():
        drain()
    assert LINE not in Memory(alice).text()
    assert "nothing was changed" in text(pages, f"dreams/?job={event.pk}")
    with workspace_scope(alice.workspace):
        dream = Dream.objects.get(dry_run=True, scope="PERSONAL")
        told = [entry.after for entry in dream.entries.all()]
    html = text(pages, f"dreams/{dream.pk}/")
    assert "A dry run: nothing was changed." in html
    assert "Revert" not in html
    assert any(LINE in after for after in told)
    assert not any("river" in after for after in told)


def test_a_change_is_reverted_once(pages, night, alice):
    assert LINE in Memory(alice).text()
    assert "Taken back." in post(pages, entry_path(night), do="revert")
    assert LINE not in Memory(alice).text()
    assert "taken back" in text(pages, f"dreams/{night.dream.pk}/")
    assert "taken back already" in post(pages, entry_path(night), do="revert")


def test_a_change_is_confirmed_edited_or_forgotten_and_brought_back(pages, night, alice):
    assert "Confirmed" in post(pages, entry_path(night), do="confirm")
    post(pages, entry_path(night), do="edit", text="Oat milk, in every coffee")
    assert "- Oat milk, in every coffee" in Memory(alice).text()
    html = post(pages, entry_path(night), do="forget")
    assert "Forgotten everywhere" in html
    assert "Oat milk" not in Memory(alice).text()
    with workspace_scope(alice.workspace):
        fact = Fact.objects.filter(status="forgotten").first()
    post(pages, f"facts/remember/?fact={fact.pk}")
    assert "Oat milk" in Memory(alice).text()


def test_pressing_twice_counts_once_and_forgetting_wins(pages, night, alice):
    """A double click, thumbs pressed over and over, and confirming what was forgotten: the last true state holds."""
    for _ in range(2):
        post(pages, entry_path(night), do="confirm")
    for _ in range(5):
        post(pages, f"facts/{night.fact.pk}/judge/", kind="helpful")
    with workspace_scope(alice.workspace):
        fact = Fact.objects.get(pk=night.fact.pk)
        assert fact.helpful_count <= 1
        assert 0 <= fact.trust <= 1
    post(pages, entry_path(night), do="forget")
    post(pages, entry_path(night), do="confirm")
    assert LINE not in Memory(alice).text()
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(pk=night.fact.pk).status == Fact.Status.FORGOTTEN
    assert ITEM not in text(pages, "playground/card/")


def test_a_night_that_would_remove_much_waits_for_a_yes(pages, night, alice):
    with workspace_scope(alice.workspace):
        Dream.objects.filter(pk=night.dream.pk).update(status="proposed")
        DreamEntry.objects.filter(pk=night.entry.pk).update(after="- Something else", heading="## Recurring")
    assert "somebody has to approve it" in text(pages, f"dreams/{night.dream.pk}/")
    assert "Applied" in post(pages, f"dreams/{night.dream.pk}/decide/", do="accept")
    assert "Something else" in Memory(alice).text()
    assert "not waiting for a decision" in post(pages, f"dreams/{night.dream.pk}/decide/", do="decline")


def test_candidates_say_their_score_and_the_gate_that_stops_them(pages, alice):
    memory, today = Memory(alice), timezone.localdate()
    for back in range(3):
        memory.note(today - timedelta(days=back), LINE)
    for back in range(2):
        memory.note(today - timedelta(days=back), "A walk by the harbour")
    html = text(pages, "dreams/candidates/")
    assert html.index(LINE) < html.index("Stopped by a gate") < html.index("A walk by the harbour")
    assert "Too few recalls" in html
    assert "0 of 3 recalls" in html
    assert "Freshness" in html
    team = text(pages, "dreams/candidates/?of=team")
    assert LINE not in team
    assert "Nothing passes every gate at the moment." in team


def test_the_schedule_is_told_in_the_readers_zone_and_can_be_changed(pages, alice):
    Profile.objects.create(user=alice.user, time_zone="Asia/Tokyo")
    assert "Next runs in Asia/Tokyo" in text(pages, "dreams/schedule/")
    assert "12:00" in text(pages, "dreams/schedule/"), "03:00 UTC is noon in Tokyo"
    post(pages, "dreams/schedule/dream/", do="off")
    assert not Schedule.objects.get(kind="dream", agent=alice.agent).enabled
    assert "five fields" in post(pages, "dreams/schedule/dream/", cron="at night")
    post(pages, "dreams/schedule/dream/", cron="15 4 * * *", do="on")
    schedule = Schedule.objects.get(kind="dream", agent=alice.agent)
    assert (schedule.enabled, schedule.cron) == (True, "15 4 * * *")


def test_an_archived_month_can_be_read(pages, night):
    html = text(pages, "dreams/archives/2026-01/")
    assert "- Rides a bicycle" in html
    assert "1 report, archived" in html
    assert pages.client.get(pages.agent("dreams/archives/2025-01/")).status_code == 404


def test_a_viewer_reads_but_starts_nothing(vera, night):
    pages = Pages(vera)
    assert "Dream now" not in text(pages, "dreams/")
    assert pages.client.post(pages.agent("dreams/start/")).status_code == 403
    assert pages.client.get(pages.agent(f"dreams/{night.dream.pk}/")).status_code == 404, "alice's own"


def test_a_colleague_sees_no_night_that_is_personal(bob, night):
    pages = Pages(bob)
    assert LINE not in text(pages, "dreams/")
    assert pages.client.post(pages.agent(entry_path(night)), {"do": "revert"}).status_code == 404


def test_the_foot_of_the_column_tells_the_next_dream(pages, alice):
    assert re.search(r"Next dream <time [^>]*>03:00</time>", text(pages, "overview/"))


def test_the_morning_card_stands_above_the_talk_until_it_is_put_away(pages, night, alice):
    assert pages.agent("playground/card/") in text(pages, "playground/?new=1")
    html = text(pages, "playground/card/")
    assert "Since you were last here" in html
    assert ITEM in html
    assert "1 contradiction waits" in html
    page = pages.agent("playground/card/")
    html = post(pages, entry_path(night), do="confirm", next=page)
    assert ITEM not in html, "judged items leave the card"
    assert "1 contradiction waits" in html
    post(pages, "playground/card/seen/")
    assert "Number 0" not in text(pages, "playground/card/")
