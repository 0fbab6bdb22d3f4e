"""What of a memory file is a fact: its bullets, with their key, category and whose hand they are of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from memoryapp.actions.bullets import read_lines
from memoryapp.actions.fact_text import text_key
from memoryapp.llm.language.wording import content_words
from memoryapp.models import FileSection
from memoryapp.models.categories import FactCategory

KEY = regex.compile(r"^(?P<key>[^:：]{1,40})[:：]\s*\S")
# Other words by which people head a section than the category's own name.
HEADINGS = {
    "preference": ("like", "偏好", "喜好", "preferencia", "vorlieben"),
    "rule": ("polic", "feedback", "规则", "regla", "regeln"),
    "decision": ("lesson", "决定", "决策", "decision", "entscheidung"),
    "project": ("todo", "goal", "项目", "proyecto", "projekt"),
    "relationship": ("people", "famil", "contact", "team", "人物", "关系", "persona", "relacion", "menschen"),
    "technical": ("stack", "environment", "技术", "técnic", "technik"),
    "configuration": ("setup", "tool", "system", "配置", "configuración", "konfiguration"),
    "identity": ("about", "profile", "关于", "身份", "perfil", "über"),
}


@dataclass(frozen=True, slots=True)
class ProjectedLine:
    """A bullet of a section, as the fact it is."""

    text: str
    section: FileSection

    @property
    def text_key(self) -> str:
        return text_key(self.text)

    @property
    def key(self) -> str:
        """What a “key: value” bullet is about; empty for another."""
        match = KEY.match(self.text)
        return match["key"].strip().casefold() if match else ""

    @property
    def category(self) -> str:
        return category_of(self.section.heading)


def projected_lines(sections: Iterable[FileSection]) -> list[ProjectedLine]:
    """The bullets of a file outside code, each statement once."""
    found: dict[str, ProjectedLine] = {}
    for section in sections:
        for _, bullet in read_lines(section.text):
            if bullet and content_words(bullet.text):
                line = ProjectedLine(bullet.text, section)
                found.setdefault(line.text_key, line)
    return list(found.values())


def category_of(heading: str) -> str:
    """The category that a section's heading names; empty when it names none."""
    folded = heading.casefold()
    if not folded:
        return ""
    for category in FactCategory:
        words = (category.slug, *HEADINGS.get(category.slug, ()))
        if any(word in folded for word in words):
            return category.slug
    return ""
