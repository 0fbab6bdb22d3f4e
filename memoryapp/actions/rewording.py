"""A fact that a person corrects is corrected in the files that say it: the old words there would bring it back."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.actions.bullets import read_lines
from memoryapp.actions.fact_text import text_key
from memoryapp.actions.file_revisions import store_text
from memoryapp.actions.statements import undressed
from memoryapp.models import Fact, WorkspaceFile
from tenants.principals import Principal

# What a model reads every turn, and what is projected into facts. Notes and the diary keep what was said that day.
CORRECTED = ("MEMORY.md", "PROFILE.md")
REASON = "a fact was corrected"


def reword_files(principal: Principal, fact: Fact, before: str) -> list[str]:
    """Put a fact's new words where its bucket's memory files have the old ones as a line; the paths of those files.

    To be called inside the workspace's scope.
    """
    old = text_key(undressed(before))
    files = WorkspaceFile.objects.filter(
        agent_id=fact.agent_id, scope=fact.scope, owner_key=fact.owner_key, path__in=CORRECTED
    )
    changed = []
    for file in files.order_by("pk").select_for_update():
        content = "".join(_reworded(file.content, old, fact.text))
        if content != file.content:
            store_text(principal, file, content, before=file.content, origin="fact", reason=REASON)
            changed.append(file.path)
    return changed


def _reworded(content: str, old: str, new: str) -> Iterator[str]:
    """The content line by line, with the new words in the bullets outside code that say the old ones."""
    for line, bullet in read_lines(content):
        if bullet and text_key(undressed(bullet.text)) == old:
            yield bullet.saying(new) + line[len(line.rstrip("\r\n")) :]
        else:
            yield line
