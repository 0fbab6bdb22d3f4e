"""How the memory sources are doing: which there are, which are in use, and what became of the last calls."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from memoryapp.providers import BUILT_IN, known_providers, names_in_use
from memoryapp.providers.breaker import BreakerState, breakers_of
from tenants.models import Workspace

HOOKS = (
    "system_prompt_block",
    "prefetch",
    "sync_turn",
    "on_session_end",
    "on_pre_compress",
    "on_memory_write",
    "on_forget",
    "tools",
)


LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """One memory source, as this process has seen it."""

    name: str
    built_in: bool
    in_use: bool
    is_set_up: bool
    waits: bool
    hooks: tuple[str, ...]
    state: BreakerState
    calls: int
    failed_calls: int
    last_error: str
    last_failed_at: datetime | None
    last_ms: float


def provider_statuses(workspace: Workspace) -> list[ProviderStatus]:
    """Every source there is, those in use first and in their order."""
    used = names_in_use()
    names = [*used, *sorted(set(known_providers()) - set(used))]
    return [_status(name, workspace, in_use=name in used) for name in names]


def _status(name: str, workspace: Workspace, *, in_use: bool) -> ProviderStatus:
    provider, breakers = known_providers()[name], breakers_of(name)
    states = [breaker.state for breaker in breakers]
    failed = [breaker for breaker in breakers if breaker.last_failed_at is not None]
    latest = max(failed, key=lambda breaker: breaker.last_failed_at or LONG_AGO, default=None)
    return ProviderStatus(
        name,
        name in BUILT_IN,
        in_use,
        provider().is_set_up(workspace),
        provider.waits,
        tuple(hook for hook in HOOKS if provider.hears(hook)),
        max(states, key=list(BreakerState).index, default=BreakerState.CLOSED),
        sum(breaker.calls for breaker in breakers),
        sum(breaker.failed_calls for breaker in breakers),
        latest.last_error if latest else "",
        latest.last_failed_at if latest else None,
        round(max((breaker.last_ms for breaker in breakers), default=0.0), 1),
    )
