"""The command line dreams like the night does, and says what came of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from memoryapp.llm.errors import ModelUnavailable
from tests.lifecycle.nights import Memory, offline_rules


def recurring(memory):
    today = memory.bucket.today()
    for back in range(3):
        memory.note(today - timedelta(days=back), "Oat milk with every coffee")


def test_it_dreams_of_one_owner_of_the_shared_memory_or_of_everybody(alice, bob, capsys):
    mine, theirs, shared = Memory(alice), Memory(bob), Memory(alice, shared=True)
    for memory in (mine, theirs, shared):
        recurring(memory)
    with offline_rules():
        call_command("dream", "harbour", "juno", owner=alice.principal.owner_key)
        assert "1 promoted" in capsys.readouterr().out
        assert ("Oat milk" in mine.text(), "Oat milk" in theirs.text(), "Oat milk" in shared.text()) == (
            True,
            False,
            False,
        )
        call_command("dream", "harbour", "juno", everybody=True)
    assert "Oat milk" in theirs.text() + shared.text()
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_dry_run_changes_nothing(alice, capsys):
    memory = Memory(alice, shared=True)
    recurring(memory)
    with offline_rules():
        call_command("dream", "harbour", "juno", dry_run=True)
    assert "1 promoted" in capsys.readouterr().out
    assert "Oat milk" not in memory.text()


def test_what_does_not_exist_or_fails_is_an_error(alice, model):
    for arguments in (("quarry", "juno"), ("harbour", "nova")):
        with pytest.raises(CommandError, match="There is no"):
            call_command("dream", *arguments)
    recurring(Memory(alice, shared=True))
    model.answer_always(ModelUnavailable())
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("dream", "harbour", "juno")
