"""Every form as a browser without script sends it."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.actions.facts import update_fact
from memoryapp.actions.files import load_file, write_file
from memoryapp.models import Agent, Event, Fact, FactFeedback, WorkspaceFile
from tenants.models import AccessToken, Workspace
from tenants.scoping import Scope, workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages


def facts_of(person: Person) -> list[Fact]:
    with workspace_scope(person.workspace):
        return list(Fact.objects.visible_to(person.principal).exclude(status="forgotten").order_by("pk"))


def reload(person: Person, fact: Fact) -> Fact:
    with workspace_scope(person.workspace):
        return Fact.objects.visible_to(person.principal).get(pk=fact.pk)


# --- Facts ------------------------------------------------------------------------------------------------------------


def test_a_fact_is_added(pages: Pages, alice: Person) -> None:
    form = {"text": "Deliveries end at noon.", "category": "rule", "scope": "TEAM"}
    response = pages.client.post(pages.agent("facts/add/"), form, follow=True)
    assert "Added." in response.content.decode()
    (fact,) = facts_of(alice)
    assert (fact.text, fact.category, fact.scope) == ("Deliveries end at noon.", "rule", Scope.TEAM)


def test_a_blank_fact_is_refused_where_it_was_written(pages: Pages) -> None:
    response = pages.client.post(pages.agent("facts/add/"), {"text": " ", "scope": "PERSONAL"})
    assert response.status_code == 400
    assert 'aria-invalid="true"' in response.content.decode()


def test_a_viewer_cannot_choose_the_team(vera: Person) -> None:
    pages = Pages(vera)
    assert "Team" not in pages.client.get(pages.agent("facts/add/")).content.decode().split("Who sees it")[1]
    response = pages.client.post(pages.agent("facts/add/"), {"text": "For all.", "scope": "TEAM"})
    assert response.status_code == 400


def test_a_fact_is_edited_and_the_edit_undone(pages: Pages, alice: Person, fact: Fact) -> None:
    form = {"text": "Alice wants no summary.", "version": fact.version}
    response = pages.client.post(pages.agent(f"facts/{fact.pk}/edit/"), form, follow=True)
    html = response.content.decode()
    assert reload(alice, fact).text == "Alice wants no summary."
    undo = html.split('<form method="post" action="')[-1].split('"')[0]
    assert f"facts/{fact.pk}/undo/" in undo
    pages.client.post(undo)
    assert reload(alice, fact).text == fact.text


def test_an_edit_of_an_old_version_is_refused_in_a_sentence(pages: Pages, alice: Person, fact: Fact) -> None:
    form = {"text": "Other words.", "version": fact.version + 7}
    html = pages.client.post(pages.agent(f"facts/{fact.pk}/edit/"), form, follow=True).content.decode()
    assert "has changed since you read it" in html
    assert ">Other words.</textarea>" in html, "what was typed is not lost"
    assert (
        "Other words." not in pages.client.get(pages.agent(f"facts/?open={fact.pk}&edit=1")).content.decode()
    )
    assert reload(alice, fact).text == fact.text


def test_a_fact_is_pinned_and_let_go(pages: Pages, alice: Person, fact: Fact) -> None:
    back = pages.agent("facts/?category=preference")
    response = pages.client.post(pages.agent(f"facts/{fact.pk}/pin/"), {"pinned": "1", "next": back})
    assert response.url == back  # type: ignore[attr-defined]
    assert reload(alice, fact).pinned
    pages.client.post(pages.agent(f"facts/{fact.pk}/pin/"), {"pinned": "0"})
    assert not reload(alice, fact).pinned


def test_thumbs_count_once_and_the_latest_holds(pages: Pages, alice: Person, fact: Fact) -> None:
    for _ in range(30):
        pages.client.post(pages.agent(f"facts/{fact.pk}/judge/"), {"kind": "helpful"})
    assert reload(alice, fact).helpful_count == 1
    pages.client.post(pages.agent(f"facts/{fact.pk}/judge/"), {"kind": "unhelpful"})
    assert (reload(alice, fact).helpful_count, reload(alice, fact).unhelpful_count) == (0, 1)
    pages.client.post(pages.agent(f"facts/{fact.pk}/judge/"), {"kind": ""})
    with workspace_scope(alice.workspace):
        assert not FactFeedback.objects.visible_to(alice.principal).exists()


@pytest.mark.parametrize(("decision", "status"), [("approve", "active"), ("decline", "forgotten")])
def test_a_waiting_fact_is_decided_and_the_decision_taken_back(
    pages: Pages, alice: Person, fact: Fact, decision: str, status: str
) -> None:
    update_fact(principal=alice.principal, fact=fact, status="pending")
    opened = pages.client.get(pages.agent(f"facts/?status=pending&open={fact.pk}")).content.decode()
    assert "Approve" in opened
    where = pages.agent(f"facts/{fact.pk}/review/")
    html = pages.client.post(where, {"do": decision}, follow=True).content.decode()
    assert reload(alice, fact).status == status
    undo = html.split('class="undo"')[0].split('action="')[-1].split('"')[0]
    pages.client.post(undo)
    assert reload(alice, fact).status == "pending"
    assert pages.client.post(where, {"do": "burn"}).status_code == 404


def test_htmx_gets_the_row_and_nothing_else(pages: Pages, fact: Fact) -> None:
    headers = {"HX-Request": "true", "HX-Target": f"fact-{fact.pk}"}
    response = pages.client.post(pages.agent(f"facts/{fact.pk}/pin/"), {"pinned": "1"}, headers=headers)
    html = response.content.decode()
    assert html.strip().startswith("<tbody")
    assert "<html" not in html
    assert "HX-Request" in response.headers["Vary"]


def test_forgetting_asks_then_forgets_and_can_be_taken_back(pages: Pages, alice: Person, fact: Fact) -> None:
    where = pages.agent(f"facts/{fact.pk}/forget/")
    asked = pages.client.get(where).content.decode()
    assert fact.text in asked
    assert facts_of(alice)
    html = pages.client.post(where, follow=True).content.decode()
    assert "1 fact forgotten" in html
    assert not facts_of(alice)
    undo = html.split('class="undo"')[0].split('action="')[-1].split('"')[0]
    pages.client.post(undo)
    assert [known.text for known in facts_of(alice)] == [fact.text]


def test_selected_facts_are_pinned_and_forgotten(pages: Pages, alice: Person, fact: Fact) -> None:
    pages.client.post(pages.agent("facts/add/"), {"text": "Shared by all.", "scope": "TEAM"})
    ids = [str(known.pk) for known in facts_of(alice)]
    pages.client.post(pages.agent("facts/selected/"), {"fact": ids, "do": "pin"})
    assert all(known.pinned for known in facts_of(alice))
    asked = pages.client.post(pages.agent("facts/selected/"), {"fact": ids, "do": "forget"})
    assert "Forget these 2 everywhere?" in asked.content.decode()
    assert len(facts_of(alice)) == 2
    done = pages.client.post(
        pages.agent("facts/selected/"), {"fact": ids, "do": "forget", "sure": "1"}, follow=True
    )
    assert "2 facts forgotten" in done.content.decode()
    assert not facts_of(alice)


def test_a_selection_of_somebody_elses_facts_changes_nothing(bob: Person, alice: Person, fact: Fact) -> None:
    pages = Pages(bob)
    pages.client.post(
        pages.agent("facts/selected/"), {"fact": [str(fact.pk), "no-id"], "do": "forget", "sure": "1"}
    )
    assert facts_of(alice)


# --- Files ------------------------------------------------------------------------------------------------------------


def memory_file(person: Person) -> WorkspaceFile:
    return load_file(principal=person.principal, agent=person.agent, path="MEMORY.md")


def test_a_file_is_saved_with_the_version_that_was_read(pages: Pages, alice: Person) -> None:
    form = {"content": "# Memory\r\n\r\nNew.\r\n", "etag": memory_file(alice).etag}
    html = pages.client.post(pages.agent("files/shared/MEMORY.md"), form, follow=True).content.decode()
    assert "Saved." in html
    assert memory_file(alice).content == "# Memory\n\nNew.\n"


def test_a_conflict_keeps_the_typed_text_and_offers_both(pages: Pages, alice: Person) -> None:
    write_file(
        principal=alice.principal,
        agent=alice.agent,
        path="MEMORY.md",
        content="# A\n\n- one\n- two\n- three\n",
    )
    read = memory_file(alice)
    write_file(
        principal=alice.principal,
        agent=alice.agent,
        path="MEMORY.md",
        content="# A\n\n- one\n- two\n- drei\n",
    )
    form = {"content": "# A\n\n- uno\n- two\n- three\n", "etag": read.etag}
    response = pages.client.post(pages.agent("files/shared/MEMORY.md"), form)
    html = response.content.decode()
    assert response.status_code == 409
    assert "MEMORY.md changed while you were editing." in html
    assert "- uno" in html
    assert "Save both merged" in html
    merged = response.context["conflict"]["merged"]
    pages.client.post(
        pages.agent("files/shared/MEMORY.md"), {"content": merged, "etag": memory_file(alice).etag}
    )
    assert memory_file(alice).content == "# A\n\n- uno\n- two\n- drei\n"


def test_revisions_are_shown_compared_and_restored(pages: Pages, alice: Person) -> None:
    before = memory_file(alice).content
    pages.client.post(
        pages.agent("files/shared/MEMORY.md"), {"content": "# Other\n", "etag": memory_file(alice).etag}
    )
    html = pages.client.get(pages.agent("files/shared/MEMORY.md?revisions=2")).content.decode()
    assert "Revision 2 against the one before it" in html
    assert "<ins>" in html or 'class="added"' in html
    pages.client.post(pages.agent("files/restore/1/"), {"path": "MEMORY.md", "scope": "TEAM"})
    assert memory_file(alice).content == before


def test_files_are_switched_and_ordered(pages: Pages, alice: Person) -> None:
    def order() -> list[str]:
        with workspace_scope(alice.workspace):
            files = WorkspaceFile.objects.visible_to(alice.principal).filter(enabled=True)
            return list(files.values_list("path", flat=True))

    where = pages.agent("files/arrange/")
    pages.client.post(where, {"path": "MEMORY.md", "do": "up"})
    assert order() == ["AGENTS.md", "SOUL.md", "MEMORY.md", "PROFILE.md"]
    pages.client.post(where, {"path": "AGENTS.md", "do": "off"})
    assert order() == ["SOUL.md", "MEMORY.md", "PROFILE.md"]
    pages.client.post(where, {"path": "AGENTS.md", "do": "on"})
    pages.client.post(where, {"path": "SOUL.md", "do": "down"})
    assert order() == ["MEMORY.md", "SOUL.md", "PROFILE.md", "AGENTS.md"]


def test_files_are_made_and_deleted(pages: Pages, alice: Person) -> None:
    response = pages.client.post(pages.agent("files/new/"), {"path": "NOTES", "scope": "PERSONAL"})
    assert response.url == pages.agent("files/personal/NOTES.md")  # type: ignore[attr-defined]
    html = pages.client.post(pages.agent("files/new/"), {"path": "../x.md"}, follow=True).content.decode()
    assert "triangle-alert" in html
    response = pages.client.post(pages.agent("files/delete/"), {"path": "NOTES.md", "scope": "PERSONAL"})
    assert response.status_code == 302
    assert pages.client.get(pages.agent("files/personal/NOTES.md")).status_code == 404


def test_the_preview_is_rendered_and_safe(pages: Pages) -> None:
    where = pages.agent("files/preview/")
    html = pages.client.post(where, {"content": "# Hi\n\n<img src=x onerror=window.__x=1>"}).content.decode()
    assert "<h3>Hi</h3>" in html
    assert "<img" not in html


def test_a_viewer_reads_shared_files_and_writes_only_their_own(vera: Person) -> None:
    pages = Pages(vera)
    html = pages.client.get(pages.agent("files/shared/MEMORY.md")).content.decode()
    assert "readonly" in html
    assert "Only members can change shared files." in html
    pages.client.post(pages.agent("files/shared/MEMORY.md"), {"content": "mine"})
    assert memory_file(vera).content != "mine"


# --- Workspace --------------------------------------------------------------------------------------------------------


def test_an_agent_is_made_with_a_name_alone(pages: Pages, alice: Person) -> None:
    response = pages.client.post(pages.workspace("agents/"), {"name": "Night Desk"})
    assert response.url == pages.workspace("a/night-desk/overview/")  # type: ignore[attr-defined]
    again = pages.client.post(pages.workspace("agents/"), {"name": "Night Desk"})
    assert again.status_code == 400
    assert "has this slug already" in again.content.decode()
    with workspace_scope(alice.workspace):
        assert Agent.objects.visible_to(alice.principal).count() == 2


def test_a_member_cannot_make_agents(bob: Person) -> None:
    pages = Pages(bob)
    assert "New agent" not in pages.client.get(pages.workspace("agents/")).content.decode()
    assert pages.client.post(pages.workspace("agents/"), {"name": "X", "slug": "x"}).status_code in {400, 403}


def test_a_token_is_shown_once_and_revoked(pages: Pages) -> None:
    form = {"name": "Booking site", "scopes": ["chat", "memory:read"], "expires": "30", "end_user": "c-7"}
    html = pages.client.post(pages.workspace("settings/access/"), form).content.decode()
    token = AccessToken.objects.get(name="Booking site")
    plain = html.split('id="fresh-token" value="')[1].split('"')[0]
    assert AccessToken.digest_of(plain) == token.digest
    assert (token.scopes, token.end_user) == (["chat", "memory:read"], "c-7")
    assert plain not in pages.client.get(pages.workspace("settings/access/")).content.decode()
    pages.client.post(pages.workspace("settings/access/revoke/"), {"token": str(token.pk)})
    token.refresh_from_db()
    assert not token.usable


def test_somebody_elses_token_is_not_found(bob: Person, pages: Pages) -> None:
    token = AccessToken.objects.exclude(user=bob.user).first()
    assert token is not None
    response = Pages(bob).client.post(pages.workspace("settings/access/revoke/"), {"token": str(token.pk)})
    assert response.status_code == 404


def test_the_workspace_is_renamed_and_moved(pages: Pages, alice: Person) -> None:
    form = {"name": "Harbour Logistics", "time_zone": "Europe/Amsterdam", "language": "zh-hans"}
    pages.client.post(pages.workspace("settings/"), form)
    workspace = Workspace.objects.get(pk=alice.workspace.pk)
    assert {name: getattr(workspace, name) for name in form} == form
    assert pages.client.post(pages.workspace("settings/"), {**form, "time_zone": "Mars"}).status_code == 400


def test_a_model_is_set_its_key_sealed_and_never_shown(pages: Pages, alice: Person, settings: Any) -> None:
    settings.ALLOW_PRIVATE_URLS = True
    assert "Offline mode" in pages.client.get(pages.agent("overview/")).content.decode()
    key = "-".join(["a", "made", "up", "key"])
    form = {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "tiny", "llm_api_key": key}
    assert pages.client.post(pages.workspace("settings/model/"), form).status_code == 302
    workspace = Workspace.objects.get(pk=alice.workspace.pk)
    assert workspace.unseal("llm_api_key") == key
    page = pages.client.get(pages.workspace("settings/model/")).content.decode()
    assert key not in page
    assert "Offline mode" not in page
    pages.client.post(pages.workspace("settings/model/"), {**form, "llm_api_key": "", "forget_key": "on"})
    assert Workspace.objects.get(pk=alice.workspace.pk).unseal("llm_api_key") == ""


def test_a_bad_model_address_is_refused_with_the_way_out(pages: Pages) -> None:
    response = pages.client.post(pages.workspace("settings/model/"), {"llm_base_url": "htps://x"})
    assert response.status_code == 400
    assert "Start with http:// or https://" in response.content.decode()


def test_a_failed_job_tells_why_and_is_tried_again(pages: Pages, alice: Person) -> None:
    event = Event.objects.create(
        workspace=alice.workspace,
        kind="extract",
        owner_key=alice.principal.owner_key,
        status="FAILED",
        reason="Cut off.",
    )
    assert "Cut off." in pages.client.get(pages.workspace("operations/")).content.decode()
    html = pages.client.post(
        pages.workspace("operations/retry/"), {"event": str(event.pk)}, follow=True
    ).content.decode()
    assert "1 job will be tried again." in html
    event.refresh_from_db()
    assert event.status == Event.Status.PENDING


@pytest.mark.parametrize("role", ["vera"])
def test_a_viewer_cannot_retry(role: str, request: pytest.FixtureRequest) -> None:
    pages = Pages(request.getfixturevalue(role))
    assert pages.client.post(pages.workspace("operations/retry/")).status_code == 403
