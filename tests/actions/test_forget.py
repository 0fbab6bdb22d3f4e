"""Forgetting reaches every place a fact can be read, says so in a receipt, can be taken back, and then is final."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.utils import timezone
from psycopg import sql

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_lifecycle import delete_fact, merge_facts
from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import Forgotten, NewFact, add_fact, load_fact, update_fact
from memoryapp.actions.files import append_note, edit_file, load_file, write_file
from memoryapp.actions.forget import forget_fact, load_forgetting, purge_forgetting, undo_forget
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.models import (
    Contradiction,
    Conversation,
    Dream,
    DreamEntry,
    Event,
    Extraction,
    Fact,
    FactRevision,
    FileRevision,
    Message,
    WorkspaceFile,
)
from memoryapp.retrieval.indexing import embed_missing
from tenants.scoping import workspace_scope

NUTS = "Mira is allergic to nuts"
TODAY = date(2026, 7, 19)


def add(person, text, **fields):
    return add_fact(principal=person.principal, agent=person.agent, new=NewFact(text=text, **fields)).fact


def write(who, path, content, **options):
    options = {"scope": "PERSONAL", **options}
    return write_file(principal=who.principal, agent=who.agent, path=path, content=content, **options).file


def content(person, path, scope="PERSONAL"):
    return load_file(principal=person.principal, agent=person.agent, path=path, scope=scope).content


def forget(person, fact):
    return forget_fact(principal=person.principal, fact=fact)


def count_of(receipt, place):
    return sum(row["count"] for row in receipt.places if row["place"] == place)


def columns_holding(words: str) -> list[str]:
    """Every column of the database in which the words can still be read."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                sql.SQL("SELECT 1 FROM {} AS row WHERE row::text ILIKE %s").format(sql.Identifier(table)),
                [f"%{words}%"],
            )
            if cursor.fetchone():
                found.append(table)
    return found


@pytest.fixture
def remembered(alice):
    """Alice's nut allergy, everywhere the product can have written it."""
    row = {
        "workspace": alice.workspace,
        "agent": alice.agent,
        "owner_key": alice.principal.owner_key,
        "scope": "PERSONAL",
    }
    conversation = open_conversation(principal=alice.principal, agent=alice.agent)
    message = add_message(
        principal=alice.principal, conversation=conversation, role="user", text=f"{NUTS}. I run."
    )
    source = SourceSpan(message=message, start=0, end=len(NUTS))
    fact = add_fact(
        principal=alice.principal, agent=alice.agent, new=NewFact(text=NUTS), sources=[source]
    ).fact
    write(alice, "MEMORY.md", f"# Memory\n\n## Health\n- {NUTS}\n- Runs every day\n")
    append_note(principal=alice.principal, agent=alice.agent, day=TODAY, entry=f"{NUTS}\nSlept well")
    write(alice, "DREAMS.md", f'# Dreams\n\n## Night\n- Kept: "{NUTS}"\n')
    with workspace_scope(alice.workspace):
        dream = Dream.objects.create(**row, kind="nightly", status="succeeded", diary=f"- Kept: “{NUTS}”")
        DreamEntry.objects.create(
            **row, dream=dream, position=1, operation="add", after=f"- {NUTS}", fact=fact
        )
        Conversation.objects.filter(pk=conversation.pk).update(summary=f"They spoke of food. {NUTS}.")
        Extraction.objects.create(
            **row,
            conversation=conversation,
            first_number=1,
            last_number=1,
            status="succeeded",
            kept=[{"text": NUTS}],
        )
        Event.objects.create(
            workspace=alice.workspace,
            agent_id=alice.agent.pk,
            owner_key=alice.principal.owner_key,
            kind="extraction",
            status="SUCCEEDED",
            result={"kept": [NUTS]},
        )
    embed_missing(alice.workspace)
    return fact


def test_a_fact_goes_from_everywhere_and_the_receipt_says_where(alice, remembered):
    receipt = forget(alice, remembered)
    places = {row["place"] for row in receipt.places}
    assert {
        "facts", "embeddings", "MEMORY.md", f"memory/{TODAY}.md", "DREAMS.md", "dreams", "dream entries", "messages",
        "conversation summaries", "extractions", "events", "file history",
    } <= places  # fmt: skip
    assert content(alice, "MEMORY.md") == "# Memory\n\n## Health\n- Runs every day\n"
    assert content(alice, f"memory/{TODAY}.md") == f"# {TODAY}\n\n- Slept well\n"
    with pytest.raises(NotFound):
        load_fact(alice.principal, alice.agent, remembered.pk)
    with workspace_scope(alice.workspace):
        # While it can be taken back, only the hidden row itself still holds the words.
        assert columns_holding("allergic to nuts") == ["memoryapp_fact"]
        assert Message.objects.get().text == "[forgotten] I run."


