"""Before something is forgotten: what would go is counted by the very code that forgets, and nothing has gone."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memoryapp.actions.files import write_file
from memoryapp.models import Fact, FileRevision, Tombstone, WorkspaceFile
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.dashboard.conftest import Pages


def test_what_would_go_is_shown_and_stays(pages: Pages, alice: Person, fact: Fact) -> None:
    line = f"# Memory\n\n- {fact.text}\n- Something else\n"
    file = write_file(
        principal=alice.principal, agent=alice.agent, path="MEMORY.md", content=line, scope="PERSONAL"
    ).file
    with workspace_scope(alice.workspace):
        before = FileRevision.objects.count()
    asked = pages.client.get(pages.agent(f"facts/{fact.pk}/forget/")).content.decode()
    assert "Show everything that would go" in asked
    shown = pages.client.post(pages.agent("facts/foresee/"), {"fact": str(fact.pk)})
    assert {"facts", "MEMORY.md"} <= set(shown.context["places"])
    assert "This is what would go:" in shown.content.decode()
    part = pages.client.post(
        pages.agent("facts/foresee/"), {"fact": str(fact.pk)}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "<html" not in part
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(pk=fact.pk).status == Fact.Status.ACTIVE
        assert WorkspaceFile.objects.get(pk=file.pk).content == line
        assert FileRevision.objects.count() == before
        assert not Tombstone.objects.exists()


def test_what_is_not_ones_own_is_not_foreseen(bob: Person, fact: Fact) -> None:
    answer = Pages(bob).client.post(Pages(bob).agent("facts/foresee/"), {"fact": str(fact.pk)})
    assert answer.status_code == 404


def test_trust_stands_across_the_top(pages: Pages, alice: Person, fact: Fact) -> None:
    with workspace_scope(alice.workspace):
        Fact.objects.filter(pk=fact.pk).update(confirmed_at=timezone.now() - timedelta(days=40))
    assert "facts/trust/" in pages.client.get(pages.agent("facts/")).content.decode()
    strip = pages.client.get(pages.agent("facts/trust/"), headers={"HX-Request": "true"}).content.decode()
    assert "1 falls below 0.30 soon" in strip
    assert fact.text in strip
    assert "<html" not in strip
