"""One's own account: the browsers one is signed in with, and signing in in two steps."""

from __future__ import annotations

import base64
import re
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from memoryapp.jobs.ticking import tick
from tenants.models import AuditEvent, Profile, RecoveryCode, Session, TwoStep
from tenants.scoping import workspace_scope
from tenants.secrets import decrypt
from tests.conftest import PASSWORD, Person
from tests.dashboard.conftest import Pages

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1"
PAIR = {"username": "alice", "password": PASSWORD, "stay": "on"}


def signed_in(agent: str = FIREFOX, **fields: str) -> Client:
    client = Client(headers={"User-Agent": agent})
    client.post("/sign-in/", {**PAIR, **fields})
    return client


def account(client: Client) -> str:
    return client.get("/w/harbour/account/").content.decode()


def post(client: Client, path: str, form: dict[str, str]) -> HttpResponse:
    return client.post(f"/w/harbour/account/{path}", form, follow=True)


class TestGuessing:
    def test_ends_after_a_few_wrong_passwords_until_some_minutes_have_passed(self, alice: Person) -> None:
        wrong = {**PAIR, "password": "guessed"}
        with time_machine.travel("2026-03-30T09:00:00Z", tick=False) as clock:
            tried = [Client().post("/sign-in/", wrong) for _ in range(11)]
            right = Client().post("/sign-in/", PAIR)
            another = Client().post("/sign-in/", {**wrong, "username": "nobody"})
            elsewhere = Client(REMOTE_ADDR="192.0.2.7").post("/sign-in/", PAIR)
            clock.shift(timedelta(minutes=5))
            later = Client().post("/sign-in/", PAIR)

        assert [answer.status_code for answer in tried] == [200] * 10 + [429]
        assert right.status_code == 429
        assert "Too many wrong attempts. Try again in 5 minutes." in right.content.decode()
        assert another.status_code == 200
        assert elsewhere.status_code == 302
        assert later.status_code == 302


class TestSessions:
    def test_are_listed_with_what_they_are(self, alice: Person, charlie: Person) -> None:
        here = signed_in()
        signed_in(PHONE)
        Client().force_login(charlie.user)
        html = account(here)

        assert "Firefox on Linux" in html
        assert "Chrome on iPhone" in html
        assert html.count('class="person-cell"') == 2
        assert html.index("this one") < html.index("Chrome on iPhone")
        assert here.session.session_key not in html

    def test_end_one_by_one(self, alice: Person) -> None:
        here, there = signed_in(), signed_in(PHONE)
        [handle] = re.findall(r'name="session" value="(\w+)"', account(here))
        assert "You are signed out there." in post(here, "sessions/", {"session": handle}).content.decode()
        assert there.get("/w/harbour/account/").status_code == 302
        assert "Chrome on iPhone" not in account(here)

    def test_end_all_but_this(self, alice: Person) -> None:
        here, others = signed_in(), [signed_in(PHONE), signed_in()]
        answer = post(here, "sessions/", {"others": "1"}).content.decode()
        assert "signed out of 2 other browsers" in answer
        assert {each.get("/w/harbour/account/").status_code for each in others} == {302}

    def test_of_somebody_else_are_not_found(self, alice: Person, charlie: Person) -> None:
        theirs = Pages(charlie)
        signed_in()
        [handle] = [handle for handle in re.findall(r'value="(\w{32})"', account(signed_in())) if handle]
        answer = theirs.client.post("/w/quarry/account/sessions/", {"session": handle})
        assert answer.status_code == 404
        assert Session.objects.filter(user=alice.user).count() == 2

    def test_end_with_another_password_but_for_the_one_that_changed_it(self, alice: Person) -> None:
        here, there = signed_in(), signed_in(PHONE)
        new = "a lighthouse in fog"
        here.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
        assert "Firefox on Linux" in account(here)
        assert there.get("/w/harbour/account/").status_code == 302
        assert Session.objects.filter(user=alice.user).count() == 1

    def test_vanish_when_they_expire(self, alice: Person) -> None:
        here = signed_in()
        Session.objects.create(
            session_key="o" * 32, user=alice.user, device=PHONE, expire_date=timezone.now() - timedelta(1)
        )
        assert "iPhone" not in account(here)
        with time_machine.travel(timezone.now().replace(minute=7), tick=False):
            tick()
        assert Session.objects.count() == 1

    def test_say_when_they_were_last_seen_without_a_write_each_time(self, alice: Person) -> None:
        here = signed_in()
        account(here)
        first = Session.objects.get().last_seen_at
        account(here)
        assert Session.objects.get().last_seen_at == first
        with time_machine.travel(timezone.now() + timedelta(minutes=6)):
            account(here)
            assert Session.objects.get().last_seen_at > first + timedelta(minutes=5)


