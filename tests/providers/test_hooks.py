"""What a memory source hears: turns, memory written and forgotten, talks at rest; and the tools it brings."""

from __future__ import annotations

import pytest

from memoryapp.jobs import drain
from memoryapp.llm.backends.scripted import Scripted, ScriptedBackend
from memoryapp.llm.types import ToolCall
from memoryapp.models import Event
from memoryapp.providers.base import Exchanged, Forgotten, ProviderTool, Written
from tests.conftest import Call, Person
from tests.providers.conftest import Use
from tests.providers.notebook import Notebook, say


class TestHooks:
    def test_a_finished_turn_is_told_by_a_worker(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        secret = "gh" + "p_" + "A1b2C3d4E5" * 4
        say(call, alice, f"My token is {secret}, hello.", endUserId="u1")
        assert Notebook.heard == []
        drain()
        (told,) = [each for each in Notebook.heard if isinstance(each, Exchanged)]
        assert (told.principal.owner_key, told.conversation_id, told.reply) == ("api:u1", "talk", "Noted.")
        assert secret not in told.said

    def test_what_has_failed_is_told_again_later(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        say(call, alice, "Hello there, notebook.")
        Notebook.does = staticmethod(lambda: 1 / 0)
        drain()
        failed = Event.objects.get(kind="provider_sync", status="FAILED")
        assert "notebook" in failed.reason
        Notebook.does = staticmethod(lambda: None)
        Event.objects.filter(kind="provider_sync", status="PENDING").update(run_after=failed.created_at)
        drain()
        assert len([each for each in Notebook.heard if isinstance(each, Exchanged)]) == 1

    def test_memory_written_and_the_end_of_a_talk_are_told(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        words = "User's dentist is Doctor Ferreira in Porto"
        candidate = {"op": "ADD", "text": words, "category": "relationship", "evidence": [1]}
        model.queue("Noted.", {"should_update": True, "operations": [candidate]})
        say(call, alice, "Remember that my dentist is Doctor Ferreira in Porto.")
        drain()
        drain()
        (written,) = [each for each in Notebook.heard if isinstance(each, Written)]
        assert written.texts == (words,)
        assert ("end", alice.principal.owner_key, "talk") in Notebook.heard

    def test_what_is_forgotten_is_told_also_when_its_rows_are_gone(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        for text in ("The locker word is PELICAN", "The locker word is HERON"):
            call(alice, "POST", "/memory/juno/facts", {"text": text})
        facts = call(alice, "GET", "/memory/juno/facts").json()["results"]
        by_text = {each["text"]: each["id"] for each in facts}
        call(alice, "POST", f"/memory/juno/facts/{by_text['The locker word is PELICAN']}/forget")
        call(alice, "DELETE", f"/memory/juno/facts/{by_text['The locker word is HERON']}")
        assert not [event for event in Event.objects.all() if "PELICAN" in str(event.payload)]
        drain()
        told = [each for each in Notebook.heard if isinstance(each, Forgotten)]
        assert sorted(text for each in told for text in each.texts) == sorted(by_text)
        jobs = Event.objects.filter(kind="provider_forget")
        assert ["sealed" in job.payload for job in jobs] == [False, False]

    def test_somebody_erased_is_erased_there_too(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        call(alice, "POST", "/memory/juno/facts", {"text": "The locker word is PELICAN", "endUserId": "u1"})
        assert call(alice, "POST", "/me/erase", {"confirm": True, "endUserId": "u1"}).status_code in {
            200,
            201,
        }
        drain()
        told = [each for each in Notebook.heard if isinstance(each, Forgotten)]
        assert ("api:u1", True) in {(each.owner_key, each.everything) for each in told}
        assert "api:u1" not in str(list(Event.objects.values_list("owner_key", "payload")))

    def test_its_tools_are_offered_beside_ours(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use
    ) -> None:
        use(Notebook)
        page = ToolCall("c1", "notebook_page", '{"page": 7}')
        model.queue(Scripted(tool_calls=(page,), finish_reason="tool_calls"), "Page seven.")
        assert say(call, alice).json()["reply"] == "Page seven."
        assert '{"text": "p. 7"}' in model.requests[-1].messages[-1].content
        names = [spec.name for spec in model.requests[0].tools]
        assert names.count("memory_list") == 1

    def test_an_answer_that_is_no_json_ends_nothing(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        use(Notebook)
        odd = ProviderTool("odd", "Odd.", {"type": "object"}, lambda turn, given: {("a",): 1})  # type: ignore[dict-item]
        monkeypatch.setattr(Notebook, "tools", lambda self, agent: [odd])
        model.queue(Scripted(tool_calls=(ToolCall("c1", "odd", "{}"),), finish_reason="tool_calls"), "Well.")
        assert say(call, alice).json()["reply"] == "Well."
        assert "tool_failed" in model.requests[-1].messages[-1].content

    @pytest.mark.parametrize("arguments", ["{", "[]", "{}"])
    def test_arguments_it_cannot_use_end_nothing(
        self, call: Call, alice: Person, model: ScriptedBackend, use: Use, arguments: str
    ) -> None:
        use(Notebook)
        page = ToolCall("c1", "notebook_page", arguments)
        model.queue(Scripted(tool_calls=(page,), finish_reason="tool_calls"), "Well.")
        assert say(call, alice).json()["reply"] == "Well."
        assert "error" in model.requests[-1].messages[-1].content
