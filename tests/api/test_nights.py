"""The night over the wire: dreams and their entries, forgetting, contradictions, reviews, times, the morning card."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.soul import store_proposal
from memoryapp.jobs import drain
from memoryapp.lifecycle.archiving import archive_agent
from memoryapp.lifecycle.comparison import compare_new_facts
from memoryapp.models import Dream
from tenants.scoping import workspace_scope
from tests.lifecycle.nights import Memory, offline_rules

BASE = "/memory/juno"


@pytest.fixture(autouse=True)
def offline():
    with offline_rules():
        yield


@pytest.fixture
def mine(alice):
    return Memory(alice)


@pytest.fixture
def ask(call, alice):
    """Call the API as alice and give the body of what must be a success."""

    def ask(method, path, body=None, status=200):
        answer = call(alice, method, BASE + path, body)
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    return ask


def dreamt(mine, ask):
    today = mine.bucket.today()
    for back in range(3):
        mine.note(today - timedelta(days=back), "Oat milk with every coffee")
    ask("POST", "/emergence?wait=true", {})
    (report,) = [row for row in ask("GET", "/dream/reports")["results"] if row["scope"] == "PERSONAL"]
    return ask("GET", f"/dream/reports/{report['id']}")


def test_a_dream_at_once_and_its_report(mine, ask):
    report = dreamt(mine, ask)
    (entry,) = report["entries"]
    assert (report["status"], report["kind"], report["statistics"]["promoted"]) == ("succeeded", "manual", 1)
    assert (entry["operation"], entry["after"], entry["reason"]) == (
        "add",
        "- Oat milk with every coffee",
        "named on 3 of 7 days",
    )
    assert "Oat milk" in report["diary"]


def test_a_dream_as_a_job(mine, ask, call, alice):
    mine.note(mine.bucket.today(), "Oat milk")
    event_id = ask("POST", "/emergence", {"dryRun": True}, 202)["eventId"]
    drain()
    event = call(alice, "GET", f"/events/{event_id}").json()
    assert event["status"] == "SUCCEEDED"
    assert [report["scope"] for report in event["result"]["reports"]] == ["TEAM", "PERSONAL"]
    assert ask("GET", "/dream/reports")["count"] == 0
    assert ask("GET", "/dream/reports?dryRun=true&status=skipped")["count"] == 2


def test_skipped_nights_do_not_fill_the_timeline(mine, ask):
    mine.note(mine.bucket.today(), "Had a headache")
    results = ask("POST", "/emergence?wait=true", {})["reports"]
    assert [row["status"] for row in results] == ["skipped", "skipped"]
    assert all(row["reason"] for row in results)
    assert ask("GET", "/dream/reports")["count"] == 0
    assert ask("GET", "/dream/reports?status=skipped")["count"] == 2


def test_only_admins_dream_for_everybody(call, alice, bob):
    assert call(bob, "POST", f"{BASE}/emergence", {"buckets": "all"}).status_code == 403
    assert call(alice, "POST", f"{BASE}/emergence", {"buckets": "all"}).status_code == 202
    assert call(alice, "POST", f"{BASE}/emergence", {"buckets": "some"}).status_code == 400


def test_what_is_switched_off_answers_409(call, alice, settings):
    settings.MEMORY_DREAM_FOCUSED_ENABLED = False
    answer = call(alice, "POST", f"{BASE}/dreaming/focused", {"topic": "tea"})
    assert (answer.status_code, answer.json()["code"]) == (409, "dreaming_disabled")
    assert call(alice, "POST", f"{BASE}/dreaming/focused", {"topic": "  "}).status_code == 400


def test_the_status_tells_when_and_of_what(mine, ask):
    mine.notes(mine.bucket.today(), "Kestrel is late", "Kestrel is late")
    status = ask("GET", "/dreaming/status")
    assert (status["enabled"], status["cron"], status["timeZone"], status["running"]) == (
        True,
        "0 3 * * *",
        "UTC",
        False,
    )
    assert status["nextRun"] > timezone.now().isoformat()
    assert [(miss["text"], miss["gate"]) for miss in status["nearMisses"]] == [("Kestrel is late", "recalls")]
    (candidate,) = ask("GET", "/dreaming/candidates")["results"]
    assert candidate["parts"].keys() == {"frequency", "recency", "diversity", "freshness", "velocity"}
    dreamt(mine, ask)
    status = ask("GET", "/dreaming/status")
    assert status["latestEntry"].startswith("## ")
    assert status["lastRun"] is not None


def test_entries_are_confirmed_edited_taken_back_and_forgotten(mine, ask, call, alice):
    report = dreamt(mine, ask)
    entry = f"/dream/reports/{report['id']}/entries/{report['entries'][0]['id']}"
    assert ask("POST", f"{entry}/confirm")["verdict"] == "confirmed"
    assert ask("POST", f"{entry}/edit", {"text": "Oat milk, never soy"})["after"] == "- Oat milk, never soy"
    assert ask("POST", f"{entry}/revert")["revertedAt"] is not None
    assert mine.text().strip().endswith("## Recurring")
    again = call(alice, "POST", f"{BASE}{entry}/revert")
    assert (again.status_code, again.json()["code"]) == (409, "already_reverted")
    assert ask("POST", f"{entry}/forget")["success"] is True


def test_forgetting_a_fact_lists_each_place_and_can_be_undone(mine, ask, call, alice, bob):
    """BC-149"""
    fact = mine.know("Mira is allergic to nuts")
    mine.write("MEMORY.md", "- Mira is allergic to nuts\n")
    mine.note(mine.bucket.today(), "Mira is allergic to nuts")
    theirs = add_fact(principal=bob.principal, agent=bob.agent, new=NewFact(text="Theirs")).fact
    receipt = ask("POST", f"/facts/{fact.pk}/forget")
    assert receipt["success"] is True
    places = {row["place"]: row["count"] for row in receipt["removed"]}
    assert places.keys() >= {"facts", "MEMORY.md", f"memory/{mine.bucket.today()}.md"}
    assert ask("POST", "/facts/search", {"query": "nuts allergic"})["results"] == []
    assert ask("GET", "/facts")["count"] == 0
    assert mine.text() == ""
    for foreign in (theirs.pk, "01a00000-0000-7000-8000-000000000000"):
        for action in ("forget", "undo-forget"):
            assert call(alice, "POST", f"{BASE}/facts/{foreign}/{action}").status_code == 404
    assert ask("POST", f"/facts/{fact.pk}/undo-forget")["undoneAt"] is not None
    assert mine.text() == "- Mira is allergic to nuts\n"


def test_contradictions_are_listed_decided_and_reopened(mine, ask, call, alice):
    mine.know("User lives in Lyon", said_at=timezone.now() - timedelta(days=2))
    mine.know("User lives in Porto")
    compare_new_facts(mine.bucket)
    (pair,) = ask("GET", "/contradictions")["results"]
    assert (pair["factA"]["text"], pair["factB"]["text"]) == ("User lives in Lyon", "User lives in Porto")
    assert (
        ask("POST", f"/contradictions/{pair['id']}/resolve", {"resolution": "KEEP_A"})["resolution"]
        == "KEEP_A"
    )
    again = call(alice, "POST", f"{BASE}/contradictions/{pair['id']}/resolve", {"resolution": "KEEP_B"})
    assert again.status_code == 409
    assert (
        call(alice, "POST", f"{BASE}/contradictions/{pair['id']}/resolve", {"resolution": "x"}).status_code
        == 400
    )
    assert (ask("GET", "/contradictions")["count"], ask("GET", "/contradictions?resolved=true")["count"]) == (
        0,
        1,
    )
    assert ask("POST", f"/contradictions/{pair['id']}/undo")["resolution"] == "open"


def test_reviews_one_by_one_and_several_at_once(mine, ask, alice):
    facts = [mine.know(f"User likes {thing}", pending=True) for thing in ("tea", "jazz", "rain")]
    assert [row["text"] for row in ask("GET", "/review")["results"]] == [fact.text for fact in facts]
    approved = ask("POST", f"/review/{facts[0].pk}", {"action": "approve", "text": "User likes green tea"})
    assert (approved["status"], approved["text"]) == ("active", "User likes green tea")
    ids = [str(facts[1].pk), "01a00000-0000-7000-8000-000000000000"]
    outcomes = ask("POST", "/review", {"ids": ids, "action": "decline"})["outcomes"]
    assert outcomes == {ids[0]: "done", ids[1]: "not_found"}
    assert ask("GET", "/review")["count"] == 1


def test_times_are_listed_and_changed(ask, call, alice):
    kinds = [row["kind"] for row in ask("GET", "/schedules")["results"]]
    assert kinds == ["archive", "consolidation", "dream", "projection"]
    changed = ask("PATCH", "/schedules/dream", {"cron": "30 1 * * *"})
    assert (changed["cron"], changed["effectiveCron"]) == ("30 1 * * *", "30 1 * * *")
    assert ask("PATCH", "/schedules/dream", {"enabled": False, "cron": ""})["effectiveCron"] == "0 3 * * *"
    assert ask("GET", "/dreaming/status")["enabled"] is False
    assert call(alice, "PATCH", f"{BASE}/schedules/dream", {"cron": "later"}).status_code == 400
    assert call(alice, "PATCH", f"{BASE}/schedules/sweep", {"enabled": False}).status_code == 404


def test_consolidation_gives_its_totals(mine, ask):
    for thing in ("tea", "jazz", "rain", "bread", "chess", "kites", "maps", "Porto"):
        mine.know(f"User likes {thing}", category="preference")
    mine.know("User enjoys tea", category="preference")
    assert ask("POST", "/structured-consolidation?wait=true") == {
        "ownersConsolidated": 1, "updated": 1, "skippedSmall": 0, "skippedOverCap": 0, "failed": 0,
        "entriesBefore": 9, "entriesAfter": 8,
    }  # fmt: skip
    assert ask("POST", "/structured-consolidation", status=202)["eventId"]


def test_the_morning_card_and_that_it_was_seen(mine, ask):
    assert ask("GET", "/dream/morning-card") == {"card": None}
    dreamt(mine, ask)
    card = ask("GET", "/dream/morning-card")["card"]
    assert [item["after"] for item in card["items"]] == ["- Oat milk with every coffee"]
    ask("POST", "/dream/morning-card/seen", status=204)
    assert ask("GET", "/dream/morning-card") == {"card": None}


def test_personas_are_proposed_and_decided(ask, alice):
    proposals = []
    for text in ("# One\n", "# Two\n"):
        proposals.append(
            store_proposal(
                principal=alice.principal,
                agent=alice.agent,
                base_version=1,
                before="",
                after=text,
                reason="r",
            )
        )
        if text == "# One\n":
            ask("POST", f"/soul-proposals/{proposals[0].pk}/decline")
    assert ask("POST", f"/soul-proposals/{proposals[1].pk}/accept")["status"] == "accepted"
    assert [row["status"] for row in ask("GET", "/soul-proposals")["results"]] == ["accepted", "declined"]


def test_archives_by_month(mine, ask, call, alice):
    report = dreamt(mine, ask)
    with workspace_scope(alice.workspace):
        Dream.objects.update(created_at=timezone.now() - timedelta(days=40))
    archive_agent(alice.workspace, alice.agent)
    (line,) = [row for row in ask("GET", "/dream/archives")["results"] if row["scope"] == "PERSONAL"]
    reports = ask("GET", f"/dream/archives/{line['month']}")["reports"]
    assert report["id"] in {row["id"] for row in reports}
    assert call(alice, "GET", f"{BASE}/dream/archives/1999-01").status_code == 404
