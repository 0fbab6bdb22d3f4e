"""Operations and the audit log: what recurs, what is stuck, how large it all is, and who did what."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.actions.events import request_job
from memoryapp.dashboard.settings.deeds import DEEDS
from memoryapp.jobs import beat
from memoryapp.models import Event, Schedule
from memoryapp.settings import BASE_DIR
from tenants.actions import issue_token, record_audit
from tenants.models import AuditEvent
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages


def shown(pages: Pages, path: str) -> str:
    return pages.client.get(pages.workspace(path)).content.decode()


def test_what_recurs_is_shown_and_can_be_run_now(pages: Pages, alice: Person, bob: Person) -> None:
    html = shown(pages, "operations/")
    assert "Consolidation" in html
    assert "Largest tables" in html
    assert "memoryapp_fact" in html
    sweep = Schedule.objects.get(workspace=alice.workspace, kind="sweep")
    for _ in range(2):
        pages.client.post(pages.workspace("operations/run/"), {"schedule": sweep.pk})
    assert Event.objects.filter(workspace=alice.workspace, kind="sweep").count() == 1

    theirs = Pages(bob)
    assert "Run now" not in shown(theirs, "operations/")
    assert "Largest tables" not in shown(theirs, "operations/")
    assert theirs.client.post(theirs.workspace("operations/run/"), {"schedule": sweep.pk}).status_code == 403


def test_a_strangers_schedule_is_not_run(pages: Pages, stranger: Pages) -> None:
    mine = Schedule.objects.get(workspace=pages.person.workspace, kind="sweep")
    answer = stranger.client.post(stranger.workspace("operations/run/"), {"schedule": mine.pk})
    assert answer.status_code == 404


@pytest.mark.parametrize("kind", ["waits", "hangs"])
def test_stuck_work_raises_an_alarm(pages: Pages, alice: Person, kind: str) -> None:
    beat()
    with workspace_scope(alice.workspace):
        event = request_job(principal=alice.principal, kind="chore")
    assert "is stuck" not in pages.client.get(pages.agent("overview/")).content.decode()
    long_ago = timezone.now() - timedelta(minutes=20)
    changes = {"run_after": long_ago} if kind == "waits" else {"status": "RUNNING", "leased_until": long_ago}
    Event.objects.filter(pk=event.pk).update(**changes)
    assert "Background work is stuck." in pages.client.get(pages.agent("overview/")).content.decode()
    assert "Work is not being done." in shown(pages, "operations/")


class TestAuditLog:
    def test_is_narrowed_by_subject_member_and_word(self, pages: Pages, alice: Person, bob: Person) -> None:
        issue_token(principal=bob.principal, name="crane")
        with workspace_scope(alice.workspace):
            record_audit(principal=alice.principal, action="backup.requested", target="<b>x</b>")
        everything = shown(pages, "settings/audit/")
        assert "token.issued" in everything
        assert "&lt;b&gt;x" in everything
        assert "backup.requested" not in shown(pages, "settings/audit/?about=access")
        only_bob = shown(pages, f"settings/audit/?who=user:{bob.user.pk}")
        assert "crane" in only_bob
        assert "workspace.created" not in only_bob
        assert "crane" in shown(pages, "settings/audit/?q=cran")
        assert "Nothing fits" in shown(pages, "settings/audit/?q=nothing-like-it")

    def test_is_paged_by_key(self, pages: Pages, alice: Person) -> None:
        start = timezone.now()
        with workspace_scope(alice.workspace):
            AuditEvent.objects.bulk_create(
                AuditEvent(
                    workspace=alice.workspace,
                    actor="system",
                    action="fact.approved",
                    target=f"entry {number:03}",
                    at=start + timedelta(seconds=number // 2),
                )
                for number in range(120)
            )
        seen: list[str] = []
        path = "settings/audit/?about=memory"
        while path:
            html = shown(pages, path)
            seen += [part[:9] for part in html.split('data-label="On">')[1:]]
            older = html.partition('">Older')[0].rpartition("?")[2] if ">Older" in html else ""
            path = f"settings/audit/?{older.replace('&amp;', '&')}" if older else ""
        assert len(seen) == len(set(seen)) == 120


def test_the_log_says_every_deed_in_words() -> None:
    noted = re.compile(r'(?:action=|audit_account\([\w.]+, )"([a-z_]+\.[a-z_]+)"')
    sources = [
        path.read_text() for room in ("memoryapp", "tenants") for path in (BASE_DIR / room).rglob("*.py")
    ]
    assert {deed for source in sources for deed in noted.findall(source)} <= set(DEEDS)
