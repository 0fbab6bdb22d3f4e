"""No credential is stored by an extraction, sent to its model, or shown in its record. Values are made at test time."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from typing import Any

import pytest

from memoryapp.lifecycle.extraction import NewMessage, extract_messages
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.types import ChatRequest
from tests.lifecycle.conftest import NOTHING, Talks, add, reply

pytestmark = pytest.mark.django_db

Read = Callable[[], list[ChatRequest]]


def letters(count: int, alphabet: str = string.ascii_letters) -> str:
    return "".join(random.Random(count).choice(alphabet) for _ in range(count))


def secrets() -> list[str]:
    return [
        "gh" + "p_" + letters(36),
        "AKI" + "A" + letters(16, string.ascii_uppercase),
        "s" + "k-" + letters(40),
        "xox" + "b-" + letters(11, string.digits) + "-" + letters(24),
    ]


def pieces(secret: str) -> set[str]:
    body = secret[5:]
    return {body[start : start + 8] for start in range(len(body) - 7)}


def test_a_model_that_echoes_secrets_stores_none(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    """BC-141: in any field, and the harmless rest is kept."""
    one, two, three, four = secrets()
    model.queue(
        {
            **reply(
                operations=[add(f"The deploy token is {one}", "configuration"), add("User likes tea")],
                daily_entry=f"Set up the deploy with {two} on Monday.",
                memory_update=f"# Memory\n- Deploys use {three}\n- Tea, no coffee\n",
                profile_update=f"# Profile\n- Key {four}\n- Lives in Porto\n",
            ),
            "reason": f"The user told {one}",
        }
    )
    talks.hold("I like tea, and set up the deploy.", "Done.", "It works since Monday then.", "Good.")
    read()
    stored = talks.everything
    for secret in (one, two, three, four):
        assert not any(piece in stored for piece in pieces(secret))
    assert "on Monday" in talks.note
    assert "Tea, no coffee" in talks.text("MEMORY.md")
    assert "Lives in Porto" in talks.text("PROFILE.md")
    assert "User likes tea" in talks.facts


def test_a_reply_that_cannot_be_read_is_kept_masked(talks: Talks, model: ScriptedBackend, read: Read) -> None:
    secret = secrets()[0]
    model.answer_always(f"Sorry, I saw {secret} and stopped.")
    talks.hold("What a day this has been.", "Indeed.", "Nothing new to tell though.", "Fine.")
    read()
    assert not any(piece in talks.everything for piece in pieces(secret))
    assert "Sorry, I saw" in str(talks.readings[-1].refused), "for whoever looks into the failure"


@pytest.mark.parametrize("secret", secrets(), ids=["git", "cloud", "model", "chat"])
def test_masking_comes_before_cutting(
    talks: Talks, model: ScriptedBackend, read: Read, secret: str, caplog: Any
) -> None:
    """BC-145: a value across the 2,000th character leaves no fragment behind."""
    model.queue(NOTHING)
    filler = ("Our deployment notes say quite a lot about this. " * 50)[:1984]
    talks.hold(
        "Let me paste something long.",
        "Go on.",
        f"{filler} {secret} and so on, until the end of it.",
        "Read.",
    )
    [request] = read()
    text = "\n".join(message.content for message in request.messages)
    assert "deployment notes" in text
    assert not any(piece in text for piece in pieces(secret))
    assert not any(piece in talks.everything + caplog.text for piece in pieces(secret))


def test_a_wish_to_remember_a_secret_keeps_that_there_is_one(talks: Talks, model: ScriptedBackend) -> None:
    """BC-140, by the way of messages that are handed in: the values are gone before anybody reads them."""
    password, key = secrets()[:2]
    text = f"Remember: the staging database password is {password} and the API key is {key}"
    model.queue(lambda request: reply(operations=[add("A password was configured for the staging database")]))
    extract_messages(
        principal=talks.principal, agent=talks.person.agent, messages=[NewMessage(role="user", text=text)]
    )
    sent = "\n".join(message.content for message in model.requests[0].messages)
    for secret in (password, key):
        assert not any(piece in sent + talks.everything for piece in pieces(secret))
    assert talks.facts == ["A password was configured for the staging database"]


def test_an_error_quotes_nothing(talks: Talks, model: ScriptedBackend, read: Read, caplog: Any) -> None:
    secret = secrets()[2]
    model.queue(MalformedReply(raw=f"the key {secret}"))
    talks.hold("What a day this has been.", "Indeed.", "Nothing new to tell though.", "Fine.")
    read()
    assert not any(piece in talks.everything + caplog.text for piece in pieces(secret))
