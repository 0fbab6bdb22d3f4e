"""Writing into a memory file by one of four strategies, so that nobody has to send the whole of it."""

from __future__ import annotations

from contextlib import suppress

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
    _check(strategy, content)
    wanted, _ = writing_scope(principal, scope)

    def join() -> FileWrite:
        before, version = _as_it_is(principal, agent, path, wanted)
        return write_file(
            principal=principal, agent=agent, path=path, scope=scope,
            content=merged(before, Strategy(strategy), content, section),
            if_match=if_match, base_version=version, origin=origin, reason=reason or strategy, person=person,
        )  # fmt: skip

    for _try in range(TRIES - 1 if if_match is None else 0):
        with suppress(PreconditionFailed):
            return join()
    return join()


def _check(strategy: str, content: str) -> None:
    if strategy not in list(Strategy):
        raise ValidationFailed.of("strategy", f"One of {', '.join(Strategy)}.")
    if not content.strip() and strategy != Strategy.OVERWRITE:
        raise ValidationFailed.of("content", "There is nothing to write.")


def _as_it_is(principal: Principal, agent: Agent, path: str, scope: str) -> tuple[str, int]:
    """The text and the version of a file now; of one that does not exist nothing, and 0."""
    try:
        file = load_file(principal=principal, agent=agent, path=path, scope=scope)
    except NotFound:
        return "", 0
    return file.content, file.version
