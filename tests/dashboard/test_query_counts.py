"""What a page costs does not grow with what it shows, stays below fifteen statements, and changes only on purpose."""

from __future__ import annotations

import pytest

from memoryapp.actions.conversations import add_message
from memoryapp.actions.events import request_job
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.models import Conversation, Fact, Owner
from tenants.actions import issue_token
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages
from tests.query_counts import assert_as_before, counted

MOST = 15
PAGES = {
    "overview": "a/juno/overview/",
    "playground": "a/juno/playground/",
    "playground-memory": "a/juno/playground/memory/?c=weekly",
    "facts": "a/juno/facts/",
    "facts, one open": "a/juno/facts/?open=FACT",
    "facts, filtered": "a/juno/facts/?category=preference&trust=high",
    "facts, searched": "a/juno/facts/?q=monday+summary",
    "facts-trust": "a/juno/facts/trust/",
    "facts-row": "a/juno/facts/FACT/?open=FACT",
    "facts-forget": "a/juno/facts/FACT/forget/",
    "recall": "a/juno/recall/",
    "recall, asked": "a/juno/recall/?q=monday+summary&why=FACT&filter=%7B%22scope%22%3A%22PERSONAL%22%7D",
    "files": "a/juno/files/",
    "rules": "a/juno/rules/",
    "files, revisions": "a/juno/files/shared/MEMORY.md?revisions=1",
    "agents": "agents/",
    "people": "people/",
    "people-you": "people/you/",
    "people-person": "people/OWNER/",
    "people-person, facts": "people/OWNER/?tab=facts",
    "people-person, files": "people/OWNER/?tab=files",
    "people-person, conversations": "people/OWNER/?tab=conversations&fact=FACT",
    "operations": "operations/",
    "account": "account/",
    "usage": "usage/",
    "settings": "settings/",
    "settings-memory": "settings/memory/",
    "settings-model": "settings/model/",
    "settings-secrets": "settings/secrets/",
    "settings-sources": "settings/sources/",
    "settings-access": "settings/access/",
    "settings-audit": "settings/audit/",
    "settings-backups": "settings/backups/",
}


def add_more_of_everything(alice: Person, conversation: Conversation) -> None:
    who = {"principal": alice.principal, "agent": alice.agent}
    for number in range(12):
        add_fact(**who, new=NewFact(text=f"Thing {number} stands in the shed.", category="preference"))  # type: ignore[arg-type]
        write_file(**who, path=f"notes-{number}.md", content=f"Note {number}.\n")  # type: ignore[arg-type]
        write_file(**who, path="MEMORY.md", content=f"# Memory\n\n- {number}\n")  # type: ignore[arg-type]
        request_job(principal=alice.principal, kind="chore")
        issue_token(principal=alice.principal, name=f"token {number}")
        add_message(
            principal=alice.principal, conversation=conversation, role="user", text=f"Message {number}."
        )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_as_many_statements_for_much_as_for_little(
    name: str, pages: Pages, alice: Person, conversation: Conversation, fact: Fact
) -> None:
    with workspace_scope(alice.workspace):
        owner = Owner.objects.get(owner_key=alice.principal.owner_key)
    path = pages.workspace(PAGES[name].replace("FACT", str(fact.pk)).replace("OWNER", str(owner.pk)))
    pages.client.get(path)
    with counted() as little:
        assert pages.client.get(path).status_code == 200
    add_more_of_everything(alice, conversation)
    with counted() as much:
        assert pages.client.get(path).status_code == 200
    assert len(much) == len(little), "\n".join(much.statements)
    assert len(much) <= MOST, "\n".join(much.statements)
    assert_as_before(f"page:{name}", much)
