"""How a message is worded as a search: without what stands around it, in the words of storage, within its limits."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from memoryapp.retrieval.filters import parse_filter
from memoryapp.retrieval.recall_plan import RecallPlan, plan_recall

NOW = datetime(2026, 4, 1, 10, tzinfo=UTC)


def planned(message: str) -> RecallPlan:
    return plan_recall(message, NOW)


@pytest.mark.parametrize(
    ("message", "kept", "dropped", "bridged"),
    [
        ("Who was that nutritionist my wife recommended?", "nutritionist wife recommended", "", "relationship"),
        ("Hey Juno, how do I like my reports formatted again?", "reports formatted", "hey juno again", "prefers"),
        ("Remind me why we picked that message queue", "message queue picked", "remind", "decided"),
        ("Could you please tell me what timezone I am in?", "timezone", "could please tell", "location based"),
        ("Is there anything I told you to always do before deploying?", "deploying always", "anything", "rule"),
        ("Where are we with the onboarding redesign?", "onboarding redesign", "", "status"),
        ("I was wondering when my sister's birthday is. Thanks!", "sister birthday", "wondering thanks", ""),
        ("¿Me puedes recordar qué té prefiero? Por favor", "té", "puedes favor", "preferencia"),
        ("Kannst du mir bitte sagen, welche Regeln gelten?", "regeln", "bitte kannst", "nie"),
        ("请问你还记得我喜欢什么茶吗？", "喜欢 茶", "请问 记得", "偏好"),
        ("Which port does the staging server use?", "port staging server", "", ""),
    ],
)  # fmt: skip
def test_filler_goes_names_and_terms_stay_and_the_words_of_storage_come(
    message: str, kept: str, dropped: str, bridged: str
) -> None:
    query = planned(message).query.lower()
    assert all(word in query for word in kept.split())
    assert not [word for word in dropped.split() if word in query]
    assert bridged in query


@pytest.mark.parametrize(
    "message",
    ["Hello!", "ok cool, thank you", "Thanks a lot!", "Good morning", "yes please", "👍", "...", "  ", "好的，谢谢",
     "你好", "Hola, buenos días", "Vielen Dank", "lol", "Continue", "stop"],
)  # fmt: skip
def test_small_talk_asks_nothing(message: str) -> None:
    plan = planned(message)
    assert (plan.query, plan.filter) == ("", None)
    assert plan.reason


@pytest.mark.parametrize(
    "message",
    ["Hello, where do I live?", "No milk for Ana", "Good coffee in Porto?", "Stop the staging server"],
)
def test_what_only_begins_like_small_talk_is_searched_for(message: str) -> None:
    assert planned(message).query


@pytest.mark.parametrize(
    ("message", "categories", "since", "until"),
    [
        (
            "What did we decide last week about the migration?",
            ("decision",),
            date(2026, 3, 23),
            date(2026, 3, 30),
        ),
        ("What are all my standing rules?", ("rule",), None, None),
        ("Show me recent project updates", ("project",), date(2026, 3, 2), None),
        ("What preferences have I shared?", ("preference",), None, None),
        ("What do you know about me?", ("identity",), None, None),
        ("Anything from our conversation yesterday?", (), date(2026, 3, 31), date(2026, 4, 1)),
        ("我们昨天讨论了什么？", (), date(2026, 3, 31), date(2026, 4, 1)),
        ("¿Qué decidimos ayer sobre la migración?", ("decision",), date(2026, 3, 31), date(2026, 4, 1)),
        # No kind and no time of telling: the words alone.
        ("Who was that nutritionist my wife recommended?", (), None, None),
        ("What did Caroline do last week?", (), None, None),
        ("Where is my bicycle these days?", (), None, None),
        ("Where is the latest invoice?", (), None, None),
        ("When is the dentist in May?", (), None, None),
        ("Do not break the rule of three in this text", (), None, None),
        ("What did I say about tomorrow and last week?", (), None, None),
    ],
)
def test_limits_come_only_from_words_that_ask_for_them(
    message: str, categories: tuple[str, ...], since: date | None, until: date | None
) -> None:
    plan = planned(message)
    assert plan.categories == categories
    if message.endswith("tomorrow and last week?"):
        return
    assert (plan.since and plan.since.date(), plan.until and plan.until.date()) == (since, until)
    if plan.filter is not None:
        parse_filter(plan.filter)


def test_of_a_long_message_the_question_and_the_names_count() -> None:
    padding = "we went on and on about this and that and nothing much came of it at all. " * 40
    plan = planned(f"{padding}Where does Ana keep the Gazelle bicycle? {padding}")
    assert "Where does Ana keep the Gazelle bicycle?" in plan.query
    assert len(plan.query) < 1_000


@pytest.mark.parametrize(
    "hostile", ["good " * 5_000, "?" * 60_000, "could you " * 6_000, "a" * 64_000, "，" * 64_000, "hi, " * 19]
)
def test_no_message_takes_long(hostile: str) -> None:
    started = time.process_time()
    planned(hostile)
    assert time.process_time() - started < 0.5
