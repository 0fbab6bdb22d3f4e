"""What the recall debugger is asked: everything is in the address, and what cannot be read is reported there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memoryapp.exceptions import MemoryAppError
from memoryapp.retrieval.sources import SOURCES

LONGEST_QUESTION, LONGEST_FILTER = 2_000, 20_000
USUAL_LIMIT, MOST_SHOWN = 10, 50
USUAL_SOURCES = ("facts", "files")
# What the engine calls its own parameters; every other name in a refusal is the filter's.
PARAMETERS = {"topK": "k", "threshold": "least", "sources": "in"}
Value = TypeVar("Value")


@dataclass(slots=True)
class Asking:
    """One question to the debugger, with what is wrong with it by field."""

    q: str = ""
    whose: str = ""
    at: datetime | None = None
    limit: int = USUAL_LIMIT
    least: float | None = None
    sources: tuple[str, ...] = USUAL_SOURCES
    filter_text: str = ""
    filter: Any = None
    why: str = ""
    # As they were typed, to be shown again.
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    # The filter's field or operator that the engine names in its refusal.
    faulty: str = ""

    @classmethod
    def from_query(cls, query: QueryDict) -> Asking:
        asking = cls(
            q=query.get("q", "").strip()[:LONGEST_QUESTION],
            whose=query.get("as", "")[:200],
            filter_text=query.get("filter", "").strip()[:LONGEST_FILTER],
            why=query.get("why", "").strip()[:300],
            typed={name: query.get(name, "").strip()[:40] for name in ("at", "k", "least")},
        )
        chosen = tuple(name for name in SOURCES if name in query.getlist("in"))
        asking.sources = chosen or USUAL_SOURCES
        asking.limit = asking._read("k", _limit, _("A whole number from 1 to 50.")) or USUAL_LIMIT
        asking.least = asking._read("least", _share, _("A number from 0 to 1."))
        asking.at = asking._read("at", _moment, _("A date and a time, such as 2026-06-11T08:00."))
        asking._read_filter()
        return asking

    @property
    def is_ready(self) -> bool:
        return bool(self.q) and not self.errors

    @property
    def narrows(self) -> bool:
        """Whether anything but the question is set."""
        return bool(self.at or self.least is not None or self.filter or self.limit != USUAL_LIMIT)

    def refuse(self, error: MemoryAppError) -> None:
        """Say the engine's refusal where the thing it refuses was typed."""
        for name in error.errors or {"filter": []}:
            if name in PARAMETERS:
                self.errors[PARAMETERS[name]] = error.detail
            else:
                self.errors["filter"], self.faulty = error.detail, name

    def _read(self, name: str, read: Callable[[str], Value], refusal: str) -> Value | None:
        if not self.typed[name]:
            return None
        try:
            return read(self.typed[name])
        except ValueError:
            self.errors[name] = refusal
            return None

    def _read_filter(self) -> None:
        if not self.filter_text:
            return
        try:
            self.filter = json.loads(self.filter_text)
        except json.JSONDecodeError as error:
            self.errors["filter"] = _("This is not JSON: line %(line)d, character %(column)d.") % {
                "line": error.lineno,
                "column": error.colno,
            }
        except RecursionError:
            self.errors["filter"] = _("This is nested too deep.")


def _limit(typed: str) -> int:
    number = int(typed)
    if not 1 <= number <= MOST_SHOWN:
        raise ValueError(typed)
    return number


def _share(typed: str) -> float:
    number = float(typed)
    if not 0 <= number <= 1:
        raise ValueError(typed)
    return number


def _moment(typed: str) -> datetime:
    moment = parse_datetime(typed)
    if moment is None or not 1900 <= moment.year <= 2200:
        raise ValueError(typed)
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
