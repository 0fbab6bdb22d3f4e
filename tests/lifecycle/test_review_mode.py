"""In review mode nothing that waits for a person's word reaches a prompt by any way: fact, file or note."""

from __future__ import annotations

import pytest

from memoryapp.actions.agents import update_agent
from tests.lifecycle.conftest import add, reply

TEXTS = {"daily_entry": "User likes jazz\nUser runs", "profile_update": "- User likes jazz\n- User runs\n"}


@pytest.mark.parametrize(
    ("mode", "files"),
    [("all", ("", "")), ("low_confidence", ("- User runs\n", "User runs")), ("off", ("both", "both"))],
)
def test_what_waits_stands_in_no_file(alice, talks, model, read, mode, files):
    update_agent(principal=alice.principal, agent=alice.agent, review_mode=mode)
    doubtful = add("User likes jazz", confidence=0.5)
    model.queue(reply(operations=[doubtful, add("User runs", confidence=0.9)], **TEXTS))
    talks.hold("Please remember: I think I like jazz, and I run.", "Noted.")
    read()
    profile, note = talks.text("PROFILE.md"), talks.note
    if mode == "off":
        assert "jazz" in profile + note
        return
    assert "jazz" not in profile + note
    assert (profile, "User runs" in note) == (files[0], bool(files[1]))
    assert talks.facts == (["User runs"] if mode == "low_confidence" else [])
