"""Extraction without a model, step by step: what is left out, kept, changed, forgotten, and written to the files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from memoryapp.llm.backends.offline.extract import extract
from memoryapp.llm.tasks import (
    Candidate,
    CustomCategory,
    ExtractionInput,
    ExtractionReply,
    KnownFact,
    Operation,
    Overlay,
    TranscriptMessage,
)

TODAY = date(2026, 5, 13)


def task(*turns: str, known: tuple[str, ...] = (), **fields: Any) -> ExtractionInput:
    """A conversation: a turn is the user's unless it starts with "assistant:"."""
    messages = []
    for number, turn in enumerate(turns, start=1):
        role, _, text = (
            turn.rpartition("assistant: ") if turn.startswith("assistant: ") else ("user", "", turn)
        )
        messages.append(TranscriptMessage(number, "user" if role else "assistant", text))
    facts = tuple(KnownFact(number, text) for number, text in enumerate(known))
    return ExtractionInput(messages=tuple(messages), today=TODAY, known=facts, **fields)


def changes(reply: ExtractionReply) -> list[Candidate]:
    return [operation for operation in reply.operations if operation.op is not Operation.NONE]


def texts(*turns: str, **fields: Any) -> list[str]:
    return [operation.text for operation in changes(extract(task(*turns, **fields)))]


def test_the_same_conversation_always_gets_the_same_answer() -> None:
    given = task(
        "I'm Ana, a baker in Porto. Never call before noon, I sleep then.", known=("User likes jazz",)
    )

    assert extract(given) == extract(given)


def test_small_talk_leaves_nothing_but_the_reason() -> None:
    reply = extract(task("Hi there!", "assistant: Hello! How can I help?"))

    assert not reply.should_update
    assert reply.daily_entry == reply.memory_update == reply.profile_update == ""
    assert [(one.op, one.gate, one.reason) for one in reply.operations] == [
        (Operation.NONE, "utility", "small talk")
    ]


def test_evidence_and_the_persons_words_come_along() -> None:
    reply = extract(task("Good morning!", "I prefer tea over coffee because it is kinder to my stomach."))

    (kept,) = changes(reply)

    assert kept.evidence == [2]
    assert kept.quote == "I prefer tea over coffee because it is kinder to my stomach."


def test_what_was_asked_to_be_remembered_is_marked() -> None:
    (kept,) = changes(extract(task("Please remember that the spare key is with Teo.")))

    assert kept.explicit
    assert kept.text == "The spare key is with Teo"


def test_relative_dates_count_from_the_message() -> None:
    said = TranscriptMessage(
        1, "user", "We finished the survey yesterday.", at=datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
    )

    (kept,) = changes(extract(ExtractionInput((said,), TODAY, time_zone="Asia/Tokyo")))

    assert "2026-03-02" in kept.text
    assert kept.event_date == date(2026, 3, 2)


# --- What is not read -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "Please don't remember this, but I'm interviewing elsewhere.",
        "No guardes esto: busco otro trabajo.",
        "别记下来，我在找新工作。",
        "Das bitte nicht speichern: ich suche eine neue Stelle.",
        "これは覚えないでください。転職を考えています。",
    ],
)
def test_a_request_not_to_remember_is_obeyed(request_: str) -> None:
    reply = extract(task(request_, "assistant: I won't keep that you are interviewing."))

    assert changes(reply) == []
    assert "interview" not in reply.model_dump_json()


def test_a_bare_request_not_to_remember_covers_the_message_before() -> None:
    assert texts("I live in Oslo with my sister Kari.", "assistant: Nice.", "Please don't store that.") == []


def test_recalled_memories_in_a_message_breed_no_copies() -> None:
    block = (
        "Relevant memories about this user:\n1. User's plotter is an AxiDraw V3\n\nWhat paper should I buy?"
    )

    assert texts(block) == []


@pytest.mark.parametrize(
    "output",
    [
        "```\nI live in Rome\n```",
        "2026-05-13 10:00:01 INFO worker listens on port 8080",
        'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: I work at Acme',
        "> I live in Rome, wrote the customer",
        "$ my-server runs on port 80",
    ],
)
def test_code_logs_and_quoted_mail_are_not_what_somebody_says(output: str) -> None:
    assert texts(output) == []