def test_a_purge_leaves_the_words_in_no_column(alice, remembered):
    receipt = forget(alice, remembered)
    assert purge_forgetting(principal=alice.principal, forgetting_id=receipt.pk) == 1
    with workspace_scope(alice.workspace):
        assert columns_holding("allergic to nuts") == []
        history = FactRevision.objects.filter(fact_id=remembered.pk)
        assert {row.operation for row in history} == {"ADD", "DELETE"}
        assert purge_forgetting(principal=alice.principal, forgetting_id=receipt.pk) == 0


def test_a_hard_delete_is_final_at_once(alice, remembered):
    delete_fact(principal=alice.principal, fact=remembered)
    with workspace_scope(alice.workspace):
        assert columns_holding("allergic to nuts") == []
    with pytest.raises(Conflict):
        undo_forget(
            principal=alice.principal, forgetting=load_forgetting(alice.principal, alice.agent, remembered.pk)
        )


def test_undoing_puts_everything_back(alice, remembered):
    with workspace_scope(alice.workspace):
        before = columns_holding("allergic to nuts")
    texts = [content(alice, path) for path in ("MEMORY.md", f"memory/{TODAY}.md", "DREAMS.md")]
    receipt = forget(alice, remembered)
    undo_forget(principal=alice.principal, forgetting=receipt)
    assert [content(alice, path) for path in ("MEMORY.md", f"memory/{TODAY}.md", "DREAMS.md")] == texts
    assert load_fact(alice.principal, alice.agent, remembered.pk).status == "active"
    with workspace_scope(alice.workspace):
        assert columns_holding("allergic to nuts") == before
        assert Message.objects.get().text == f"{NUTS}. I run."
        assert Extraction.objects.get().kept == [{"text": NUTS}]
    add(alice, NUTS)  # no tombstone is left
    with pytest.raises(Conflict, match="already"):
        undo_forget(principal=alice.principal, forgetting=receipt)


def test_the_window_closes_after_ten_minutes(alice):
    receipt = forget(alice, add(alice, NUTS))
    with workspace_scope(alice.workspace):
        purge = Event.objects.get(kind="forget_purge")
    assert (purge.subject_id, purge.run_after) == (receipt.pk, receipt.undo_until)
    with time_machine.travel(timezone.now() + timedelta(minutes=10, seconds=1)), pytest.raises(Conflict):
        undo_forget(principal=alice.principal, forgetting=receipt)


def test_undoing_keeps_what_was_written_meanwhile(alice):
    fact = add(alice, NUTS)
    write(alice, "MEMORY.md", f"- {NUTS}\n- Runs\n")
    receipt = forget(alice, fact)
    write(alice, "MEMORY.md", "- Runs\n- Swims\n", person=True)
    undo_forget(principal=alice.principal, forgetting=receipt)
    assert content(alice, "MEMORY.md") == f"- {NUTS}\n- Runs\n- Swims\n"


def test_no_model_brings_it_back_but_the_person_does(alice):
    forget(alice, add(alice, NUTS))
    for again in (NUTS, f"- {NUTS.upper()}.", "**Mira** is allergic to nuts"):
        with pytest.raises(Forgotten):
            add(alice, again)
    write(alice, "MEMORY.md", f"- {NUTS}\n- Runs\n", origin="dream")
    assert content(alice, "MEMORY.md") == "- Runs\n"
    said = add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=NUTS), lift_tombstone=True)
    assert said.created
    write(alice, "MEMORY.md", f"- {NUTS}\n", origin="dream")
    assert content(alice, "MEMORY.md") == f"- {NUTS}\n"


def test_a_person_may_write_it_into_a_file_again(alice):
    forget(alice, add(alice, NUTS))
    write(alice, "MEMORY.md", f"- {NUTS}\n", person=True)
    assert content(alice, "MEMORY.md") == f"- {NUTS}\n"


def test_a_model_cannot_smuggle_it_into_another_fact(alice):
    forget(alice, add(alice, NUTS))
    other = add(alice, "Runs every day")
    with pytest.raises(Forgotten):
        update_fact(principal=alice.principal, fact=other, text=NUTS, by_model=True)


def test_every_copy_and_every_part_goes_too(alice):
    dog, poppy = add(alice, "User has a dog"), add(alice, "The dog is Poppy")
    merged = merge_facts(
        principal=alice.principal, keep=dog, absorbed=[poppy], text="User has a dog named Poppy"
    )
    add(alice, "User has a dog named Poppy", run_id="another")
    append_note(principal=alice.principal, agent=alice.agent, day=TODAY, entry="The dog is Poppy")
    receipt = forget(alice, merged)
    assert count_of(receipt, "facts") == 3
    assert "Poppy" not in content(alice, f"memory/{TODAY}.md")
    with workspace_scope(alice.workspace):
        assert not Fact.objects.exclude(status="forgotten").exists()


def test_a_longer_fact_keeps_the_rest(alice):
    both = add(alice, "Mira is allergic to nuts and lives in Porto")
    receipt = forget(alice, add(alice, NUTS))
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(pk=both.pk).text == "lives in Porto"
    undo_forget(principal=alice.principal, forgetting=receipt)
    with workspace_scope(alice.workspace):
        assert Fact.objects.get(pk=both.pk).text == "Mira is allergic to nuts and lives in Porto"


