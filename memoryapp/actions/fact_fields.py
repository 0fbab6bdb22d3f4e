"""What the fields of a fact may hold, whoever fills them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memoryapp.actions.fact_text import checked_text
from memoryapp.actions.masking import masked, masked_tree
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Fact
from memoryapp.models.categories import FactCategory
from tenants.principals import Principal

MAX_LABELS = 32
CHANGEABLE = {
    "text", "category", "labels", "importance", "confidence", "metadata", "language", "immutable", "status",
    "valid_from", "valid_to", "expires_at", "said_at", "run_id", "app_id",
}  # fmt: skip


def checked_changes(principal: Principal, changes: dict[str, Any]) -> dict[str, Any]:
    """The new values of a fact's fields, checked and masked; raises ValidationFailed for what cannot be changed."""
    unknown = sorted(set(changes) - CHANGEABLE)
    if unknown:
        raise ValidationFailed.of(unknown[0], "This field cannot be changed.")
    if "text" in changes:
        changes["text"], _ = masked(checked_text(changes["text"]), principal.workspace)
    if "category" in changes:
        changes["category"] = checked_category(changes["category"])
    if "labels" in changes:
        changes["labels"] = checked_labels(changes["labels"])
    if "metadata" in changes:
        changes["metadata"] = masked_tree(changes["metadata"], principal.workspace)
    check_importance(changes.get("importance", 0))
    return changes


def checked_category(category: str) -> str:
    """The name of a category as it is stored: our own in lower case."""
    name = category.strip()
    if len(name) > 64:
        raise ValidationFailed.of("category", "A category has at most 64 characters.")
    return name.lower() if name.upper() in FactCategory.__members__ else name


def checked_labels(labels: Sequence[str]) -> list[str]:
    """The labels without repeats and blank ones."""
    names = list(dict.fromkeys(str(label).strip() for label in labels if str(label).strip()))
    if len(names) > MAX_LABELS or any(len(name) > 64 for name in names):
        raise ValidationFailed.of("categories", f"At most {MAX_LABELS} categories of at most 64 characters.")
    return names


def check_importance(importance: float) -> None:
    """Raise ValidationFailed for an importance that is no share."""
    if not 0 <= importance <= 1:
        raise ValidationFailed.of("importance", "A number from 0 to 1.")


def check_validity(fact: Fact) -> None:
    """Raise ValidationFailed for a fact that ends before it begins."""
    if fact.valid_from and fact.valid_to and fact.valid_to < fact.valid_from:
        raise ValidationFailed.of("validTo", "A fact cannot end before it begins.")