def test_text_to_be_worked_on_says_nothing_about_the_user() -> None:
    assert texts("Translate this to French: I love my job and I live in Toronto.") == []
    assert texts('Fix the grammar: "I am a vegan chef in Lyon."') == []
    assert texts("把这段话翻译成英文：我住在大理。") == []


def test_the_assistants_words_are_not_the_users() -> None:
    assert (
        texts("Which app?", "assistant: I love Obsidian and you seem to prefer local files.", "Hm, maybe.")
        == []
    )


def test_what_the_assistant_has_done_on_request_is_kept() -> None:
    done = "assistant: Done. The duty roster (ID: 9f3) now uses the summer template."

    assert texts("Update the duty roster to the summer template", done) == [
        "As of 2026-05-13, the duty roster (ID: 9f3) now uses the summer template"
    ]


# --- Groups, corrections, changes -------------------------------------------------------------------------------------


def test_in_a_talk_of_several_each_fact_belongs_to_its_speaker() -> None:
    told = texts("Imke: I only eat vegetarian food.\nRobin: I never have breakfast before noon.")

    assert told == ["Imke only eats vegetarian food", "Robin never has breakfast before noon"]


def test_the_name_of_a_single_speaker_is_the_users() -> None:
    given = task("I'm allergic to latex.")
    named = replace(given, messages=(replace(given.messages[0], name="mo"),))

    assert [one.text for one in changes(extract(named))] == ["User is allergic to latex"]


def test_a_slip_is_put_right_before_it_is_kept() -> None:
    assert texts("Our office is in Utrecht.", "assistant: Noted.", "No, I meant Maastricht, sorry.") == [
        "User's office is in Maastricht"
    ]


def test_a_move_updates_the_known_home() -> None:
    (kept,) = changes(extract(task("I moved to Bristol.", known=("User likes tea", "User lives in Leeds"))))

    assert (kept.op, kept.target, kept.text) == (Operation.UPDATE, 1, "User moved to Bristol")


def test_a_correction_exchanges_the_wrong_value_in_place() -> None:
    known = ("User is Marta Kowalski, notary in Gdynia",)

    (kept,) = changes(extract(task("That's wrong, my surname is Kowalczyk, not Kowalski.", known=known)))

    assert (kept.op, kept.text) == (Operation.UPDATE, "User is Marta Kowalczyk, notary in Gdynia")


def test_old_and_new_context_are_combined() -> None:
    known = ("As of 2026-03-15, user is planning trip to Paris in September with friend Jack",)

    (kept,) = changes(
        extract(task("Can't wait for the Paris trip, definitely want to see the Louvre.", known=known))
    )

    assert kept.op is Operation.UPDATE
    assert kept.text.startswith(
        "As of 2026-05-13, user is planning trip to Paris in September with friend Jack"
    )
    assert "Louvre" in kept.text


def test_a_rich_fact_takes_in_the_small_ones() -> None:
    known = ("User has a dog", "Dog's name is Poppy", "User walks dog daily")

    (kept,) = changes(extract(task("Poppy learned fetch! Our walks are even better now.", known=known)))

    assert kept.op is Operation.UPDATE
    assert sorted([kept.target or 0, *kept.also]) == [0, 1, 2]
    assert "a dog named Poppy" in kept.text


def test_what_passes_is_added_and_changes_nothing_known() -> None:
    known = ("User enjoys hiking on weekends",)

    (kept,) = changes(extract(task("I hurt my knee last week, can't hike for a while", known=known)))

    assert (kept.op, kept.category) == (Operation.ADD, "project")


def test_what_comes_up_again_is_noted_for_the_night() -> None:
    reply = extract(task("By the way I still live in Malmö.", known=("User lives in Malmö",)))

    assert changes(reply) == []
    assert "Came up again" in reply.daily_entry
    assert "Malmö" in reply.daily_entry


