"""What people ask of a memory, and what only sounds like it."""

from __future__ import annotations

import pytest

from memoryapp.llm.language.requests import asks_not_to_remember, asks_to_remember


@pytest.mark.parametrize(
    "text",
    [
        "Please don't store this: I'm ill.",
        "Don't remember this",
        "Please don't keep this in your memory",
        "Don't save this as a memory",
        "Don't note it down please",
        "别记下来：我打算离职。",
        "Por favor, no guardes esto.",
    ],
)
def test_hears_that_something_shall_not_be_kept(text: str) -> None:
    assert asks_not_to_remember(text)


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember.",
        "I don't remember where I parked.",
        "Don't save it to the desktop.",
        "Don't keep it in the fridge.",
        "Don't note this as a preference, but I'm in Rome today.",
        "Never save passwords in the repository",
    ],
)
def test_what_is_about_something_else_withholds_nothing(text: str) -> None:
    assert not asks_not_to_remember(text)


@pytest.mark.parametrize(
    "text", ["I don't remember where I parked.", "Do you remember my name?", "你记得我吗？"]
)
def test_a_question_about_remembering_is_no_wish_to(text: str) -> None:
    assert not asks_to_remember(text)


@pytest.mark.parametrize(
    "text",
    [
        "Please remember that I park on level 3.",
        "Don't forget that I'm vegan",
        "记住我喜欢茶",
        "请记得我对花生过敏",
    ],
)
def test_hears_that_something_shall_be_kept(text: str) -> None:
    assert asks_to_remember(text)
