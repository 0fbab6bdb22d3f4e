"""A person's page: one's own to read, a test end user's for members, anybody else's only opened by an admin."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.dashboard.people import talks
from memoryapp.dashboard.whose import SESSION_OPENED
from memoryapp.models import Conversation, Fact, Owner
from tenants.models import AuditEvent, Membership, Role
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import SAID, WORDS, Pages

REASON = "Ticket 12: the summary is wrong"


class PersonPages(Pages):
    """The pages about one person of the workspace, seen by another."""

    def __init__(self, visitor: Person, about: Person) -> None:
        super().__init__(visitor)
        with workspace_scope(about.workspace):
            self.owner = Owner.objects.get(owner_key=about.principal.owner_key)

    def path(self, rest: str = "") -> str:
        return self.workspace(f"people/{self.owner.pk}/{rest}")

    def see(self, **query: object) -> Any:
        return self.client.get(self.path(), query)

    def open(self, reason: str = REASON) -> Any:
        return self.client.post(self.path("open/"), {"reason": reason})

    def close(self) -> Any:
        return self.client.post(self.workspace("people/close/"))


@pytest.fixture
def own(alice: Person, fact: Fact) -> PersonPages:
    return PersonPages(alice, alice)


@pytest.fixture
def admin(alice: Person, bob: Person, fact: Fact) -> PersonPages:
    """Bob as an admin in front of alice's page."""
    Membership.objects.filter(user=bob.user).update(role=Role.ADMIN)
    return PersonPages(bob, alice)


def test_the_words_of_a_fact_are_marked_where_they_were_said(
    own: PersonPages, conversation: Conversation, fact: Fact
) -> None:
    response = own.see(tab="conversations", c=conversation.pk, fact=fact.pk)
    pieces = response.context["said"][0].pieces
    assert [piece.text for piece in pieces if piece.chosen] == [WORDS]
    assert "".join(piece.text for piece in pieces) == SAID
    assert response.context["made"] == [fact]
    html = response.content.decode()
    assert "1 kept" in html
    assert "gate 1: no use next week" in html


def test_selected_words_show_the_facts_they_made(own: PersonPages, conversation: Conversation) -> None:
    with workspace_scope(conversation.workspace):
        said = conversation.messages.get(number=1)
    start = SAID.index(WORDS)
    answer = own.client.get(own.path("words/"), {"m": said.pk, "from": start + 3, "to": start + 9})
    assert "Alice wants one summary on Monday." in answer.content.decode()
    others = own.client.get(own.path("words/"), {"m": said.pk, "from": 0, "to": start})
    assert "These words became no fact." in others.content.decode()
    odd = own.client.get(own.path("words/"), {"m": "x", "from": "-1", "to": "9" * 30})
    assert odd.status_code == 200


def test_spans_that_overlap_are_told_apart(own: PersonPages, alice: Person) -> None:
    talk = open_conversation(principal=alice.principal, agent=alice.agent, external_id="overlap")
    said = add_message(principal=alice.principal, conversation=talk, role="user", text="red blue green")
    spans = {"Red and blue.": (0, 8), "Blue and green.": (4, 14), "Beyond.": (9, 900)}
    for text, (start, end) in spans.items():
        source = SourceSpan(message=said, start=start, end=end)
        add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=text), sources=[source])
    shown = own.see(tab="conversations", c=talk.pk).context["said"][0]
    assert [(piece.text, len(piece.facts)) for piece in shown.pieces] == [
        ("red ", 1), ("blue", 2), (" ", 1), ("green", 2),
    ]  # fmt: skip


def test_every_conversation_can_be_reached(
    own: PersonPages, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talks, "TALKS_SHOWN", 3)
    for number in range(7):
        open_conversation(principal=alice.principal, agent=alice.agent, external_id=f"talk {number}")
    seen, before = [], ""
    while before is not None:
        html = own.see(tab="conversations", before=before).content.decode()
        seen += re.findall(r"<b>(talk \d|The daily mails[^<]*)</b>", html)
        older = re.search(r"before=(\d+_[0-9a-f-]+)\">Older", html)
        before = older[1] if older else None
    assert len(seen) == len(set(seen)) == 8


