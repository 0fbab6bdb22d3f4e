"""What somebody asks not to remember is remembered nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.lifecycle.off_record import LEFT_OUT, take_off_record
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.tasks import TranscriptMessage
from tests.lifecycle.conftest import SMALL_TALK, Read, Talks, add, reply, transcript

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("tries", ["fact", "note", "memory", "profile"])
def test_what_is_off_the_record_is_stored_nowhere(
    talks: Talks, model: ScriptedBackend, read: Read, tries: str
) -> None:
    """BC-009: even when the model leaks it, whatever field it uses."""
    leak = "User is interviewing elsewhere."
    attempts: dict[str, dict[str, Any]] = {
        "fact": {"operations": [add(leak, "project")]},
        "note": {"daily_entry": f"{leak}\nAsked about the weather."},
        "memory": {"memory_update": f"# Memory\n- {leak}\n- Likes sun\n"},
        "profile": {"profile_update": f"# Profile\n- {leak}\n"},
    }
    model.queue({**reply(**attempts[tries]), "reason": leak})
    conversation = talks.hold(
        "Please don't store this: I'm interviewing elsewhere.", "Understood.", *SMALL_TALK
    )
    [request] = read()
    assert "interviewing" not in transcript(request)
    stored = talks.everything.replace("Please don't store this: I'm interviewing elsewhere.", "")
    assert "interviewing" not in stored
    assert "off_record" in {entry["gate"] for entry in talks.readings[-1].refused}
    assert talks.reload(conversation).extracted_through == 6


def said(*texts: str) -> list[TranscriptMessage]:
    return [
        TranscriptMessage(n, "user" if n % 2 else "assistant", text) for n, text in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize(
    ("texts", "left", "private"),
    [
        pytest.param(
            (
                "Please don't store this: I'm interviewing elsewhere.",
                "Understood.",
                "What's the weather?",
                "Sunny",
            ),
            [LEFT_OUT, "Understood.", "What's the weather?", "Sunny"],
            "interviewing",
            id="announced with a colon",
        ),
        pytest.param(
            (
                "I moved to Porto. Off the record, I talk to Studio Nord.",
                "Good luck with Studio Nord!",
                "Bye",
                "Bye",
            ),
            [f"I moved to Porto. {LEFT_OUT}", LEFT_OUT, "Bye", "Bye"],
            "studio",
            id="one sentence among others, and the answer that repeats it",
        ),
        pytest.param(
            ("I'm planning to leave my wife.", "Oh.", "Please don't remember that.", "Sure."),
            [LEFT_OUT, "Oh.", LEFT_OUT, "Sure."],
            "wife",
            id="about what was said before",
        ),
        pytest.param(
            ("请不要记住：我在找新工作", "好的", "我住在杭州", "好"),
            [LEFT_OUT, "好的", "我住在杭州", "好"],
            "新工作",
            id="Chinese",
        ),
        pytest.param(
            ("No guardes esto: estoy buscando otro trabajo", "Vale"),
            [LEFT_OUT, "Vale"],
            "buscando",
            id="Spanish",
        ),
    ],
)
def test_a_request_takes_out_what_it_is_about(texts: tuple[str, ...], left: list[str], private: str) -> None:
    off_record = take_off_record(said(*texts))
    assert [message.text for message in off_record.messages] == left
    assert off_record.leaks_into(f"User … {private}")
    assert not off_record.leaks_into("User moved to Porto and asks about the weather.")


def test_what_is_said_openly_too_is_no_secret() -> None:
    talk = said(
        "Please don't store this: the party for Mira is on Friday.",
        "Sure.",
        "On Friday I am in Porto.",
        "Good.",
    )
    off_record = take_off_record(talk)
    assert off_record.leaks_into("There is a party")
    assert not off_record.leaks_into("As of today, user is in Porto on Friday")


def test_without_a_request_nothing_is_touched() -> None:
    talk = said("We never store passwords in plain text, that is our rule.", "Good rule.")
    assert take_off_record(talk).messages == tuple(talk)
