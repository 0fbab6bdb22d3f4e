"""What the pages of the night cost does not grow with what a night did, stays small, and changes only on purpose."""

from __future__ import annotations

import pytest

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import DreamEntry
from tenants.scoping import workspace_scope
from tests.dashboard.nights import lived_night, waiting_facts
from tests.query_counts import assert_as_before, counted

MOST = 15
PAGES = {
    "dreams": "dreams/",
    "dreams-report": "dreams/NIGHT/",
    "dreams-candidates": "dreams/candidates/",
    "dreams-candidates, team": "dreams/candidates/?of=team",
    "dreams-schedule": "dreams/schedule/",
    "inbox": "inbox/",
    "inbox-review": "inbox/reviews/REVIEW/",
    "files-why": "files/why/personal/MEMORY.md",
    "playground-card": "playground/card/",
}


def add_more(alice, night, first):
    who = {"principal": alice.principal, "agent": alice.agent}
    facts = [
        add_fact(**who, new=NewFact(text=f"Alice keeps thing {n} in the shed")).fact
        for n in range(first, first + 12)
    ]
    waiting_facts(alice, *(f"Alice may like thing {n}" for n in range(first, first + 12)))
    with workspace_scope(alice.workspace):
        own = {
            "workspace": alice.workspace,
            "agent": alice.agent,
            "owner_key": alice.principal.owner_key,
            "scope": "PERSONAL",
            "dream": night.dream,
            "path": "MEMORY.md",
        }
        DreamEntry.objects.bulk_create(
            DreamEntry(
                **own,
                position=100 + n,
                operation="add" if n % 2 else "keep",
                gate="" if n % 2 else "recalls",
                after=f"- {fact.text}",
                fact=fact,
                sources=[{"path": f"memory/2026-05-{n % 12 + 1:02}.md"}, {"factId": str(fact.pk)}],
            )
            for n, fact in enumerate(facts, start=first)
        )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_as_many_statements_for_much_as_for_little(name, pages, alice):
    night = lived_night(alice)
    review = waiting_facts(alice, "Alice may prefer calls")[0]
    path = pages.agent(PAGES[name].replace("NIGHT", str(night.dream.pk)).replace("REVIEW", str(review.pk)))
    add_more(alice, night, 0)
    pages.client.get(path)
    with counted() as little:
        assert pages.client.get(path).status_code == 200
    add_more(alice, night, 12)
    with counted() as much:
        assert pages.client.get(path).status_code == 200
    assert len(much) == len(little), "\n".join(much.statements)
    assert len(much) <= MOST, "\n".join(much.statements)
    assert_as_before(f"page:{name}", much)
