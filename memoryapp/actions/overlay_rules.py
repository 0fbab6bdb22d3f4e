"""What an agent's overlay may say: rules of what to keep and what not, and categories of its own."""

from __future__ import annotations

import re
from typing import Any

from memoryapp.exceptions import ValidationFailed
from memoryapp.models.categories import FactCategory

MOST_RULES, LONGEST_RULE = 50, 200
MOST_CATEGORIES, LONGEST_DESCRIPTION, LONGEST_RETENTION = 30, 300, 36_500
CATEGORY_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
KNOWN = {"include", "exclude", "categories"}


def checked_overlay_rules(given: Any) -> dict[str, Any]:
    """Overlay rules as they may be stored; raises ValidationFailed naming what cannot be used."""
    if not isinstance(given, dict):
        raise _refusal("An object with include, exclude and categories.")
    unknown = set(given) - KNOWN
    if unknown:
        raise _refusal(f"{sorted(map(str, unknown))[0]}: no such rule. There are {', '.join(sorted(KNOWN))}.")
    rules: dict[str, Any] = {
        name: _checked_rules(name, given[name]) for name in ("include", "exclude") if name in given
    }
    if "categories" in given:
        rules["categories"] = _checked_categories(given["categories"])
    return rules


def _checked_rules(name: str, given: Any) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(rule, str) for rule in given):
        raise _refusal(f"{name}: a list of texts.")
    rules = list(dict.fromkeys(" ".join(rule.split()) for rule in given if rule.strip()))
    if len(rules) > MOST_RULES or any(len(rule) > LONGEST_RULE for rule in rules):
        raise _refusal(f"{name}: at most {MOST_RULES} rules of at most {LONGEST_RULE} characters.")
    return rules


def _checked_categories(given: Any) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise _refusal("categories: a list of objects.")
    if len(given) > MOST_CATEGORIES:
        raise _refusal(f"categories: at most {MOST_CATEGORIES}.")
    categories = [_checked_category(each) for each in given]
    names = [each["name"] for each in categories]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise _refusal(f"categories: {twice} is there twice.")
    return categories


def _checked_category(given: dict[str, Any]) -> dict[str, Any]:
    name, description = given.get("name"), given.get("description", "")
    if not isinstance(name, str) or not CATEGORY_NAME.fullmatch(name):
        raise _refusal("categories: a name is lower-case letters, digits and underscores, at most 40.")
    if name.upper() in FactCategory.__members__:
        raise _refusal(f"categories: {name} is there already.")
    if not isinstance(description, str) or len(description) > LONGEST_DESCRIPTION:
        raise _refusal(f"categories: {name}: a description of at most {LONGEST_DESCRIPTION} characters.")
    category: dict[str, Any] = {"name": name, "description": " ".join(description.split())}
    days, importance = given.get("retentionDays"), given.get("importance")
    if days is not None:
        category["retentionDays"] = _checked_days(name, days)
    if importance is not None:
        category["importance"] = _checked_importance(name, importance)
    return category


def _checked_days(name: str, days: Any) -> int:
    if isinstance(days, bool) or not isinstance(days, int) or not 1 <= days <= LONGEST_RETENTION:
        raise _refusal(f"categories: {name}: retentionDays is 1 to {LONGEST_RETENTION}, or null for ever.")
    return days


def _checked_importance(name: str, importance: Any) -> float:
    if isinstance(importance, bool) or not isinstance(importance, int | float) or not 0 <= importance <= 1:
        raise _refusal(f"categories: {name}: importance is a number from 0 to 1.")
    return float(importance)


def _refusal(detail: str) -> ValidationFailed:
    return ValidationFailed.of("overlayRules", detail)
