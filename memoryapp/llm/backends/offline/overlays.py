"""What a workspace's own rules add: things to keep in addition, and categories of its own."""

from __future__ import annotations

from memoryapp.llm.language.wording import content_words, is_weak
from memoryapp.llm.tasks import Overlay

_RULE_WORDS = content_words(
    "always keep remember store save note record also everything anything about regarding details of what which when "
    "names name facts fact things user people"
)


def is_wanted(text: str, overlay: Overlay) -> bool:
    """Whether a rule of the workspace's own asks for such a statement: one of its telling words occurs."""
    words = content_words(text)
    return any(_telling(rule) & words for rule in overlay.include)


def own_category(text: str, overlay: Overlay) -> str:
    """The workspace's own category that fits the text best; empty when none does."""
    words = content_words(text)
    fits = [
        (len(words & _telling(f"{category.name.replace('_', ' ')} {category.description}")), category.name)
        for category in overlay.custom_categories
    ]
    best = max(fits, default=(0, ""))
    return best[1] if best[0] else ""


def _telling(rule: str) -> frozenset[str]:
    return frozenset(word for word in content_words(rule) - _RULE_WORDS if not is_weak(word))
