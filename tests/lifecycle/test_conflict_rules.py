"""Two facts conflict when they answer the same question about the same subject at the same time differently."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryapp.llm.backends.offline.conflicts import find_conflicts, why_conflicting
from memoryapp.llm.night_tasks import ConflictInput, DatedFact

CONFLICTING = [
    ("User lives in Lyon", "User lives in Porto"),
    ("User lives in Lyon", "Mira lives in Porto"),
    ("User works at Juno", "User works for Kestrel"),
    ("User prefers short answers", "User prefers long answers"),
    ("User prefers dark mode", "User prefers light mode"),
    ("Prefers the aisle seat", "Prefers the window seat"),
    ("User likes coffee", "User does not like coffee"),
    ("User loves coriander", "User hates coriander"),
    ("User is vegetarian", "User is not vegetarian"),
    ("Rent review falls on 3 May", "Rent review falls on 4 May"),
    ("Standup is at 9:30", "Standup is at 10:00"),
    ("The team meets on Tuesdays", "The team meets on Thursdays"),
    ("The flat costs 900 euros", "The flat costs 950 euros"),
    ("Editor: vim", "Editor: emacs"),
    ("User's sister is called Ana", "User's sister is called Eva"),
    ("User's favourite colour is green", "User's favorite colour is blue"),
    ("Usuario vive en Lisboa", "Usuario vive en Oporto"),
    ("用户住在上海", "用户住在北京"),
    ("用户喜欢香菜", "用户不喜欢香菜"),
    ("用户讨厌香菜", "用户喜欢香菜"),
]
BOTH_TRUE = [
    ("User lives in Lyon", "User's sister lives in Porto"),
    ("User lives in Lyon", "User is staying in Porto this week"),
    ("User lives in Lyon", "User lives in Porto until Friday"),
    ("User lived in Lyon", "User lives in Porto"),
    ("User used to live in Lyon", "User lives in Porto"),
    ("User lives in Porto", "User lives in Porto, Portugal"),
    ("User likes coffee", "User likes tea"),
    ("User likes green tea", "User likes black tea"),
    ("User has a dog", "User has a cat"),
    ("User is a nurse", "User is vegetarian"),
    ("User works at Juno", "User works as a nurse"),
    ("User speaks English", "User speaks Chinese"),
    ("User uses PostgreSQL", "User uses Redis"),
    ("User prefers short answers", "User prefers long answers this week"),
    ("User went to the gym on 3 May", "User went to the gym on 4 May"),
    ("Rack 1 holds the fans", "Rack 2 holds the fans"),
    ("Stock is 400", "Stock is low"),
    ("Budget: 400 euros", "Editor: vim"),
    ("We no longer use the old wiki", "User uses the new wiki"),
    ("用户住在上海", "用户这周出差住在北京"),
    ("用户不吃辣", "用户不吃肉"),
    ("User likes coffee", "User likes coffee"),
]


def conflict(one, other, **times):
    names = frozenset({"mira"})
    return why_conflicting(DatedFact(1, one, **times), DatedFact(2, other), names)


@pytest.mark.parametrize(("one", "other"), CONFLICTING)
def test_another_answer_to_the_same_question_is_a_conflict_in_either_order(one, other):
    assert conflict(one, other)
    assert conflict(other, one)


@pytest.mark.parametrize(("one", "other"), BOTH_TRUE)
def test_what_can_both_be_true_is_none(one, other):
    assert conflict(one, other) == ""
    assert conflict(other, one) == ""


def test_periods_that_do_not_overlap_are_no_conflict():
    one = DatedFact(1, "User lives in Lyon", valid_to=datetime(2026, 1, 1, tzinfo=UTC))
    other = DatedFact(2, "User lives in Porto", valid_from=datetime(2026, 2, 1, tzinfo=UTC))
    assert why_conflicting(one, other) == ""
    reply = find_conflicts(
        ConflictInput((one, other), ((1, 2),), today=datetime(2026, 3, 1, tzinfo=UTC).date())
    )
    assert reply.conflicts == []
