"""Every word said to a model, kept in templates/prompts/*.md: changing a prompt is changing a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).resolve().parent.parent / "templates" / "prompts"


class PromptError(Exception):
    """A prompt that does not exist, or variables that are not the ones its template has."""


def render_prompt(name: str, **context: object) -> str:
    """The prompt with its variables filled in; one missing or unknown raises, so that a typing error cannot hide."""
    template = _load(name)
    wanted, given = set(template.get_identifiers()), set(context)
    if wanted != given:
        missing, unknown = sorted(wanted - given), sorted(given - wanted)
        raise PromptError(f"Prompt {name!r}: missing {missing}, unknown {unknown}")
    return template.substitute(context).strip() + "\n"


def prompt_names() -> list[str]:
    """The names of all prompts."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


@cache
def _load(name: str) -> Template:
    if name not in prompt_names():
        raise PromptError(f"There is no prompt {name!r}")
    template = Template((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    if not template.is_valid():
        raise PromptError(f"Prompt {name!r} has a stray dollar sign; write $$")
    return template
