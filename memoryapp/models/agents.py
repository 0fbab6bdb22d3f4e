"""Agents: who talks to people and what it is told to remember."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from memoryapp.models.categories import DEFAULT_TRAITS, CategoryTraits, FactCategory
from tenants.scoping import WorkspaceModel


class Agent(WorkspaceModel):
    """An AI agent of a workspace; all memory of people hangs on one."""

    class ReviewMode(models.TextChoices):
        OFF = "off"
        LOW_CONFIDENCE = "low_confidence"
        ALL = "all"

    class Overlay(models.TextChoices):
        DEFAULT = "default"
        COMPANION = "companion"

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    description = models.TextField(blank=True)
    model = models.CharField(max_length=160, blank=True)
    settings = models.JSONField(default=dict, blank=True)
    overlay = models.CharField(max_length=16, choices=Overlay.choices, default=Overlay.DEFAULT)
    overlay_rules = models.JSONField(default=dict, blank=True)
    review_mode = models.CharField(max_length=16, choices=ReviewMode.choices, default=ReviewMode.OFF)
    # When its persona was last thought about; what was learnt since counts towards the next time.
    soul_looked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint("workspace", Lower("slug"), name="memoryapp_agent_slug_unique")
        ]

    def __str__(self) -> str:
        return self.name

    def traits_of(self, category: str) -> CategoryTraits:
        """How facts of a category are treated here: the product's own, the agent's own, else the default."""
        rules = self.overlay_rules if isinstance(self.overlay_rules, dict) else {}
        own = next((each for each in rules.get("categories", ()) if each.get("name") == category), None)
        if own is None:
            return FactCategory.traits_of(category)
        return CategoryTraits(
            own.get("description", ""),
            own.get("importance", DEFAULT_TRAITS.importance),
            own.get("retentionDays"),
        )
