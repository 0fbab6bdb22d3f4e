"""Statements are found however they are dressed, and nothing else that shares words with them is taken for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.actions.statements import Statements, restored

NUTS = "User is allergic to nuts"


@pytest.mark.parametrize(
    ("statement", "text", "left"),
    [
        (NUTS, "# Note\n\n- User is allergic to nuts\n- Likes tea\n", "# Note\n\n- Likes tea\n"),
        (NUTS, "- 2026-05-01: **User** is allergic to nuts.\n", ""),
        (NUTS, "- Mira mentioned she is allergic to nuts\n", ""),
        (NUTS, "- She is allergic to nuts and lives in Porto\n", "- lives in Porto\n"),
        (NUTS, "I am allergic to nuts. I live in Porto.", "I live in Porto."),
        (NUTS, '- Kept: "User is allergic to nuts" (score 0.71)\n', ""),
        ("Prefers tea", "- Loves tea\n", ""),
        ("Allergy: nuts", "- **Allergy**: nuts\n", ""),
        ("用户对花生过敏", "- 用户对花生过敏，住在上海\n", "- 住在上海\n"),
        ("Vive en Oporto", "- El usuario vive en Oporto.\n- Vive en Lisboa\n", "- Vive en Lisboa\n"),
        (
            "Deploys run on Tuesdays at 10",
            "We said deploys run on Tuesdays at 10. Lunch at noon.",
            "Lunch at noon.",
        ),
    ],
)
def test_a_statement_is_taken_out_and_can_be_put_back(statement, text, left):
    struck = Statements([statement], ["Mira"]).strike(text)
    assert struck.text == left
    assert restored(struck.text, struck.cuts) == text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("Prefers tea", "Prefers green tea in winter"),
        ("Likes tea", "User's mother likes tea"),
        ("User lives in Porto", "Ana lives in Porto"),
        ("User does not like tea", "User likes tea"),
        ("User likes tea", "User doesn't like tea"),
        ("Rent is due on 3 May", "Rent is due on 4 May"),
        ("用户喜欢花生", "用户喜欢花生酱和牛奶"),
        ("Works at Juno", "Worked in Rome"),
    ],
)
def test_something_else_with_the_same_words_stays(statement, text):
    assert Statements([statement]).strike(text).text == text


def test_a_mark_keeps_every_line_and_the_sentences_around():
    struck = Statements([NUTS]).strike("Hi! I am allergic to nuts. I live in Porto.\nBye", mark="[forgotten]")
    assert struck.text == "Hi! [forgotten] I live in Porto.\nBye"


def test_many_statements_are_looked_up_by_their_words():
    statements = Statements([f"Rack {number} holds the spare fans" for number in range(3000)])
    assert statements.strike("- Rack 2999 holds the spare fans\n- Rack 3001 holds the spare fans\n").text == (
        "- Rack 3001 holds the spare fans\n"
    )


def test_the_lines_come_back_into_a_text_that_changed_meanwhile():
    struck = Statements([NUTS]).strike("# A\n- User is allergic to nuts\n- Likes tea\n")
    assert restored(struck.text + "- Has a dog\n", struck.cuts) == (
        "# A\n- User is allergic to nuts\n- Likes tea\n- Has a dog\n"
    )


@given(
    st.text(alphabet="ab c.,;!?\n-*:“”\"'()[]é中文0", max_size=200),
    st.text(alphabet="ab c中文", min_size=1, max_size=12),
)
def test_striking_never_fails_and_is_always_reversible(text, statement):
    struck = Statements([statement]).strike(text)
    assert restored(struck.text, struck.cuts) == text
