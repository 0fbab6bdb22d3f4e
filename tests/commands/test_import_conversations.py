"""Real conversations come in from a file: once, in order, masked, with every unusable line told."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Conversation, Event, Fact, Message, Owner
from tenants.scoping import workspace_scope
from tests.conftest import Person

pytestmark = pytest.mark.django_db

TALK: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": "Hello there!",
        "name": "Mel",
        "timestamp": "2023-05-08T13:56:00",
        "owner": "mel",
    },
    {"role": "assistant", "content": "Hello Mel.", "timestamp": "2023-05-08T13:56:30", "owner": "mel"},
    {"role": "user", "content": "I run every morning.", "timestamp": 1683554220, "owner": "mel"},
]


def write(path: Path, lines: Iterable[Any]) -> Path:
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def run(path: Path, *options: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(
        "import_conversations",
        str(path),
        "--agent",
        "juno",
        "--workspace",
        "harbour",
        *options,
        stdout=out,
        stderr=err,
    )
    return out.getvalue(), err.getvalue()


def messages(person: Person, owner: str = "api:mel") -> list[Message]:
    with workspace_scope(person.workspace):
        return list(
            Message.objects.filter(owner_key=owner)
            .select_related("conversation")
            .order_by("conversation", "number")
        )


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    return write(tmp_path / "talk.jsonl", TALK)


def test_messages_arrive_in_order_with_owner_name_and_time(alice: Person, talk: Path) -> None:
    out, _ = run(talk)
    stored = messages(alice)
    assert [message.text for message in stored] == [line["content"] for line in TALK]
    assert stored[0].name == "Mel"
    assert f"{stored[0].said_at:%Y-%m-%d %H:%M}" == "2023-05-08 13:56"
    assert stored[2].said_at.timestamp() == 1683554220
    conversation = stored[0].conversation
    assert (conversation.trigger, conversation.external_id) == (Conversation.Trigger.IMPORT, "talk")
    assert (conversation.channel, conversation.message_count) == ("api", 3)
    with workspace_scope(alice.workspace):
        assert Owner.objects.get().owner_key == "api:mel"
    assert "Imported 3 messages into 1 conversations" in out


def test_running_it_again_adds_only_what_is_new(alice: Person, talk: Path) -> None:
    run(talk)
    out, _ = run(talk)
    assert "Imported 0 messages" in out
    write(talk, [*TALK, {"role": "user", "content": "And on Sundays too.", "owner": "mel"}])
    run(talk)
    assert [message.number for message in messages(alice)] == [1, 2, 3, 4]


def test_a_trial_counts_and_stores_nothing(alice: Person, talk: Path) -> None:
    assert run(talk, "--dry-run")[0].startswith("Would import 3 messages into 1 conversations; 0 were there")
    assert messages(alice) == []
    run(talk, "--extract", "no")
    assert run(talk, "--dry-run")[0].startswith("Would import 0 messages into 1 conversations; 3 were there")


def test_a_run_that_was_stopped_goes_on_where_it_stopped(
    alice: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.management.commands import import_conversations
    from memoryapp.snapshots.foreign.talks import ConversationImport

    monkeypatch.setattr(import_conversations, "BATCH", 3)
    lines = [{"role": "user", "content": f"Line {number}", "owner": "mel"} for number in range(10)]
    path = write(tmp_path / "long.jsonl", lines)
    store, batches = ConversationImport.store, []

    def power_cut(task: ConversationImport, batch: Any) -> None:
        batches.append(batch)
        if len(batches) == 3:
            raise KeyboardInterrupt
        store(task, batch)

    monkeypatch.setattr(ConversationImport, "store", power_cut)
    with pytest.raises(KeyboardInterrupt):
        run(path)
    assert len(messages(alice)) == 6
    monkeypatch.setattr(ConversationImport, "store", store)
    run(path)
    assert [message.text for message in messages(alice)] == [line["content"] for line in lines]


def test_the_same_words_twice_in_a_conversation_are_two_messages(alice: Person, tmp_path: Path) -> None:
    lines = [{"role": "user", "content": "Good morning!", "owner": "mel", "timestamp": 1683554220}] * 3
    run(write(tmp_path / "mornings.jsonl", lines))
    assert len(messages(alice)) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json\n", "not JSON"),
        ('["a"]\n', "not a JSON object"),
        ('{"role": "user", "content": "x"}\n', "names no owner"),
        ('{"role": "narrator", "content": "x", "owner": "mel"}\n', "role"),
        ('{"role": "user", "content": "  ", "owner": "mel"}\n', "content"),
        ('{"role": "user", "content": ["x"], "owner": "mel"}\n', "content"),
        ('{"role": "user", "content": "x", "owner": "system"}\n', "reserved"),
        ('{"role": "user", "content": "x", "owner": "user:999"}\n', "no member"),
        ('{"role": "user", "content": "x", "owner": "mel", "timestamp": "yesterday"}\n', "timestamp"),
        ('{"role": "user", "content": "x", "owner": "mel", "timestamp": 1e300}\n', "timestamp"),
        ('{"role": "user", "content": "x", "owner": "mel", "conversation": 7}\n', "string"),
        ('{"role": "user", "content": "x", "owner": "mel", "name": 7}\n', "name"),
        ('{"role": "user", "content": "' + "x" * 64_001 + '", "owner": "mel"}\n', "64000"),
        ('{"role": "user", "content": "' + "x" * 2_000_000 + '", "owner": "mel"}\n', "longer"),
        ("[" * 100_000 + "\n", "line 2"),
    ],
)
def test_a_bad_line_is_told_and_counted_and_the_others_come_in(
    alice: Person, tmp_path: Path, line: str, reason: str
) -> None:
    path = write(tmp_path / "mixed.jsonl", [TALK[0], line, TALK[2]])
    out, err = run(path)
    assert err.startswith("line 2:")
    assert reason in err
    assert "1 lines could not be used" in out
    assert len(messages(alice)) == 2
    with pytest.raises(CommandError, match="line 2"):
        run(path, "--strict")


def test_owners_are_kept_apart_and_members_are_found(alice: Person, bob: Person, tmp_path: Path) -> None:
    owners = ["mel", "api:mel", "feishu:mel", f"user:{bob.user.pk}"]
    lines = [{"role": "user", "content": f"I am {owner}", "owner": owner} for owner in owners]
    run(write(tmp_path / "many.jsonl", lines))
    assert [message.text for message in messages(alice)] == ["I am mel", "I am api:mel"]
    assert len(messages(alice, "feishu:mel")) == 1
    assert len(messages(alice, bob.principal.owner_key)) == 1


def test_secrets_are_masked_on_the_way_in(alice: Person, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "abcdefghij" * 3 + "klmnop"
    lines = [{"role": "user", "content": f"The token is {secret}, keep it.", "owner": "mel"}]
    run(write(tmp_path / "secret.jsonl", lines))
    assert secret not in messages(alice)[0].text


def test_the_workers_read_what_was_imported(alice: Person, talk: Path, model: ScriptedBackend) -> None:
    operation = {"op": "ADD", "text": "User runs every morning", "category": "preference", "evidence": [3]}
    model.answer_always({"should_update": True, "reason": "habit", "operations": [operation]})
    run(talk)
    drain()
    with workspace_scope(alice.workspace):
        fact = Fact.objects.get()
    assert (fact.owner_key, fact.origin) == ("api:mel", Fact.Origin.IMPORT)
    assert f"{fact.said_at:%Y-%m-%d}" == "2023-05-08"


def test_now_reads_here_and_no_reads_nothing(alice: Person, talk: Path, model: ScriptedBackend) -> None:
    Event.objects.all().delete()
    run(talk, "--extract", "no")
    assert not Event.objects.filter(kind="extraction").exists()
    model.answer_always({"should_update": False, "reason": "nothing"})
    out, _ = run(talk, "--extract", "now")
    assert len(model.requests) == 1
    assert "0 facts kept" in out
    run(talk, "--extract", "now")
    assert len(model.requests) == 1, "what was read once is not read again"


def test_a_model_that_fails_is_told_and_the_rest_goes_on(
    alice: Person, tmp_path: Path, model: ScriptedBackend
) -> None:
    model.queue("no", "no", {"should_update": False, "reason": "nothing"})
    lines = [{**TALK[2], "conversation": name} for name in ("one", "two")]
    out, err = run(write(tmp_path / "two.jsonl", lines), "--extract", "now")
    assert "one of api:mel" in err
    assert "1 failed" in out


def test_memory_stays_bounded_however_long_the_file(
    alice: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.management.commands import import_conversations

    monkeypatch.setattr(import_conversations, "BATCH", 10)
    line = {"role": "tool", "content": "x" * 8_000, "owner": "mel"}
    path = write(tmp_path / "long.jsonl", [line] * 250)
    tracemalloc.start()
    run(path, "--extract", "no")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2, "a few batches, not the file"


@pytest.mark.parametrize("options", [["--workspace", "nowhere"], ["--agent", "stranger"]])
def test_unknown_targets_are_refused(alice: Person, talk: Path, options: list[str]) -> None:
    with pytest.raises(CommandError, match="There is no"):
        run(talk, *options)


def test_a_missing_file_is_refused(alice: Person, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "none.jsonl")
