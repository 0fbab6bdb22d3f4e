"""Thinking never reaches the reader, however a stream is cut (BC-119, BC-127)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.llm.reasoning import Parts, ReasoningFilter, split_reasoning


def through(*pieces: str, begins_within: bool = False) -> Parts:
    """What a reader has in the end who takes back what is taken back."""
    splitter = ReasoningFilter(begins_within=begins_within)
    text = reasoning = ""
    for part in [*(splitter.feed(piece) for piece in pieces), splitter.finish()]:
        if part.takes_back:
            text, reasoning = "", reasoning + text
        text, reasoning = text + part.text, reasoning + part.reasoning
    return Parts(text, reasoning)


def test_tags_cut_by_the_borders_of_chunks() -> None:
    assert through("<thi", "nk>secret plan</th", "ink>", "Answer") == Parts("Answer", "secret plan")


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("text", "visible", "thinking"),
    [
        ("<think>plan</think>\n\nAnswer", "Answer", "plan"),
        ("<THINKING>plan</THINKING>Answer", "Answer", "plan"),
        ("◁think▷plan◁/think▷Answer", "Answer", "plan"),
        ("Before <think>plan</think> after", "Before  after", "plan"),
        ("<think>one</think>A<think>two</think>B", "AB", "onetwo"),
        ("<think>never closed", "", "never closed"),
        ("a < b and <thin is no tag", "a < b and <thin is no tag", ""),
        ("<<think>x</think>y", "<y", "x"),
        ("Use `<think>` as the tag", "Use `<think>` as the tag", ""),
        ("ends with <thin", "ends with <thin", ""),
        ("早安 🚲 <think>计划</think>ok", "早安 🚲 ok", "计划"),
        ('<think type="deep">plan</think >Answer', "Answer", "plan"),
        ("<seed:think>plan</seed:think>Answer", "Answer", "plan"),
        ("[THINK]plan[/THINK]Answer", "Answer", "plan"),
        ("<think>plan</thinking>Answer", "Answer", "plan"),
        ("<think>a<think>b</think>c</think>Answer", "Answer", "a<think>bc"),
        ("<think>they ask about <think> tags</think>Answer", "Answer", "they ask about <think> tags"),
        ("plan {a}</think>\nAnswer", "Answer", "plan {a}"),
        ("<think>a</think>b</think>Answer", "Answer", "ab"),
        (
            "<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Answer",
            "Answer",
            "plan<|end|><|start|>assistant",
        ),
        ("So:\n```xml\n<think>\n</think>\n```\nDone", "So:\n```xml\n<think>\n</think>\n```\nDone", ""),
        ("So:\n````\n```\n<think>\n````\n<think>x</think>y", "So:\n````\n```\n<think>\n````\ny", "x"),
        ("The ``<think>`` and `</think>`", "The ``<think>`` and `</think>`", ""),
        ("", "", ""),
    ],
)
def test_any_cut_gives_the_same_parts(text: str, visible: str, thinking: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]

    assert through(*pieces) == Parts(visible, thinking) == split_reasoning(text)


def test_nothing_is_held_back_without_need() -> None:
    splitter = ReasoningFilter()

    assert splitter.feed("Hello <b") == Parts("Hello <b", "")
    assert splitter.feed(" and <th") == Parts(" and ", "")
    assert splitter.feed("e") == Parts("<the", "")


def test_an_object_is_an_answer_whatever_its_texts_say() -> None:
    text = '{"reason": "asked about <think> tags"}'

    assert split_reasoning(text) == Parts(text, "")


def test_thinking_that_was_opened_in_the_prompt_is_never_told_once_that_is_known() -> None:
    splitter = ReasoningFilter(begins_within=True)

    assert [splitter.feed(piece) for piece in ("pl", "an", "</think>Ans")][:2] == [Parts("", "")] * 2
    assert through("plan</think>Answer", begins_within=True) == Parts("Answer", "plan")
    assert through("No thought", " this time", begins_within=True) == Parts("No thought this time", "")


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*"<think>/ aÄ🚲`\n", "<think>", "</think>", "```"])).map("".join),
    st.lists(st.integers(0, 40)),
)
def test_nothing_is_lost(text: str, cuts: list[int]) -> None:
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    whole, cut = through(text), through(*(text[a:b] for a, b in pairwise(borders)))

    assert whole == cut
    assert len(whole.text) + len(whole.reasoning) <= len(text)
