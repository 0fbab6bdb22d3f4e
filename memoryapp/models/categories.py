"""The categories of facts, with everything that depends on one in a single place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

PERMANENT = None


@dataclass(frozen=True, slots=True)
class CategoryTraits:
    """How facts of a category are treated."""

    description: str
    importance: float
    kept_days: int | None
    always_on: bool = False
    immutable: bool = False
    view: str = ""
    proposable: bool = True


class FactCategory(Enum):
    """The product's own categories; callers may use further names of their own, which carry the default traits."""

    IDENTITY = CategoryTraits(
        "Who the person is: name, place, language, occupation.",
        0.95,
        PERMANENT,
        always_on=True,
        immutable=True,
        view="user",
    )
    CONFIGURATION = CategoryTraits(
        "Tools, services, schedules and identifiers that were set up.", 0.95, PERMANENT, view="reference"
    )
    RULE = CategoryTraits(
        "A standing directive about behaviour, with its reason.",
        0.90,
        PERMANENT,
        always_on=True,
        view="feedback",
    )
    PREFERENCE = CategoryTraits(
        "What the person likes or wants, with the reason if stated.",
        0.85,
        PERMANENT,
        always_on=True,
        view="user",
    )
    DECISION = CategoryTraits(
        "A choice that was made and why, or a lesson learnt.", 0.80, PERMANENT, view="project"
    )
    TECHNICAL = CategoryTraits("Stack, environment and skill.", 0.80, PERMANENT, view="reference")
    RELATIONSHIP = CategoryTraits(
        "People around the person and their roles.", 0.75, PERMANENT, always_on=True, view="user"
    )
    PROJECT = CategoryTraits("Goals, projects, milestones and deadlines.", 0.75, 90, view="project")
    # Accepted from callers, never proposed by the extractor.
    OPERATIONAL = CategoryTraits("Short-lived state of running work.", 0.60, 7, proposable=False)

    @property
    def slug(self) -> str:
        return self.name.lower()

    @classmethod
    def traits_of(cls, category: str) -> CategoryTraits:
        """The traits of a category by name; a caller's own category gets the default ones."""
        return cls[category.upper()].value if category.upper() in cls.__members__ else DEFAULT_TRAITS

    @classmethod
    def always_on(cls) -> list[str]:
        return [member.slug for member in cls if member.value.always_on]

    @classmethod
    def proposable(cls) -> list[str]:
        return [member.slug for member in cls if member.value.proposable]

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        return [(member.slug, member.slug.capitalize()) for member in cls]


DEFAULT_TRAITS = CategoryTraits("A category of the caller's own.", 0.50, PERMANENT)
