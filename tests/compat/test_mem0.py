"""mem0's add and search, in the details its clients rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from memoryapp.models import Embedding, Event, Fact, Message
from memoryapp.retrieval.vectors import Vector, get_embedder
from tenants.actions import issue_token
from tenants.scoping import workspace_scope
from tests.compat.conftest import Mem0
from tests.conftest import Person

pytestmark = pytest.mark.django_db


def test_what_is_added_is_found_at_once_with_every_field(mem0: Mem0) -> None:
    (added,) = mem0.added(
        "Ana: My dentist is Dr Okafor",
        user_id="ana",
        agent_id="support-bot",
        run_id="r1",
        app_id="web",
        metadata={"turn": 3},
        timestamp=1_767_225_600,
        expiration_date="2099-12-31",
    )
    assert (added["event"], added["data"]) == ("ADD", {"memory": "Ana: My dentist is Dr Okafor"})
    response = mem0.search("Who is the dentist?", {"user_id": "ana"})
    (item,) = response.json()["results"]
    assert item["id"] == added["id"]
    expected = {
        "user_id": "ana", "agent_id": "support-bot", "app_id": "web", "run_id": "r1", "session_id": "r1",
        "metadata": {"turn": 3}, "expiration_date": "2099-12-31", "created_at": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip
    assert {name: item[name] for name in expected} == expected
    assert 0.4 < item["score"] <= 1
    assert set(item["score_breakdown"]) == {"semantic", "bm25", "entity"}


@pytest.mark.parametrize("header", ["Token {}", "Bearer {}", "key"])
def test_three_spellings_of_the_token(alice: Person, header: str) -> None:
    headers = {"X-API-Key": alice.token} if header == "key" else {"Authorization": header.format(alice.token)}
    body = {"messages": "hello there", "user_id": "ana", "infer": False}
    for path in ("/v1/memories/", "/v1/memories"):
        response = Client(headers=headers).post(path, body, content_type="application/json")
        assert response.status_code == 200
    assert Client().post("/v1/memories/", body, content_type="application/json").status_code == 401


def test_formats_of_the_answer(mem0: Mem0) -> None:
    mem0.added("likes tea", user_id="ana")
    for fields, bare in (({}, False), ({"output_format": "v1.1"}, False), ({"output_format": "v1.0"}, True)):
        answer = mem0.search("tea", {"user_id": "ana"}, **fields).json()
        results = answer if bare else answer["results"]
        assert [item["memory"] for item in results] == ["likes tea"]
    (item,) = mem0.search("tea", {"user_id": "ana"}, fields=["memory"]).json()["results"]
    assert set(item) == {"id", "memory"}


def test_messages_come_in_many_shapes(mem0: Mem0, alice: Person) -> None:
    parts = [
        {"type": "text", "text": "likes jazz"},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    ]
    for messages in (
        "likes chess",
        {"role": "user", "content": "likes tea"},
        [{"role": "system", "content": "be kind"}, {"role": "user", "content": parts}],
        [
            {
                "role": "user",
                "content": {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            }
        ],
    ):
        assert (
            mem0.post("/v1/memories/", {"messages": messages, "user_id": "ana", "infer": False}).status_code
            == 200
        )
    mem0.added("glued\ntogether", user_id="ana", deduced_memories=["likes rain", "likes snow"])
    with workspace_scope(alice.workspace):
        stored = set(Fact.objects.filter(owner_key="api:ana").values_list("text", flat=True))
    assert stored == {"likes chess", "likes tea", "likes jazz", "likes rain", "likes snow"}


def test_ids_may_stand_in_filters_and_are_only_ever_end_users(mem0: Mem0, alice: Person) -> None:
    mem0.added("from filters", filters={"user_id": "ana"})
    mem0.added("looks like a member", user_id=alice.principal.owner_key)
    with workspace_scope(alice.workspace):
        keys = set(Fact.objects.values_list("owner_key", flat=True))
    assert keys == {"api:ana", f"api:{alice.principal.owner_key}"}
    assert mem0.found("member", {"user_id": alice.principal.owner_key}) == ["looks like a member"]


def test_without_a_user_it_is_the_teams(mem0: Mem0) -> None:
    mem0.added("the office closes at six", agent_id="juno")
    assert mem0.found("when does the office close", {"agent_id": "juno"}) == ["the office closes at six"]
    assert mem0.found("when does the office close", {"user_id": "ana"}) == []


def test_nothing_of_members_or_of_other_users_shows(
    mem0: Mem0, alice: Person, charlie: Person, remember: Any
) -> None:
    remember(alice, "the vault code word is heron")
    mem0.added("the vault is blue", user_id="ana")
    mem0.added("the vault is green", user_id="ben")
    assert set(mem0.found("vault", {"user_id": "*"})) == {"the vault is blue", "the vault is green"}
    assert mem0.found("vault", {"user_id": "ana"}) == ["the vault is blue"]
    assert mem0.found("vault", {"OR": [{"user_id": "ana"}, {"agent_id": "x"}]}) == ["the vault is blue"]
    assert Mem0(charlie.token).found("vault", {"user_id": "*"}) == []


def test_a_token_bound_to_an_end_user_is_only_theirs(mem0: Mem0, alice: Person) -> None:
    mem0.added("the vault is blue", user_id="ana")
    mem0.added("the vault is green", user_id="ben")
    bound = Mem0(issue_token(principal=alice.principal, name="ana's", end_user="ana")[1])
    assert (
        bound.found("vault", {"user_id": "ana"})
        == bound.found("vault", {"user_id": "*"})
        == ["the vault is blue"]
    )
    for refused in (bound.search("vault", {"user_id": "ben"}), bound.add("x", user_id="ben")):
        assert (refused.status_code, refused.json()["code"]) == (403, "end_user_bound")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"messages": "x", "infer": False}, None),
        ({"user_id": "ana", "infer": False}, "messages"),
        ({"messages": [], "user_id": "ana"}, "messages"),
        ({"messages": [7], "user_id": "ana"}, "messages"),
        ({"messages": [{"role": "robot", "content": "x"}], "user_id": "ana"}, "messages"),
        ({"messages": "x", "user_id": {"$ne": 1}, "infer": False}, "user_id"),
        ({"messages": "x", "user_id": "ana", "infer": "no"}, "infer"),
        ({"messages": "x", "user_id": "ana", "infer": False, "metadata": "x"}, "metadata"),
        ({"messages": "x", "user_id": "ana", "infer": False, "timestamp": "soon"}, "timestamp"),
        ({"messages": "x", "user_id": "ana", "infer": False, "expiration_date": "soon"}, "expiration_date"),
    ],
)
def test_a_bad_addition_is_refused_in_every_clients_words(mem0: Mem0, body: Any, field: str | None) -> None:
    response = mem0.post("/v1/memories/", body)
    assert response.status_code == 400
    refusal = response.json()
    assert refusal["detail"] == refusal["error"] == refusal["message"] != ""
    assert field is None or field in refusal["errors"]


@pytest.mark.parametrize(
    "body",
    [
        {"filters": {"user_id": "ana"}},
        {"query": " ", "filters": {"user_id": "ana"}},
        {"query": "x"},
        {"query": "x", "filters": {}},
        {"query": "x", "filters": {"categories": "a"}},
        {"query": "x", "filters": {"NOT": {"user_id": "ana"}}},
        {"query": "x", "filters": {"user_id": "ana", "colour": "red"}},
        {"query": "x", "filters": {"user_id": "ana"}, "top_k": 0},
        {"query": "x", "filters": {"user_id": "ana"}, "top_k": 1_001},
        {"query": "x", "filters": {"user_id": "ana"}, "threshold": 2},
        {"query": "x", "filters": {"user_id": "ana"}, "fields": "memory"},
    ],
)
def test_a_bad_search_is_refused(mem0: Mem0, body: Any) -> None:
    response = mem0.post("/v2/memories/search/", body)
    assert response.status_code == 400
    assert response.json()["error"]


def test_unknown_fields_are_ignored_and_synonyms_taken(mem0: Mem0) -> None:
    for text in ("tea in the morning", "tea at noon", "tea at night"):
        mem0.added(
            text, user_id="ana", org_id="o", project_id="p", version="v2", async_mode=True, source="CLI"
        )
    assert len(mem0.found("tea", {"user_id": "ana"}, limit=2, rerank=True, keyword_search=True)) == 2


def test_parameters_beside_the_filters(mem0: Mem0) -> None:
    mem0.added("tea in spring", user_id="ana", metadata={"kind": "drink"}, timestamp=1_767_225_600)
    mem0.added("tea in autumn", user_id="ana", metadata={"kind": "season"})
    assert mem0.found("tea", {"AND": [{"user_id": "ana"}]}, metadata={"kind": "drink"}) == ["tea in spring"]
    assert mem0.found("tea", {"user_id": "ana", "keywords": {"contains": "autumn"}}) == ["tea in autumn"]
    assert mem0.found("tea", {"user_id": "ana", "created_at": {"lt": "2026-02-01"}}) == ["tea in spring"]
    assert mem0.found("tea", None, user_id="ana", categories=["none"]) == []


def test_expired_memories_show_only_on_request(mem0: Mem0) -> None:
    mem0.added("tea was on sale", user_id="ana", expiration_date="2026-01-01")
    assert mem0.found("tea", {"user_id": "ana"}) == []
    assert mem0.found("tea", {"user_id": "ana"}, show_expired=True) == ["tea was on sale"]


def test_saying_it_twice_is_one_memory(mem0: Mem0) -> None:
    (first,) = mem0.added("likes café au lait", user_id="ana")
    (second,) = mem0.added("Likes cafe\u0301 au lait ", user_id="ana")
    assert (second["event"], second["id"]) == ("NONE", first["id"])


@pytest.mark.django_db(transaction=True)
def test_a_batch_is_found_by_words_at_once_and_embedded_later(mem0: Mem0, alice: Person) -> None:
    texts = [f"remembers place number {number}" for number in range(25)]
    items = mem0.added(*texts, texts[0], user_id="ana")
    assert [item["event"] for item in items] == ["ADD"] * 25 + ["NONE"]
    assert mem0.found("number 17", {"user_id": "ana"})[0] == "remembers place number 17"
    with workspace_scope(alice.workspace):
        assert Embedding.objects.filter(fact__isnull=False, vector=None).count() == 25
    assert Event.objects.filter(workspace=alice.workspace, kind="embed").exists()


def test_messages_to_be_read_wait_as_an_event(mem0: Mem0, alice: Person) -> None:
    messages = [
        {"role": "user", "content": "I moved to Lisbon"},
        {"role": "assistant", "content": "How nice!"},
    ]
    body = {"messages": messages, "user_id": "ana", "run_id": "r"}
    (answer,) = mem0.post("/v1/memories/", body).json()["results"]
    assert answer["status"] == "PENDING"
    assert Event.objects.filter(pk=answer["event_id"], workspace=alice.workspace).exists()
    with workspace_scope(alice.workspace):
        assert [message.text for message in Message.objects.order_by("number")] == [
            "I moved to Lisbon",
            "How nice!",
        ]


def test_a_credential_reaches_neither_the_store_nor_the_embedder(
    mem0: Mem0, alice: Person, monkeypatch: Any
) -> None:
    secret = "".join(["sk", "-live-", "51H8xq2eZvKYlo2C", "9f3GdT0aBcD"])
    seen: list[str] = []
    embedder = get_embedder()
    passages, query = embedder.embed_passages, embedder.embed_query

    def note_passages(given: Sequence[str]) -> list[Vector]:
        seen.extend(given)
        return passages(given)

    def note_query(given: str) -> Vector:
        seen.append(given)
        return query(given)

    monkeypatch.setattr(embedder, "embed_passages", note_passages)
    monkeypatch.setattr(embedder, "embed_query", note_query)
    (added,) = mem0.added(f"The payment API key is {secret}", user_id="ana")
    mem0.found(f"what is {secret} for", {"user_id": "ana"})
    assert secret not in str(added)
    assert seen
    assert all(secret not in text for text in seen)
