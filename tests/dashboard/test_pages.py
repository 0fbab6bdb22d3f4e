"""Every page: there for its member, not found for a stranger, and the sign-in for nobody."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from memoryapp.actions.erasure import erase_owner
from memoryapp.actions.files import write_file
from memoryapp.dashboard.urls import pages as page_patterns
from memoryapp.models import Conversation, Fact, Owner
from memoryapp.snapshots.keeping import backup_folder, keep_backup
from memoryapp.snapshots.preview import preview_import
from tenants.scoping import workspace_scope
from tests.conftest import PASSWORD, Person, make_user
from tests.dashboard.conftest import Pages
from tests.dashboard.nights import NIGHTLY, lived_night, nightly_ids
from tests.snapshot.crafted import Entry, archive

# Addresses that only take a form.
WRITES = {
    "dreams-start",
    "dreams-reschedule",
    "dreams-decide",
    "dreams-entry",
    "inbox-selected",
    "inbox-resolve",
    "inbox-undo",
    "inbox-decide",
    "inbox-settle",
    "playground-seen",
    "facts-selected",
    "facts-remember",
    "facts-foresee",
    "facts-edit",
    "facts-undo",
    "facts-pin",
    "facts-judge",
    "facts-review",
    "files-new",
    "files-preview",
    "files-arrange",
    "files-delete",
    "files-restore",
    "files-bring",
    "files-import-undo",
    "operations-retry",
    "settings-revoke",
    "settings-invite",
    "settings-withdraw",
    "settings-member",
    "settings-scrub",
    "settings-back-up",
    "settings-backup-prove",
    "settings-webhook-do",
    "people-open",
    "people-close",
    "playground-say",
    "playground-read",
    "rules-try",
    "account-preferences",
    "usage-count",
    "operations-run",
    "settings-reviews",
    "settings-try-embeddings",
    "account-sessions",
}
# Pages that are not for everybody in the workspace.
FOR_ADMINS = {
    "usage",
    "people",
    "rules",
    "settings-model",
    "settings-memory",
    "settings-sources",
    "settings-secrets",
    "settings-audit",
    "settings-backups",
    "settings-backup",
    "settings-webhooks",
}
# The last two lead back to the account while there is no second step to prove oneself by.
REDIRECTS = {"workspace", "agents-first", "account-second-step-off", "account-codes"}
AGENT_TABS = {"overview", "playground", "facts", "recall", "files", "dreams", "inbox", "rules"}


def names_of(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names_of(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


ROUTES = sorted(set(names_of(page_patterns)))
READS = [name for name in ROUTES if name not in WRITES | REDIRECTS]
DOWNLOADS = {"files-export", "people-download", "settings-backup"}


@pytest.fixture
def address(alice: Person, conversation: Conversation, fact: Fact, settings: Any, tmp_path: Path) -> Any:
    """The address of a route with ids of rows that exist in alice's workspace."""

    settings.BACKUP_DIR = str(tmp_path)
    known: dict[str, list[Any]] = {}
    night = cache(lambda: lived_night(alice))

    def build(name: str, *, workspace: str = alice.workspace.slug) -> str:
        base = [workspace]
        if name.partition("-")[0] in AGENT_TABS:
            base.append(alice.agent.slug)
        if name not in known:
            known[name] = (
                nightly_ids(name, night()) if name in NIGHTLY else ids_of(name, alice, conversation, fact)
            )
        return reverse(f"dashboard:{name}", args=[*base, *known[name]])

    return build


def ids_of(name: str, alice: Person, conversation: Conversation, fact: Fact) -> list[Any]:
    """What a route's address names besides workspace and agent; rows that only it needs are made here."""
    if name in {"facts-row", "facts-forget", "facts-edit", "facts-pin", "facts-judge", "facts-review"}:
        return [fact.pk]
    if name in {"people-person", "people-words", "people-open", "people-download", "people-erase"}:
        with workspace_scope(alice.workspace):
            return [Owner.objects.visible_to(alice.principal).get(owner_key=alice.principal.owner_key).pk]
    if name in {"files-import", "files-import-undo"}:
        upload = io.BytesIO(archive(Entry("MEMORY.md", b"# Memory\n\n- brought\n")))
        return [preview_import(principal=alice.principal, agent=alice.agent, upload=upload).pk]
    if name in {"settings-backup", "settings-backup-prove"}:
        return [keep_backup(alice.workspace, backup_folder()).pk]
    if name == "people-receipt":
        return [erase_owner(principal=alice.principal, owner_key="api:ann").pk]
    others: dict[str, list[Any]] = {
        "facts-undo": [fact.pk, uuid4()],
        "settings-withdraw": [uuid4()],
        "settings-member": [uuid4()],
        "playground-conversation": [conversation.pk],
        "files-shared": ["MEMORY.md"],
        "files-personal": ["PROFILE.md"],
        "files-why": ["MEMORY.md"],
        "files-why-personal": ["PROFILE.md"],
        "files-add": ["MEMORY.md"],
        "files-add-personal": ["PROFILE.md"],
        "dreams-reschedule": ["dream"],
        "inbox-review": [fact.pk],
        "inbox-decide": [fact.pk],
        "files-restore": [1],
    }
    return others.get(name, [])


@pytest.fixture
def personal_file(alice: Person) -> None:
    write_file(
        principal=alice.principal, agent=alice.agent, path="PROFILE.md", content="# Me\n", scope="PERSONAL"
    )


