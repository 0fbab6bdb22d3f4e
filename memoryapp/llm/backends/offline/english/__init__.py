"""English: the rules, and everything else the shared steps need to know of the language."""

from __future__ import annotations

from functools import partial

from memoryapp.llm.backends.offline.english import signals
from memoryapp.llm.backends.offline.english.clauses import clauses, matchable
from memoryapp.llm.backends.offline.english.guess import guess
from memoryapp.llm.backends.offline.english.noise import NOISE
from memoryapp.llm.backends.offline.english.rendering import PHRASING, join, render
from memoryapp.llm.backends.offline.english.standing import STANDING_ORDER
from memoryapp.llm.backends.offline.english.table import RULES
from memoryapp.llm.backends.offline.english.tidying import KEEP_IN_MIND, tidy
from memoryapp.llm.backends.offline.finishing import finish_fact
from memoryapp.llm.backends.offline.statements import LanguagePack

PACK = LanguagePack(
    code="en",
    rules=RULES,
    noise=NOISE,
    explicit=signals.EXPLICIT,
    keep_in_mind=KEEP_IN_MIND,
    changed=signals.CHANGED,
    anaphoric=signals.ANAPHORIC,
    corrected=signals.CORRECTED,
    detail=signals.DETAIL,
    standing_order=STANDING_ORDER,
    matchable=matchable,
    guess=guess,
    tidy=tidy,
    clauses=clauses,
    render=render,
    join=join,
    finish=partial(finish_fact, PHRASING),
)