# --- Forgetting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "known"),
    [
        ("Please forget my shoe size.", "User's shoe size is 43"),
        ("Delete the memory about my tattoo.", "User has a tattoo of a heron"),
        ("Olvida mi número de calzado.", "El número de calzado del usuario es 41"),
        ("忘掉我的生日吧。", "用户的生日是3月8日"),
    ],
)
def test_what_is_to_be_forgotten_is_deleted_and_not_mentioned(request_: str, known: str) -> None:
    reply = extract(task(request_, known=("User likes jazz", known)))

    (gone,) = changes(reply)

    assert (gone.op, gone.target, gone.text) == (Operation.DELETE, 1, "")
    assert reply.daily_entry == ""


def test_an_order_to_delete_something_else_forgets_nothing() -> None:
    assert (
        changes(extract(task("Delete the last paragraph.", known=("User's last name is Paragraph",)))) == []
    )


# --- Credentials ------------------------------------------------------------------------------------------------------


def test_that_a_credential_was_configured_is_kept_without_it() -> None:
    key = "sk-" + "proj-" + "aB3dE5" * 8

    reply = extract(task(f"Use this API key for the new service: {key}"))

    assert [one.text for one in changes(reply)] == [
        "API key was configured for the new service (as of 2026-05-13)"
    ]
    assert key[-8:] not in reply.model_dump_json()


def test_masked_messages_are_understood_as_well() -> None:
    assert texts("Here's the GitHub token for the release bot: [masked]") == [
        "GitHub token was configured for the release bot (as of 2026-05-13)"
    ]


# --- Overlays ---------------------------------------------------------------------------------------------------------


def test_a_companion_keeps_routines_that_others_leave_out() -> None:
    said = "I meditate every morning before breakfast."

    assert texts(said) == []
    assert texts(said, overlay=Overlay("companion")) == ["User meditates every morning before breakfast"]


def test_the_workspaces_own_rule_keeps_more() -> None:
    said = "The sourdough starter smells of pears today."

    assert texts(said) == []
    assert texts(said, overlay=Overlay(include=("Keep what happens to the sourdough starter",))) != []


def test_the_workspaces_own_category_is_used() -> None:
    overlay = Overlay(custom_categories=(CustomCategory("vineyard", "vines, grapes, barrels and the press"),))

    (kept,) = changes(extract(task("Our press runs on 400 volts in hall 2.", overlay=overlay)))

    assert kept.category == "vineyard"


# --- Files ------------------------------------------------------------------------------------------------------------


def test_stable_facts_go_into_the_files_under_their_heading() -> None:
    profile = (
        "# Profile\n\nHand-written.\n\n## Preferences\n\n- User likes jazz\n\n## Notes\n\n- budget 900\n"
    )

    reply = extract(task("I prefer tea over coffee.", profile=profile))

    assert reply.profile_update == profile.replace(
        "- User likes jazz\n", "- User likes jazz\n- User prefers tea over coffee\n"
    )
    assert reply.memory_update == ""


def test_a_heading_is_made_where_there_is_none() -> None:
    reply = extract(task("Never push to main, we had a broken release.", memory="# Memory\n"))

    assert reply.memory_update.startswith("# Memory\n\n## Rules\n\n- User rule: never push to main")


def test_headings_inside_code_are_not_headings() -> None:
    memory = "# Memory\n\n```\n## Rules\n```\n"

    assert extract(task("Never push to main.", memory=memory)).memory_update.startswith(memory)


def test_a_changed_fact_changes_its_line() -> None:
    profile = "## About the user\n\n- User lives in Leeds\n- User is Ana\n"

    reply = extract(task("I moved to Bristol.", known=("User lives in Leeds",), profile=profile))

    assert reply.profile_update == "## About the user\n\n- User moved to Bristol\n- User is Ana\n"


def test_a_forgotten_fact_leaves_its_line() -> None:
    profile = "## Notes\n\n- User's shoe size is 43\n- User is Ana\n"

    reply = extract(task("Forget my shoe size.", known=("User's shoe size is 43",), profile=profile))

    assert reply.profile_update == "## Notes\n\n- User is Ana\n"


def test_projects_reach_the_memory_by_coming_up_again() -> None:
    reply = extract(task("I'm building a seed-swap app for gardeners."))

    assert "seed-swap" in reply.daily_entry
    assert reply.memory_update == ""