def test_a_member_sees_every_page(pages: Pages, address: Any, personal_file: None) -> None:
    names = [name for name in READS if name not in DOWNLOADS]
    assert not {name: fault for name in names if (fault := fault_of(pages.client, address(name)))}


@pytest.mark.parametrize("name", sorted(DOWNLOADS))
def test_a_member_gets_every_download(name: str, pages: Pages, address: Any, personal_file: None) -> None:
    response = pages.client.get(address(name))
    assert response.status_code == 200
    assert "private" in response.headers["Cache-Control"]
    response.close()


def fault_of(client: Client, address: str) -> str:
    """What is wrong with a page of one's own; empty when nothing is."""
    response = client.get(address, headers={"Accept": "text/html"})
    policy = response.headers["Content-Security-Policy"]
    if response.status_code != 200:
        return f"answered {response.status_code}"
    if "script-src 'self'" not in policy or "unsafe" in policy:
        return policy
    if not response.headers["X-Request-ID"] or "private" not in response.headers["Cache-Control"]:
        return str(response.headers)
    return ""


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_stranger_finds_nothing(method: str, stranger: Pages, address: Any, personal_file: None) -> None:
    """What is somebody else's and what does not exist are answered word for word alike."""
    ask = getattr(stranger.client, method)
    wrong = {}
    for name in READS if method == "get" else ROUTES:
        foreign = ask(address(name), headers={"Accept": "text/html"})
        missing = ask(address(name, workspace="nowhere"), headers={"Accept": "text/html"})
        if not foreign.status_code == missing.status_code == 404 or foreign.content != missing.content:
            wrong[name] = foreign.status_code, missing.status_code
    assert not wrong


def test_nobody_is_led_to_the_sign_in(alice: Person, address: Any) -> None:
    answers = {name: Client().get(address(name)) for name in READS}
    led = {name: answer.headers.get("Location", "") for name, answer in answers.items()}
    assert not [name for name, place in led.items() if not place.startswith("/sign-in/?next=")]


@pytest.mark.parametrize("name", sorted(FOR_ADMINS))
def test_a_member_is_told_who_can(name: str, bob: Person, address: Any) -> None:
    response = Pages(bob).client.get(address(name))
    assert response.status_code == 403
    assert "You are a member here." in response.content.decode()
    assert "alice" in response.content.decode()


@pytest.mark.parametrize(
    "name",
    [
        "facts-row",
        "facts-forget",
        "playground-conversation",
        "files-personal",
        "people-person",
        "people-words",
        "people-download",
        "people-erase",
        "people-receipt",
    ],
)
def test_a_colleague_does_not_find_what_is_personal(
    name: str, bob: Person, address: Any, personal_file: None
) -> None:
    assert Pages(bob).client.get(address(name)).status_code == 404


def test_a_colleagues_list_does_not_hold_what_is_personal(bob: Person, fact: Fact) -> None:
    pages = Pages(bob)
    assert "Alice wants one summary" not in pages.client.get(pages.agent("facts/")).content.decode()
    assert "daily mails" not in pages.client.get(pages.agent("playground/")).content.decode()


def test_an_agent_of_another_workspace_is_not_found(pages: Pages, charlie: Person) -> None:
    assert pages.client.get(f"/w/{charlie.workspace.slug}/a/juno/facts/").status_code == 404
    assert pages.client.get(pages.workspace("a/nobody/facts/")).status_code == 404


def test_signing_in_leads_to_the_agent_and_out_again(alice: Person) -> None:
    client = Client(enforce_csrf_checks=False)
    page = client.get("/sign-in/")
    assert "Sign in" in page.content.decode()
    response = client.post(
        "/sign-in/", {"username": "alice", "password": PASSWORD, "stay": "on"}, follow=True
    )
    assert response.redirect_chain[-1][0] == "/w/harbour/a/juno/overview/"
    assert client.session.get_expiry_age() > 86400
    assert client.post("/sign-out/").status_code == 302
    assert client.get("/").status_code == 302


def test_a_session_ends_with_the_browser_unless_one_stays(alice: Person) -> None:
    client = Client()
    client.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert client.session.get_expire_at_browser_close()


@pytest.mark.parametrize(("user", "password"), [("alice", "wrong"), ("nobody", "wrong")])
def test_a_wrong_pair_is_told_alike(alice: Person, user: str, password: str) -> None:
    html = Client().post("/sign-in/", {"username": user, "password": password}).content.decode()
    assert "User name and password don’t match." in html


def test_somebody_without_a_workspace_is_told_so(db: Any) -> None:
    client = Client()
    client.force_login(make_user("dora"))
    assert "You belong to no workspace yet" in client.get("/").content.decode()


def test_the_theme_is_kept_and_drawn_by_the_server(pages: Pages) -> None:
    assert "data-theme" not in pages.client.get(pages.agent("facts/")).content.decode()
    response = pages.client.post("/theme/", {"theme": "dark", "next": pages.agent("facts/")})
    assert response.url == pages.agent("facts/")  # type: ignore[attr-defined]
    assert 'data-theme="dark"' in pages.client.get(pages.agent("facts/")).content.decode()
    assert (
        'data-theme="dark"'
        in pages.client.get("/w/nowhere/", headers={"Accept": "text/html"}).content.decode()
    )
    assert pages.client.post("/theme/", {"theme": "pink"}).status_code == 404
    away = pages.client.post("/theme/", {"theme": "light", "next": "https://elsewhere.example/"})
    assert away.url == "/"  # type: ignore[attr-defined]
