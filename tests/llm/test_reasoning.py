"""Thinking never reaches the reader, however a stream is cut (BC-119, BC-127)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.llm.reasoning import Parts, ReasoningFilter, split_reasoning


def through(*pieces: str) -> Parts:
    splitter = ReasoningFilter()
    parts = [*(splitter.feed(piece) for piece in pieces), splitter.finish()]
    return Parts("".join(part.text for part in parts), "".join(part.reasoning for part in parts))


def test_tags_cut_by_the_borders_of_chunks() -> None:
    assert through("<thi", "nk>secret plan</th", "ink>", "Answer") == ("Answer", "secret plan")


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
        ("", "", ""),
    ],
)
def test_any_cut_gives_the_same_parts(text: str, visible: str, thinking: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]

    assert through(*pieces) == (visible, thinking) == split_reasoning(text)


def test_nothing_is_held_back_without_need() -> None:
    splitter = ReasoningFilter()

    assert splitter.feed("Hello <b") == ("Hello <b", "")
    assert splitter.feed(" and <th") == (" and ", "")
    assert splitter.feed("e") == ("<the", "")


def test_an_object_is_an_answer_whatever_its_texts_say() -> None:
    text = '{"reason": "asked about <think> tags"}'

    assert split_reasoning(text) == (text, "")


def test_thinking_that_was_opened_in_the_prompt() -> None:
    assert split_reasoning("plan {a}</think>\nAnswer") == ("Answer", "plan {a}")


@settings(deadline=None)
@given(st.text(alphabet="<think>/ aÄ🚲`\n"), st.lists(st.integers(0, 40)))
def test_nothing_is_lost(text: str, cuts: list[int]) -> None:
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    whole, cut = through(text), through(*(text[a:b] for a, b in pairwise(borders)))

    assert whole == cut
    assert len(whole.text) + len(whole.reasoning) <= len(text)