def test_what_was_not_meant_stays(alice):
    fact = add(alice, "Likes tea")
    write(alice, "MEMORY.md", "- Likes green tea in winter\n- Mother likes tea\n- Likes tea\n")
    add(alice, "Does not like tea with milk")
    forget(alice, fact)
    assert content(alice, "MEMORY.md") == "- Likes green tea in winter\n- Mother likes tea\n"
    with workspace_scope(alice.workspace):
        assert Fact.objects.filter(status="active").count() == 1


def test_nobody_else_loses_anything_and_nobody_else_can_do_it(alice, bob, charlie):
    mine, theirs = add(alice, NUTS), add(bob, NUTS)
    write(bob, "MEMORY.md", f"- {NUTS}\n")
    for stranger in (bob, charlie):
        with pytest.raises(NotFound):
            forget(stranger, mine)
    receipt = forget(alice, mine)
    for stranger in (bob, charlie):
        with pytest.raises(NotFound):
            load_forgetting(stranger.principal, alice.agent, mine.pk)
        with pytest.raises(NotFound):
            undo_forget(principal=stranger.principal, forgetting=receipt)
    assert content(bob, "MEMORY.md") == f"- {NUTS}\n"
    assert load_fact(bob.principal, bob.agent, theirs.pk).status == "active"


def test_a_member_forgets_from_shared_files_too_but_an_end_user_never_does(alice):
    write(alice, "MEMORY.md", f"- {NUTS}\n", scope="TEAM")
    customer = alice.principal.acting_as("customer-7")
    theirs = add_fact(principal=customer, agent=alice.agent, new=NewFact(text=NUTS)).fact
    forget_fact(principal=customer, fact=theirs)
    assert content(alice, "MEMORY.md", scope="TEAM") == f"- {NUTS}\n"
    forget(alice, add(alice, NUTS))
    assert content(alice, "MEMORY.md", scope="TEAM") == ""


def test_a_viewer_cannot_forget_for_the_team(alice, vera):
    shared = add(alice, "The office closes at 18:00", scope="TEAM")
    with pytest.raises(NotPermitted):
        forget(vera, shared)
    write(alice, "MEMORY.md", "- The office closes at 18:00\n", scope="TEAM")
    forget(vera, add(vera, "The office closes at 18:00"))
    assert content(alice, "MEMORY.md", scope="TEAM") == "- The office closes at 18:00\n"


def test_forgetting_twice_or_with_the_switch_off_is_refused(alice, settings):
    fact = add(alice, NUTS)
    forget(alice, fact)
    with pytest.raises(NotFound):
        forget(alice, fact)
    settings.MEMORY_FACT_FORGET_ENABLED = False
    with pytest.raises(NotPermitted):
        forget(alice, add(alice, "Runs"))


def test_an_immutable_fact_can_be_forgotten_by_its_person(alice):
    assert count_of(forget(alice, add(alice, "User is called Mira", category="identity")), "facts") == 1


def test_said_anew_before_undoing_there_is_one_fact(alice):
    fact = add(alice, NUTS)
    receipt = forget(alice, fact)
    again = add_fact(
        principal=alice.principal, agent=alice.agent, new=NewFact(text=NUTS), lift_tombstone=True
    ).fact
    undo_forget(principal=alice.principal, forgetting=receipt)
    with workspace_scope(alice.workspace):
        assert [row.pk for row in Fact.objects.all()] == [again.pk]


def test_file_history_does_not_give_it_back(alice):
    write(alice, "MEMORY.md", f"- {NUTS}\n- Runs\n")
    edit_file(
        principal=alice.principal, agent=alice.agent, path="MEMORY.md", old_text="Runs", new_text="Swims",
        scope="PERSONAL",
    )  # fmt: skip
    forget(alice, add(alice, NUTS))
    with workspace_scope(alice.workspace):
        revisions = FileRevision.objects.filter(owner_key=alice.principal.owner_key)
        assert not any("nuts" in row.before + row.after for row in revisions)
        file = WorkspaceFile.objects.get(owner_key=alice.principal.owner_key, path="MEMORY.md")
        assert sorted(row.number for row in revisions) == list(range(1, file.version + 1))


def test_contradictions_about_it_go_with_the_purge(alice):
    old, new = add(alice, "Lives in Lyon"), add(alice, "Lives in Porto")
    row = {"workspace": alice.workspace, "agent": alice.agent, "owner_key": alice.principal.owner_key}
    with workspace_scope(alice.workspace):
        Contradiction.objects.create(**row, scope="PERSONAL", fact_a=old, fact_b=new, reason="Lyon or Porto")
    receipt = forget(alice, old)
    purge_forgetting(principal=alice.principal, forgetting_id=receipt.pk)
    with workspace_scope(alice.workspace):
        assert not Contradiction.objects.exists()
