"""The engine's sentences in the reader's language: all of them, none that it does not say, also when filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from memoryapp.wording import GAP, SENTENCES, say
from memoryapp.wording.archives import ARCHIVES
from memoryapp.wording.questions import QUESTIONS
from memoryapp.wording.reasons import REASONS
from memoryapp.wording.refusals import REFUSALS

ROOT = Path(__file__).resolve().parents[2]
# The rooms whose refusals reach a page. What a model is told of its own tools is not among them.
ROOMS = [
    "tenants",
    *(
        f"memoryapp/{room}"
        for room in ("actions", "chat", "jobs", "lifecycle", "providers", "safety", "snapshots")
    ),
    "memoryapp/retrieval/filters",
    "memoryapp/retrieval/keyword.py",
    "memoryapp/retrieval/search.py",
    "memoryapp/model_settings.py",
]
# Told to the operator at a terminal or in the log, or caught where it is raised.
ELSEWHERE = {"backup_reading.py", "backup_restoring.py", "keeping.py"}
FOR_PROGRAMMERS = re.compile(
    r"httpx2|(?:Value|Runtime|Lookup|Permission|Type)Error|ImproperlyConfigured|ScopeMismatch"
)


def sentence_of(node: ast.AST) -> str | None:
    """A literal as the lists write it: with a gap for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _escaped(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values
        )
    return None


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def files_of(place: str) -> Iterator[Path]:
    path = ROOT / place
    yield from [path] if path.suffix else sorted(path.rglob("*.py"))


def refused() -> Iterator[tuple[str, str]]:
    """What is raised with a sentence in a room whose refusals reach a page, and where."""
    for path in (path for room in ROOMS for path in files_of(room) if path.name not in ELSEWHERE):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            if FOR_PROGRAMMERS.match(ast.unparse(node.exc.func)):
                continue
            for argument in node.exc.args:
                sentence = sentence_of(argument)
                if sentence and " " in sentence and sentence.strip("{}: "):
                    yield sentence, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_every_refusal_that_reaches_a_page_can_be_translated() -> None:
    assert {sentence: place for sentence, place in refused() if sentence not in SENTENCES} == {}


def test_nothing_is_listed_that_the_engine_does_not_say() -> None:
    """Single words and what is put together of them are left out: no literal has them as they are shown."""
    literals = set()
    for path in (*files_of("memoryapp"), *files_of("tenants")):
        if "wording" not in path.parts:
            literals |= {sentence_of(node) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))}
    source = "\n".join(str(literal) for literal in literals if literal)
    listed = {*ARCHIVES, *QUESTIONS, *REASONS, *REFUSALS}
    assert {each for each in listed if len(each.split()) > 4 and each not in source} == set()


@pytest.mark.parametrize(
    ("sentence", "chinese"),
    [
        ("It is a question.", "这是一个问题。"),
        ("A fact has at most 1000 characters.", "一条事实最多 1000 个字符。"),
        ("2 add; 1 left out: small talk", "新增 2 条；略过 1 条：闲聊"),
        (
            "The language model did not answer in time. Your message is kept.",
            "语言模型没有及时回答。你的消息已保留。",
        ),
        ("Ana said so on Monday.", "Ana said so on Monday."),
    ],
)
def test_sentences_are_said_in_chinese_whatever_fills_them(sentence: str, chinese: str) -> None:
    assert say(sentence) == sentence
    with translation.override("zh-hans"):
        assert say(sentence) == chinese
