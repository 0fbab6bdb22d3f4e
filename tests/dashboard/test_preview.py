"""The page that shows what the model will see: word for word what a turn then sends."""

from __future__ import annotations

import html
from urllib.parse import urlencode

from memoryapp.actions.fact_sources import SourceSpan
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.models import Conversation, Fact, Message
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person
from tests.dashboard.conftest import Pages

QUESTION = "Which crane do we rent in the harbour?"


def page_of(pages: Pages, **query: str) -> str:
    answer = pages.client.get(f"{pages.agent('playground/preview/')}?{urlencode(query)}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_it_shows_what_is_then_sent(
    pages: Pages, alice: Person, conversation: Conversation, model: ScriptedBackend, call: Call
) -> None:
    with workspace_scope(alice.workspace):
        said = Message.objects.filter(conversation=conversation).earliest("number")
    new = NewFact(text="The team rents a red crane in the harbour", category="decision")
    source = SourceSpan(message=said, start=0, end=20)
    add_fact(principal=alice.principal, agent=alice.agent, new=new, sources=[source])

    shown = page_of(pages, m=QUESTION, c=conversation.external_id)
    with workspace_scope(alice.workspace):
        before = Message.objects.count()
    assert model.requests == []
    body = {
        "agentId": "juno",
        "message": QUESTION,
        "conversationId": conversation.external_id,
        "channel": "chat",
    }
    call(alice, "POST", "/chat", body)
    with workspace_scope(alice.workspace):
        assert Message.objects.count() == before + 2
    for message in model.requests[0].messages:
        assert message.content in shown
    for tool in model.requests[0].tools:
        assert f"<code>{tool.name}</code>" in shown
    assert said.text[:20] in shown  # what the fact rests on
    assert "words 0" in shown or "meaning 0" in shown or "words 1" in shown
    assert "Nothing: it all fits." in shown


def test_small_talk_says_that_nothing_is_searched_for(pages: Pages, fact: Fact) -> None:
    assert "Small talk asks memory for nothing." in page_of(pages, m="Hello!")


def test_without_a_message_there_is_only_the_form(pages: Pages) -> None:
    assert "<pre" not in page_of(pages)


def test_what_is_written_is_escaped(pages: Pages) -> None:
    answer = pages.client.get(pages.agent("playground/preview/") + "?m=%3Cscript%3Ealert(1)%3C/script%3E")
    assert b"<script>alert" not in answer.content


def test_nobody_sees_another_s(pages: Pages, bob: Person, fact: Fact) -> None:
    assert fact.text not in page_of(Pages(bob), m=fact.text.split(".")[0] + "?")