def secret_of(user: User) -> str:
    return decrypt(TwoStep.objects.get(user=user).sealed_secret.encode())


def code_of(user: User, after: int = 0) -> str:
    """What the authenticator shows, so many half minutes from now."""
    clock = TOTP(base64.b32decode(secret_of(user)), 6, SHA1(), 30)  # noqa: S303 # what authenticators use
    return clock.generate(int(timezone.now().timestamp()) + 30 * after).decode()


def set_up(client: Client, user: User) -> list[str]:
    """Switch the second step on and return the recovery codes."""
    client.get("/w/harbour/account/second-step/")
    shown = client.post("/w/harbour/account/second-step/", {"code": code_of(user, -1)}).content.decode()
    return re.findall(r"<li>(\w{5}-\w{5})</li>", shown)


def first_step(**fields: str) -> tuple[Client, HttpResponse]:
    client = Client()
    return client, client.post("/sign-in/", {**PAIR, **fields})


class TestSecondStep:
    def test_is_set_up_with_a_code(self, pages: Pages, alice: Person) -> None:
        html = pages.client.get(pages.workspace("account/second-step/")).content.decode()
        secret = secret_of(alice.user)
        assert secret in html.replace(" ", "")
        assert 'role="img"' in html
        assert "style=" not in html
        assert secret not in TwoStep.objects.get().sealed_secret
        wrong = pages.client.post(pages.workspace("account/second-step/"), {"code": "000000"})
        assert wrong.status_code == 400
        assert secret in wrong.content.decode().replace(" ", "")
        assert first_step()[1].url == "/"  # type: ignore[attr-defined] # nothing counts before it is confirmed

        codes = set_up(pages.client, alice.user)
        assert len(set(codes)) == 10
        kept = " ".join(RecoveryCode.objects.values_list("digest", flat=True))
        assert not [code for code in codes if code.replace("-", "") in kept]
        assert "10 left" in account(pages.client)
        assert pages.client.get(pages.workspace("account/second-step/")).status_code == 302
        with workspace_scope(alice.workspace):
            assert AuditEvent.objects.filter(action="two_step.enabled", target="alice").count() == 1

    def test_stands_between_the_password_and_the_pages(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        client, answer = first_step(next="/w/harbour/agents/", stay="")
        assert answer.url == "/sign-in/code/?next=%2Fw%2Fharbour%2Fagents%2F"  # type: ignore[attr-defined]
        assert client.get("/w/harbour/agents/").status_code == 302
        assert client.get("/api/v1/whoami").status_code == 401
        html = client.get(answer.url).content.decode()  # type: ignore[attr-defined]
        assert "One more step" in html
        assert 'value="/w/harbour/agents/"' in html

        assert client.post("/sign-in/code/", {"code": "000000"}).status_code == 400
        inside = client.post("/sign-in/code/", {"code": code_of(alice.user), "next": "/w/harbour/agents/"})
        assert inside.url == "/w/harbour/agents/"  # type: ignore[attr-defined]
        assert client.get("/w/harbour/agents/").status_code == 200
        assert client.session.get_expire_at_browser_close()

    def test_takes_a_code_once(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        code = code_of(alice.user)
        assert first_step()[0].post("/sign-in/code/", {"code": code}).status_code == 302
        assert first_step()[0].post("/sign-in/code/", {"code": code}).status_code == 400

    def test_takes_each_recovery_code_once(self, pages: Pages, alice: Person) -> None:
        codes = set_up(pages.client, alice.user)
        written = codes[0].upper().replace("-", " ")
        assert first_step()[0].post("/sign-in/code/", {"code": written}).status_code == 302
        assert first_step()[0].post("/sign-in/code/", {"code": written}).status_code == 400
        assert "9 left" in account(pages.client)

    def test_makes_guessing_slow(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        client, _ = first_step()
        answers = [client.post("/sign-in/code/", {"code": "000000"}).status_code for _ in range(6)]
        assert answers == [400] * 5 + [429]
        right = client.post("/sign-in/code/", {"code": code_of(alice.user)})
        assert "Try again in 1 minute." in right.content.decode()
        with time_machine.travel(timezone.now() + timedelta(seconds=61)):
            assert client.post("/sign-in/code/", {"code": code_of(alice.user)}).status_code == 302

    def test_waits_ten_minutes_and_for_the_same_password(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        late, changed = first_step()[0], first_step()[0]
        with time_machine.travel(timezone.now() + timedelta(minutes=11)):
            assert late.get("/sign-in/code/").url == "/sign-in/"  # type: ignore[attr-defined]
        alice.user.set_password("a lighthouse in fog")
        alice.user.save()
        answer = changed.post("/sign-in/code/", {"code": code_of(alice.user)})
        assert answer.url == "/sign-in/"  # type: ignore[attr-defined]
        assert Client().get("/sign-in/code/").url == "/sign-in/"  # type: ignore[attr-defined]

    def test_holds_for_a_new_password_by_link_too(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        out, guest, new = StringIO(), Client(), "a lighthouse in fog"
        call_command("reset_link", "alice", stdout=out)
        form = guest.get(out.getvalue().strip(), follow=True).request["PATH_INFO"]
        answer = guest.post(form, {"new_password1": new, "new_password2": new})
        assert answer.url == "/sign-in/code/"  # type: ignore[attr-defined]
        assert guest.get("/w/harbour/agents/").status_code == 302

    def test_is_switched_off_with_password_and_code(self, pages: Pages, alice: Person) -> None:
        set_up(pages.client, alice.user)
        off = {"password": PASSWORD, "code": code_of(alice.user)}
        for wrong in ({"code": "000000"}, {"password": "wrong"}):
            assert post(pages.client, "second-step/off/", {**off, **wrong}).status_code == 400
        off["code"] = code_of(alice.user, 1)
        assert "password alone" in post(pages.client, "second-step/off/", off).content.decode()
        assert first_step()[1].url == "/"  # type: ignore[attr-defined]
        assert not RecoveryCode.objects.exists()

    def test_gives_new_recovery_codes_for_a_code(self, pages: Pages, alice: Person) -> None:
        old = set_up(pages.client, alice.user)
        assert post(pages.client, "second-step/codes/", {"code": "nonsense"}).status_code == 400
        shown = post(pages.client, "second-step/codes/", {"code": old[0]}).content.decode()
        new = re.findall(r"<li>(\w{5}-\w{5})</li>", shown)
        assert len(new) == 10
        assert not set(old) & set(new)

    def test_can_be_taken_away_by_the_operator(self, pages: Pages, alice: Person) -> None:
        with pytest.raises(CommandError, match="nobody"):
            call_command("remove_second_step", "alice")
        set_up(pages.client, alice.user)
        call_command("remove_second_step", "alice", stdout=StringIO())
        assert first_step()[1].url == "/"  # type: ignore[attr-defined]
        assert pages.client.get(pages.workspace("account/")).status_code == 302

    def test_never_shows_in_the_log(
        self, pages: Pages, alice: Person, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG")
        codes = set_up(pages.client, alice.user)
        first_step()[0].post("/sign-in/code/", {"code": codes[0]})
        assert not [code for code in (secret_of(alice.user), *codes) if code in caplog.text]


def test_preferences_are_kept_and_hold(pages: Pages, alice: Person) -> None:
    assert post(pages.client, "preferences/", {"time_zone": "Asia/Shanghai"}).status_code == 200
    assert Profile.objects.get().time_zone == "Asia/Shanghai"
    assert "data-no-keys" in account(pages.client)
    assert post(pages.client, "preferences/", {"time_zone": "Mars/Phobos"}).status_code == 400
