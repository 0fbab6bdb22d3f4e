"""Writing into a memory file by one of four strategies, so that nobody has to send the whole of it."""

from __future__ import annotations

from memoryapp.actions.access import writing_scope
from memoryapp.actions.files import FileWrite, load_file, write_file
from memoryapp.actions.merging import Strategy, merged
from memoryapp.exceptions import NotFound, PreconditionFailed, ValidationFailed
from memoryapp.models import Agent
from tenants.principals import Principal
from tenants.scoping import Scope

TRIES = 5


def write_memory(
    *,
    principal: Principal,
    agent: Agent,
    path: str,
    strategy: str,
    content: str,
    section: str = "",
    scope: str = Scope.TEAM,
    if_match: str | None = None,
    origin: str = "api",
    reason: str = "",
    person: bool = False,
) -> FileWrite:
    """Put content into a file, which is made when it is missing and the strategy allows it.

    Somebody else's write in between is taken into account: the content joins the text as it then is. Raises
    ValidationFailed, Conflict (see merged), TooLarge, NotPermitted, and PreconditionFailed for an `if_match` that is
    not what is stored.
    """
    if strategy not in list(Strategy):
        raise ValidationFailed.of("strategy", f"One of {', '.join(Strategy)}.")
    if not content.strip() and strategy != Strategy.OVERWRITE:
        raise ValidationFailed.of("content", "There is nothing to write.")
    wanted, _ = writing_scope(principal, scope)
    for tries_left in reversed(range(TRIES)):
        try:
            file = load_file(principal=principal, agent=agent, path=path, scope=wanted)
            before, version = file.content, file.version
        except NotFound:
            before, version = "", 0
        try:
            return write_file(
                principal=principal,
                agent=agent,
                path=path,
                content=merged(before, Strategy(strategy), content, section),
                scope=scope,
                if_match=if_match,
                base_version=version,
                origin=origin,
                reason=reason or strategy,
                person=person,
            )
        except PreconditionFailed:
            if if_match is not None or not tries_left:
                raise
    raise PreconditionFailed("The file changes faster than it can be written.")
