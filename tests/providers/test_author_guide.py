"""The guide's example of a memory source does what the guide says, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ToolCall
from memoryapp.providers.base import Provider
from tests.conftest import Call, Person
from tests.providers.conftest import Use

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "providers.md"


@pytest.fixture
def phrasebook(settings: Any, tmp_path: Path) -> type[Provider]:
    settings.DATA_DIR = tmp_path
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 40
    module: dict[str, Any] = {}
    exec(compile(code, str(GUIDE), "exec"), module)  # noqa: S102  # our own page
    provider: type[Provider] = module["PhrasebookProvider"]
    return provider


def test_it_learns_answers_and_forgets(
    call: Call, alice: Person, bob: Person, model: ScriptedBackend, use: Use, phrasebook: type[Provider]
) -> None:
    use(phrasebook)

    def say(who: Person, text: str) -> str:
        call(who, "POST", "/chat", {"agentId": "juno", "message": text})
        drain()
        return "\n".join(message.content for message in model.requests[-1].messages)

    say(alice, "Blue hour means the time before the harbour opens.")
    assert "“blue hour” means the time before the harbour opens (phrasebook)" in say(
        alice, "What is blue hour?"
    )
    assert "before the harbour opens" not in say(bob, "What is blue hour?")

    lookup = ToolCall("c1", "phrase_lookup", '{"word": "Blue hour"}')
    model.queue(Scripted(tool_calls=(lookup,), finish_reason="tool_calls"), "Before it opens.")
    assert "before the harbour opens" in say(alice, "Look it up.")

    fact = call(alice, "POST", "/memory/juno/facts", {"text": "Blue hour is before the harbour opens"}).json()
    key = fact.get("id") or fact["fact"]["id"]
    call(alice, "POST", f"/memory/juno/facts/{key}/forget")
    drain()
    assert "phrasebook" not in say(alice, "What is blue hour?")
