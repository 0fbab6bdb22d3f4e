"""Who belongs to a workspace, through the pages: invited, given another role, removed; a workspace of one's own."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tenants.memberships import INVITATION_LASTS
from tenants.models import AccessToken, AuditEvent, Membership, Role, Workspace
from tenants.scoping import workspace_scope
from tests.conftest import PASSWORD, Person
from tests.dashboard.conftest import Pages

NEW_PASSWORD = "a lighthouse in fog"
ACCOUNT = {"username": "dora", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}


def invite(pages: Pages, role: Role = Role.MEMBER) -> str:
    """The path of a fresh invitation, as the page shows it once."""
    form = {"note": "Dora", "role": role.value}
    shown = pages.client.post(pages.workspace("settings/access/invite/"), form, follow=True).content.decode()
    again = pages.client.get(pages.workspace("settings/access/")).content.decode()
    [link] = re.findall(r'value="http://testserver(/join/[^"]+)"', shown)
    assert link not in again
    return str(link)


def role_of(name: str, workspace: Workspace) -> int | None:
    return (
        Membership.objects.filter(user__username=name, workspace=workspace)
        .values_list("role", flat=True)
        .first()
    )


class TestJoining:
    def test_makes_an_account_and_uses_the_link_up(self, alice: Person, pages: Pages) -> None:
        link, guest = invite(pages), Client()
        assert alice.workspace.name in guest.get(link).content.decode()
        inside = guest.post(link, ACCOUNT, follow=True)

        assert inside.status_code == 200
        assert inside.redirect_chain[-1][0].startswith(f"/w/{alice.workspace.slug}/")
        assert role_of("dora", alice.workspace) == Role.MEMBER
        assert Client().get(link).status_code == 404
        assert Client().post(link, {**ACCOUNT, "username": "eve"}).status_code == 404
        assert not User.objects.filter(username="eve").exists()
        with workspace_scope(alice.workspace):
            assert AuditEvent.objects.filter(action="member.joined", target="dora").exists()

    def test_as_somebody_who_has_an_account(self, alice: Person, charlie: Person, pages: Pages) -> None:
        link, theirs = invite(pages, Role.VIEWER), Pages(charlie)
        assert "You are signed in as charlie." in theirs.client.get(link).content.decode()
        theirs.client.post(link)
        assert role_of("charlie", alice.workspace) == Role.VIEWER

    def test_never_takes_a_role_away(self, alice: Person, pages: Pages) -> None:
        pages.client.post(invite(pages, Role.VIEWER))
        assert role_of("alice", alice.workspace) == Role.OWNER

    @pytest.mark.parametrize(
        "wrong",
        [
            {"password2": "another one entirely"},
            {"password1": "short", "password2": "short"},
            {"username": "alice"},
        ],
    )
    def test_with_a_bad_account_is_told_and_may_be_tried_again(
        self, wrong: dict[str, str], alice: Person, pages: Pages
    ) -> None:
        link = invite(pages)
        assert Client().post(link, {**ACCOUNT, **wrong}).status_code == 400
        assert Client().post(link, ACCOUNT).status_code == 302

    def test_is_over_when_taken_back_too_old_or_made_up(self, alice: Person, pages: Pages) -> None:
        link = invite(pages)
        page = pages.client.get(pages.workspace("settings/access/")).content.decode()
        [address] = re.findall(r'action="([^"]+/invitations/[^"]+)"', page)
        pages.client.post(address)
        late = invite(pages)

        assert Client().get(link).status_code == 404
        assert Client().get("/join/made-up/").status_code == 404
        with time_machine.travel(timezone.now() + INVITATION_LASTS + timedelta(minutes=1)):
            assert Client().get(late).status_code == 404

    def test_is_offered_by_admins_within_their_role(self, bob: Person, pages: Pages) -> None:
        theirs = Pages(bob)
        assert (
            theirs.client.post(theirs.workspace("settings/access/invite/"), {"role": 10}).status_code == 403
        )
        promote(pages, bob, Role.ADMIN)
        answer = theirs.client.post(theirs.workspace("settings/access/invite/"), {"role": 40}, follow=True)
        assert "/join/" not in answer.content.decode()


def promote(pages: Pages, person: Person, role: Role) -> Any:
    member = Membership.objects.get(user=person.user, workspace=pages.person.workspace)
    address = pages.workspace(f"settings/access/members/{member.pk}/")
    return pages.client.post(address, {"role": role.value}, follow=True)


class TestMembers:
    def test_get_another_role(self, alice: Person, bob: Person, pages: Pages) -> None:
        assert "bob is now admin." in promote(pages, bob, Role.ADMIN).content.decode()
        assert role_of("bob", alice.workspace) == Role.ADMIN

    def test_lose_their_access_and_tokens(self, alice: Person, bob: Person, pages: Pages, call: Any) -> None:
        assert call(bob, "GET", "/whoami").status_code == 200
        member = Membership.objects.get(user=bob.user, workspace=alice.workspace)
        pages.client.post(pages.workspace(f"settings/access/members/{member.pk}/"), {"remove": "1"})

        assert role_of("bob", alice.workspace) is None
        assert call(bob, "GET", "/whoami").status_code == 401
        assert not AccessToken.objects.filter(user=bob.user, revoked_at=None).exists()
        assert Pages(bob).client.get(pages.workspace("people/you/")).status_code == 404

    def test_above_an_admin_are_out_of_reach(self, alice: Person, bob: Person, pages: Pages) -> None:
        promote(pages, bob, Role.ADMIN)
        theirs = Pages(bob)
        for form in ({"role": 10}, {"remove": "1"}):
            member = Membership.objects.get(user=alice.user, workspace=alice.workspace)
            address = theirs.workspace(f"settings/access/members/{member.pk}/")
            assert "above their own" in theirs.client.post(address, form, follow=True).content.decode()
        assert role_of("alice", alice.workspace) == Role.OWNER

    def test_always_include_an_owner(self, alice: Person, pages: Pages) -> None:
        assert "at least one owner" in promote(pages, alice, Role.ADMIN).content.decode()
        assert role_of("alice", alice.workspace) == Role.OWNER

    def test_of_another_workspace_do_not_exist(self, alice: Person, charlie: Person, pages: Pages) -> None:
        member = Membership.objects.get(user=charlie.user)
        address = pages.workspace(f"settings/access/members/{member.pk}/")
        assert pages.client.post(address, {"remove": "1"}).status_code == 404
        assert pages.client.post(address, {"role": "wizard"}).status_code == 404

    def test_are_changed_over_the_api(self, alice: Person, bob: Person, call: Any) -> None:
        members = {each["username"]: each["id"] for each in call(alice, "GET", "/members").json()["results"]}
        changed = call(alice, "PATCH", f"/members/{members['bob']}", {"role": "viewer"})
        refused = call(alice, "PATCH", f"/members/{members['bob']}", {"role": "king"})
        last = call(alice, "DELETE", f"/members/{members['alice']}")
        made = call(alice, "POST", "/invitations", {"role": "member", "note": "Dora"}).json()
        listed = call(alice, "GET", "/invitations").json()["results"]

        assert changed.json()["role"] == "viewer"
        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["role"])
        assert last.status_code == 403
        assert Client().get(made["url"].removeprefix("http://testserver")).status_code == 200
        assert [each["note"] for each in listed] == ["Dora"]
        assert "url" not in listed[0]
        assert call(alice, "DELETE", f"/invitations/{made['id']}").status_code == 204
        assert call(alice, "DELETE", f"/invitations/{made['id']}").status_code == 404


class TestWorkspaces:
    def test_are_made_by_whoever_owns_one(self, alice: Person, pages: Pages) -> None:
        assert "New workspace" in pages.client.get(pages.agent("overview/")).content.decode()
        made = pages.client.post("/workspaces/new/", {"name": "Light House"}, follow=True)
        assert made.redirect_chain[-1][0] == "/w/light-house/agents/"
        assert role_of("alice", Workspace.objects.get(slug="light-house")) == Role.OWNER

    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"name": " "},
            {"name": "!!!"},
            {"name": "A", "slug": "harbour"},
            {"name": "A", "time_zone": "Mars"},
        ],
    )
    def test_with_bad_input_are_refused(self, form: dict[str, str], pages: Pages) -> None:
        assert pages.client.post("/workspaces/new/", form).status_code == 400

    def test_are_not_for_everybody(self, bob: Person) -> None:
        assert Pages(bob).client.get("/workspaces/new/").status_code == 404
        assert Client().get("/workspaces/new/").status_code == 302


class TestPasswords:
    def test_are_changed_by_whoever_knows_them(self, alice: Person, pages: Pages) -> None:
        elsewhere = Pages(alice)
        form = {"old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        wrong = pages.client.post("/password/", {**form, "old_password": "wrong"})
        assert "id_old_password_error" in wrong.content.decode()
        assert "signed out" in pages.client.post("/password/", form, follow=True).content.decode()
        assert elsewhere.client.get(pages.workspace("people/you/")).status_code == 302
        assert Client().login(username="alice", password=NEW_PASSWORD)

    def test_are_set_anew_by_a_link_of_the_operator(self, alice: Person, capsys: Any) -> None:
        call_command("reset_link", "alice")
        link, guest = capsys.readouterr().out.strip(), Client()
        form = guest.get(link, follow=True)
        address = form.redirect_chain[-1][0]
        guest.post(address, {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD})

        assert Client().login(username="alice", password=NEW_PASSWORD)
        assert "used or is too old" in Client().get(link, follow=True).content.decode()
        with pytest.raises(CommandError):
            call_command("reset_link", "nobody")
