"""What is forgotten here is forgotten outside too: whoever tells the sources outside is registered here.

Forgetting is an action and knows no provider; `jobs` registers the one that asks for the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from memoryapp.models import Fact
from tenants.models import Workspace

Listener = Callable[[Workspace, str, UUID | None, list[str], bool], None]
_listeners: list[Listener] = []


def on_forgetting(listener: Listener) -> Listener:
    """Have a function called in the transaction of every act of forgetting."""
    if listener not in _listeners:
        _listeners.append(listener)
    return listener


def tell_forgotten(facts: Sequence[Fact]) -> None:
    """Say that facts of one owner are forgotten, in their own words, while they still have any."""
    for owner_key in dict.fromkeys(fact.owner_key for fact in facts if fact.owner_key):
        theirs = [fact for fact in facts if fact.owner_key == owner_key]
        texts = _without_repeats(fact.text for fact in theirs)
        for listener in _listeners:
            listener(theirs[0].workspace, owner_key, theirs[0].agent_id, texts, False)


def tell_erased(workspace: Workspace, owner_key: str) -> None:
    """Say that somebody is erased, with all that is known of them."""
    for listener in _listeners:
        listener(workspace, owner_key, None, [], True)


def _without_repeats(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
