"""One entry to memory: what a question finds, for whom, in which order, and how it says so."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Fact
from memoryapp.retrieval.filters import compile_filter, parse_filter
from memoryapp.retrieval.indexing import embed_now
from memoryapp.retrieval.search import Hit, search_memories
from memoryapp.retrieval.vectors.pairs import PAIRS
from tenants.scoping import workspace_scope
from tests.conftest import Person
from tests.retrieval.conftest import Remember

pytestmark = pytest.mark.django_db(transaction=True)


def search_hits(person: Person, query: str, **options: Any) -> list[Hit]:
    options.setdefault("sources", ["facts"])
    return search_memories(query, principal=person.principal, agent=person.agent, **options).items


def found_texts(person: Person, query: str, **options: Any) -> list[str]:
    return [hit.text for hit in search_hits(person, query, **options)]


def test_a_question_finds_its_fact_by_word_and_by_meaning(alice: Person, remember: Remember) -> None:
    for text in (
        "The dentist's name is Dr Okafor",
        "Prefers oat milk in coffee",
        "Works on the harbour project",
    ):
        remember(alice, text)
    assert found_texts(alice, "Who is my dentist?")[0] == "The dentist's name is Dr Okafor"
    assert found_texts(alice, "What do I like to drink?")[0] == "Prefers oat milk in coffee"


def test_nobody_else_finds_it(alice: Person, bob: Person, charlie: Person, remember: Remember) -> None:
    remember(alice, "The vault is behind the painting")
    for stranger in (bob, charlie):
        assert found_texts(stranger, "Where is the vault?") == []


@pytest.mark.parametrize("query", ["", "   ", "\0", "?!"])
def test_a_blank_question_finds_nothing(alice: Person, remember: Remember, query: str) -> None:
    remember(alice, "anything")
    assert found_texts(alice, query) == []


@pytest.mark.parametrize("top_k", [0, -5, 1_001, 100_000_000, True, "ten"])
def test_a_bad_number_is_refused(alice: Person, top_k: object) -> None:
    with pytest.raises(ValidationFailed):
        found_texts(alice, "x", top_k=top_k)


# --- Ranking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh", "es", "de"])
def test_paraphrases_are_found_in_four_languages_alike(alice: Person, language: str) -> None:
    pairs = PAIRS[language]
    vectors = embed_now([answer for _, answer in pairs])
    for (_, answer), vector in zip(pairs, vectors, strict=True):
        new = NewFact(text=answer)
        add_fact(principal=alice.principal, agent=alice.agent, new=new, vector=vector)
    among_five = [answer in found_texts(alice, question, top_k=5) for question, answer in pairs]
    assert sum(among_five) >= 0.9 * len(pairs)


def test_what_answers_a_question_is_found_beside_it(alice: Person, remember: Remember) -> None:
    said = [
        "Which colour did you paint the boat in the end?",
        "Blue, like my mother's.",
        "Nice! See you on Sunday.",
    ]
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    for text in said:
        remember(alice, text, run_id="r1", said_at=moment)
    for number in range(30):
        remember(alice, f"Something else about errand number {number}", run_id=f"other-{number}")
    assert said[1] in found_texts(alice, "Which colour was the boat painted?", top_k=3)


def test_whose_words_are_asked_for_come_first(alice: Person, remember: Remember) -> None:
    remember(alice, "I would love to see Iceland one day", speaker="Ben")
    remember(alice, "I would love to see Iceland soon, Ben", speaker="Ana")
    assert found_texts(alice, "Where does Ana want to travel?")[0] == "I would love to see Iceland soon, Ben"
    assert found_texts(alice, "Where does Ben want to travel?")[0] == "I would love to see Iceland one day"


def test_the_time_a_question_names_counts(alice: Person, remember: Remember) -> None:
    for day in (3, 10, 17):
        remember(
            alice, f"Had lunch with the crew at pier {day}", said_at=datetime(2026, 3, day, 12, tzinfo=UTC)
        )
    remember(alice, "Yesterday we had lunch at the old mill", said_at=datetime(2026, 3, 25, tzinfo=UTC))
    assert found_texts(alice, "Where was lunch on 10 March 2026?")[0] == "Had lunch with the crew at pier 10"
    now = datetime(2026, 3, 25, tzinfo=UTC)
    assert "old mill" in found_texts(alice, "Where was lunch yesterday?", reference_date=now)[0]


def test_standing_instructions_and_ones_own_words_weigh_more(alice: Person, remember: Remember) -> None:
    remember(alice, "It will answer in bullet points", attributed_to="agent")
    remember(alice, "It will answer in bullet points, I think")
    remember(alice, "Always answer in bullet points")
    found = found_texts(alice, "How should you answer?")
    assert found[0] == "Always answer in bullet points"
    assert found[-1] == "It will answer in bullet points"


# --- What the caller may ask for --------------------------------------------------------------------------------------


def test_the_score_tells_relevant_from_unrelated(alice: Person, remember: Remember) -> None:
    for _, answer in PAIRS["en"]:
        remember(alice, answer)
    scores = {question: search_hits(alice, question)[0].score for question, _ in PAIRS["en"]}
    assert sorted(scores.values())[2] > 0.4
    assert all(0 <= hit.score <= 1 for hit in search_hits(alice, "Which car does he drive?"))
    ordered = [hit.score for hit in search_hits(alice, "Which car does he drive?")]
    assert ordered == sorted(ordered, reverse=True)
    assert search_hits(alice, "Explain the rules of cricket to a beginner", threshold=0.9) == []


def test_explain_names_every_arm(alice: Person, remember: Remember) -> None:
    remember(alice, "The dentist's name is Dr Okafor", category="identity")
    (hit,) = search_hits(alice, "Who is my dentist?", explain=True)
    assert hit.explain is not None
    assert set(hit.explain) == {"lexical", "vector", "base", "boosts", "total"}
    assert hit.explain["lexical"]["rank"] == hit.explain["vector"]["rank"] == 1
    assert {"from_person", "importance", "trust"} <= set(hit.explain["boosts"])
    assert hit.source == "identity"


def test_expired_ended_and_superseded_facts(alice: Person, remember: Remember) -> None:
    past = datetime(2026, 1, 1, tzinfo=UTC)
    remember(alice, "parking permit expired", expires_at=past)
    remember(alice, "parking permit ended", valid_to=past)
    old = remember(alice, "parking permit superseded")
    remember(alice, "parking permit current")
    with workspace_scope(alice.workspace):
        Fact.objects.filter(pk=old.pk).update(status=Fact.Status.SUPERSEDED)
    assert found_texts(alice, "parking permit") == ["parking permit current"]
    with_expired = found_texts(alice, "parking permit", show_expired=True)
    assert set(with_expired) == {"parking permit current", "parking permit expired"}
    with_older = found_texts(alice, "parking permit", latest_only=False)
    assert set(with_older) == {"parking permit current", "parking permit superseded"}


def test_sources(alice: Person, remember: Remember) -> None:
    remember(alice, "the ferry leaves at seven")
    content = "## Ferry\n\nThe ferry has two decks.\n"
    write_file(principal=alice.principal, agent=alice.agent, path="KNOWLEDGE.md", content=content)
    conversation = open_conversation(principal=alice.principal, agent=alice.agent, external_id="c1")
    add_message(
        principal=alice.principal, conversation=conversation, role="user", text="is the ferry late today?"
    )

    def kinds(*sources: str) -> set[str]:
        return {
            hit.kind
            for hit in search_hits(alice, "ferry", sources=sources)[:4]
            if "ferry" in hit.text.lower()
        }

    assert kinds("facts") == {"fact"}
    assert kinds("files") == {"section"}
    assert kinds("messages") == {"message"}
    assert kinds("facts", "files", "messages") == {"fact", "section", "message"}
    with pytest.raises(ValidationFailed, match="Allowed: facts, files, messages"):
        kinds("dreams")


@pytest.mark.parametrize(
    "given",
    [
        {"categories": "food"},
        {"NOT": {"categories": "food"}},
        {"metadata": {"kind": {"in": ["a", "b"]}}},
        {"keywords": {"contains": "tea"}},
        {"OR": [{"run_id": "r1"}, {"categories": {"exists": False}}]},
        {"created_at": {"lt": "2020-01-01"}},
    ],
)
def test_a_filter_means_the_same_in_a_list_and_in_a_search(
    alice: Person, remember: Remember, given: Any
) -> None:
    remember(alice, "tea in the morning", category="food", metadata={"kind": "a"})
    remember(alice, "tea in the evening", run_id="r1", metadata={"kind": "c"})
    remember(alice, "coffee at noon", category="food", metadata={"kind": "b"})
    with workspace_scope(alice.workspace):
        condition = compile_filter(parse_filter(given))
        listed = set(
            Fact.objects.visible_to(alice.principal).filter(condition).values_list("text", flat=True)
        )
    assert set(found_texts(alice, "something to drink", filters=given)) == listed
