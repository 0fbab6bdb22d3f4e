"""What is answered without a model: what is remembered and bears on the message, and nothing else."""

from __future__ import annotations

import pytest

from memoryapp.llm.backends.offline.reply import reply
from memoryapp.llm.chat_input import ChatInput, Remembered

TEA = "User prefers tea over coffee because coffee keeps the user awake"
PORTAL = "Portal password was configured"
ATLAS = "As of 2026-11-30, the deadline of the Atlas project is 15 January 2027"


def answer(message: str, *recalled: tuple[str, float], standing: tuple[str, ...] = ()) -> str:
    found = tuple(Remembered(text, "preference", score) for text, score in recalled)
    known = tuple(Remembered(text) for text in standing)
    return reply(ChatInput(message=message, recalled=found, standing=known, agent_name="Juno"))


def test_a_question_without_a_shared_word_is_answered_when_the_search_is_sure() -> None:
    said = answer("What should I drink tonight?", (TEA, 0.47), (PORTAL, 0.1))
    assert TEA in said
    assert PORTAL not in said


def test_what_is_much_less_sure_than_the_best_is_left_out() -> None:
    said = answer("When is the Atlas deadline?", (ATLAS, 1.0), (PORTAL, 0.54))
    assert ATLAS in said
    assert PORTAL not in said


def test_what_the_note_of_the_day_says_again_is_told_once() -> None:
    noted = "The deadline of the Atlas project is 15 January 2027"
    assert answer("When is the Atlas deadline?", (ATLAS, 1.0), (noted, 0.9)).count("15 January") == 1


@pytest.mark.parametrize(
    "message", ["What do you know about me?", "¿Qué sabes de mí?", "你知道我哪些事？", "你记得关于我的什么？"]
)
def test_whoever_asks_for_all_is_told_what_always_stands_too(message: str) -> None:
    said = answer(message, (ATLAS, 0.2), standing=(TEA,))
    assert TEA in said
    assert ATLAS in said


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("What should I drink tonight?", "I remember nothing about that yet."),
        ("¿Qué debería beber esta noche?", "Todavía no recuerdo nada sobre eso."),
        ("今晚我该喝什么？", "关于这件事，我还没有任何记忆。"),
    ],
)
def test_nothing_is_made_up(message: str, said: str) -> None:
    assert answer(message, (PORTAL, 0.2)) == said


def test_a_statement_is_noted_and_brings_back_what_shares_a_word_with_it() -> None:
    assert answer("The ferry leaves at nine.", (TEA, 0.9)).startswith("Noted.")
    assert TEA in answer("I am out of tea.", (TEA, 0.3))
    assert answer("I am out of tea.", standing=(TEA,)).count(TEA) == 1
