"""Languages told apart, wordings compared, requests to a memory recognised."""

from __future__ import annotations

import pytest

from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.requests import (
    asked_to_forget,
    asks_not_to_remember,
    asks_to_remember,
    means_everything,
)
from memoryapp.llm.language.shortening import shorten
from memoryapp.llm.language.wording import count_words, novel_words, overlap, says_nothing_new, stem


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I prefer tea over coffee", "en"),
        ("Me mudé a Cuenca la semana pasada", "es"),
        ("Prefiero el té", "es"),
        ("Ich wohne jetzt in Köln", "de"),
        ("我用的是VS Code", "zh"),
        ("私は大阪に住んでいます", "ja"),
        ("", "en"),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_forms_of_a_word_agree() -> None:
    assert len({stem(word) for word in ("walk", "walks", "walking", "walked")}) == 1
    assert len({stem(word) for word in ("study", "studies", "studied")}) == 1
    assert stem("love") == stem("enjoys") == stem("prefer")


@pytest.mark.parametrize(
    ("text", "known", "same"),
    [
        ("User enjoys daily walks", "User loves walking every day", True),
        ("User prefers concise answers with code first", "code first and keep answers brief", True),
        ("User likes jazz", "User does not like jazz", False),
        ("User lives in Bristol", "User lives in Leeds", False),
        ("用户喜爱喝绿茶", "用户喜欢喝绿茶", True),
        ("用户住在重庆", "用户住在成都", False),
    ],
)
def test_the_material_difference(text: str, known: str, same: bool) -> None:
    assert says_nothing_new(text, known) is same


def test_what_is_new_and_what_is_shared() -> None:
    assert novel_words("User walks Poppy in Porto", ["User has a dog named Poppy"]) == {"walk", "porto"}
    assert overlap("User walks Poppy", "a dog named Poppy") == {"poppy"}


def test_two_characters_count_as_a_word() -> None:
    assert count_words("用户住在重庆") == 3
    assert count_words("User lives in Bristol") == 4


def test_a_long_text_ends_with_a_whole_clause() -> None:
    assert (
        shorten("one two three; four five six; seven eight", "en", most=6) == "one two three; four five six"
    )
    assert shorten("one two three four", "en", most=3) == "one two three"
    assert shorten("short", "en") == "short"


@pytest.mark.parametrize(
    "text",
    [
        "Please don't remember this",
        "off the record, I'm leaving",
        "just between us",
        "Keep this to yourself",
        "no guardes esto",
        "que esto quede entre nosotros",
        "别记下来",
        "请不要记住：我在看医生",
        "Merk dir das bitte nicht",
        "これは覚えないで",
    ],
)
def test_requests_not_to_remember(text: str) -> None:
    assert asks_not_to_remember(text)
    assert not asks_to_remember(text)


@pytest.mark.parametrize(
    "text",
    [
        "Remember that I like tea",
        "don't forget: no nuts",
        "请记住我不吃辣",
        "Recuerda que soy celíaca",
        "Merk dir, ich bin Anna",
    ],
)
def test_requests_to_remember(text: str) -> None:
    assert asks_to_remember(text)
    assert not asks_not_to_remember(text)


@pytest.mark.parametrize(
    "text", ["Do you remember my dog?", "I can't remember his name", "I forgot my keys", "别担心"]
)
def test_talk_of_memory_is_no_request(text: str) -> None:
    assert not asks_not_to_remember(text)
    assert not asks_to_remember(text)
    assert asked_to_forget(text) == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "Forget that I want to sell the workshop, that was never meant to be kept.",
            "I want to sell the workshop",
        ),
        ("Please forget my shoe size", "my shoe size"),
        ("Delete what you know about my ex", "my ex"),
        ("Never mind, forget it.", ""),
        ("Don't forget my birthday", ""),
        ("Delete the branch", ""),
        ("Olvida mi número de calzado.", "mi número de calzado"),
        ("忘掉我的生日吧。", "我的生日"),
        ("把我住在天津这件事忘了吧。", "我住在天津"),
    ],
)
def test_what_is_to_be_forgotten(text: str, what: str) -> None:
    assert asked_to_forget(text) == what


def test_everything_is_more_than_the_best_fit() -> None:
    assert means_everything("forget everything about my diet")
    assert not means_everything("forget my diet")