def test_the_other_tabs_hold_what_is_kept(own: PersonPages, alice: Person, fact: Fact) -> None:
    profile = "# Me\n\n- likes *tea*\n"
    file = write_file(
        principal=alice.principal, agent=alice.agent, path="PROFILE.md", content=profile, scope="PERSONAL"
    ).file
    assert "<em>tea</em>" in own.see().content.decode()
    assert "Alice wants one summary" in own.see(tab="facts").content.decode()
    assert "<em>tea</em>" in own.see(tab="files", file=file.pk).content.decode()
    assert own.see(tab="files", file=fact.pk).status_code == 404
    assert own.see(tab="conversations", c=fact.pk).status_code == 404
    assert own.see(tab="nonsense", before="x").status_code == 200


def test_an_admin_sees_numbers_until_they_say_why(admin: PersonPages, alice: Person) -> None:
    closed = admin.see(tab="facts").content.decode()
    assert "What is known of them is theirs" in closed
    assert "Alice wants" not in closed
    assert admin.client.get(admin.path("words/")).status_code == 404
    refused = admin.open(" why ")
    assert refused.status_code == 400
    assert "Say in a few words why" in refused.content.decode()
    with workspace_scope(alice.workspace):
        assert not AuditEvent.objects.filter(action="memory.opened").exists()


def test_an_opening_is_seen_on_every_page_by_the_audit_log_and_by_the_person(
    admin: PersonPages, own: PersonPages, alice: Person, bob: Person
) -> None:
    key = "gh" + "p_" + "A1b2C3d4E5" * 4
    assert admin.open(f"{REASON} {key}").status_code == 302
    assert "Alice wants one summary" in admin.see(tab="facts").content.decode()
    elsewhere = admin.client.get(admin.agent("facts/")).content.decode()
    assert "You opened the personal memory of alice." in elsewhere
    assert "Alice wants" not in elsewhere
    with workspace_scope(alice.workspace):
        noted = AuditEvent.objects.get(action="memory.opened")
    assert (noted.actor, noted.target) == (bob.principal.actor, alice.principal.owner_key)
    assert noted.detail["reason"].startswith(REASON)
    assert key not in noted.detail["reason"]
    told = own.client.get(own.workspace("people/you/")).content.decode()
    assert "<b>bob</b>" in told
    assert REASON in told
    recalled = admin.client.get(
        admin.agent("recall/"), {"q": "summary", "as": alice.principal.owner_key}
    ).content.decode()
    assert "Alice wants one summary" in recalled
    admin.close()
    assert "Alice wants" not in admin.see(tab="facts").content.decode()
    with workspace_scope(alice.workspace):
        assert AuditEvent.objects.filter(action="memory.closed", target=noted.target).exists()


def test_an_opening_ends_with_the_hour_and_with_the_role(
    admin: PersonPages, alice: Person, bob: Person
) -> None:
    admin.open()
    session = admin.client.session
    opened = session[SESSION_OPENED][alice.workspace.slug]
    kept = {alice.workspace.slug: {**opened, "at": (timezone.now() - timedelta(minutes=61)).isoformat()}}
    session[SESSION_OPENED] = kept
    session.save()
    assert "Alice wants" not in admin.see(tab="facts").content.decode()
    assert not admin.client.session[SESSION_OPENED]
    admin.open()
    Membership.objects.filter(user=bob.user).update(role=Role.MEMBER)
    assert admin.see(tab="facts").status_code == 404


def test_erasing_whom_one_opened_closes_them(admin: PersonPages, alice: Person) -> None:
    admin.open()
    erased = admin.client.post(admin.path("erase/"), {"confirm": alice.principal.owner_key}, follow=True)
    assert "Receipt of an erasure" in erased.content.decode()
    assert "You opened" not in erased.content.decode()
    assert not admin.client.session[SESSION_OPENED]


def test_what_is_open_in_one_workspace_is_not_in_another(
    admin: PersonPages, charlie: Person, bob: Person
) -> None:
    Membership.objects.create(workspace=charlie.workspace, user=bob.user, role=Role.ADMIN)
    admin.open()
    there = admin.client.get(f"/w/{charlie.workspace.slug}/people/").content.decode()
    assert "You opened" not in there


def test_the_list_counts_and_leads_to_the_pages(admin: PersonPages, alice: Person) -> None:
    html = admin.client.get(admin.workspace("people/")).content.decode()
    assert admin.path() in html
    assert 'data-label="Conversations">1<' in html
