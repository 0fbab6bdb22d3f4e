"""A new persona without a model: the standing rules that the team taught and the persona does not say yet."""

from __future__ import annotations

from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.wording import count_words, says_nothing_new
from memoryapp.llm.night_tasks import SoulInput, SoulReply

HEADINGS = {"zh": "## 我学到的", "es": "## Lo que he aprendido", "de": "## Was ich gelernt habe"}
HEADING = "## What I have learnt"
# Rules say how to behave; everything else a team knows says nothing of a character.
TEACHING = "rule"


def propose_soul(task: SoulInput) -> SoulReply:
    """SOUL.md with the rules that are new to it, as far as they fit."""
    lines = task.soul.rstrip().splitlines()
    known = [line for line in lines if line.strip() and not line.startswith("#")]
    new: list[str] = []
    for fact in task.facts:
        text = fact.text.strip().rstrip(".")
        if fact.category != TEACHING or any(says_nothing_new(text, line) for line in [*known, *new]):
            continue
        if count_words("\n".join([*lines, *new, text])) <= task.word_limit:
            new.append(text)
    if not new:
        return SoulReply(
            should_update=False, reason="The team taught nothing that the persona does not say already."
        )
    heading = HEADINGS.get(detect_language(" ".join(new)), HEADING)
    return SoulReply(
        should_update=True,
        reason=f"{len(new)} standing rules of the team were not part of it yet.",
        soul_content=_with_rules(lines, heading, [f"- {text}" for text in new]),
    )


def _with_rules(lines: list[str], heading: str, bullets: list[str]) -> str:
    if heading not in lines:
        return "\n".join([*lines, "", heading, "", *bullets]) + "\n"
    start = lines.index(heading) + 1
    end = next((at for at in range(start, len(lines)) if lines[at].startswith("## ")), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], *bullets, *lines[end:]]) + "\n"
