"""How many calls a workspace's programs may make in a minute, when it has set a limit."""

from __future__ import annotations

import math
import time

from django.core.cache import cache

from tenants.exceptions import TooManyCalls
from tenants.models import Workspace

QUOTAS, CALLS_PER_MINUTE = "quotas", "calls_per_minute"
WINDOW_SECONDS = 60


def count_call(workspace: Workspace) -> None:
    """Count a call with a token, as this process sees them; raises TooManyCalls beyond the workspace's limit."""
    most = int(workspace.setting(QUOTAS, {}).get(CALLS_PER_MINUTE, 0))
    if not most:
        return
    now = time.time()
    window = int(now // WINDOW_SECONDS)
    key = f"calls:{workspace.pk}:{window}"
    cache.add(key, 0, timeout=WINDOW_SECONDS * 2)
    try:
        calls = cache.incr(key)
    except ValueError:
        # A full cache has dropped it in between; the count of this minute starts anew.
        calls = 1
    if calls > most:
        raise TooManyCalls(most, retry_after=math.ceil((window + 1) * WINDOW_SECONDS - now))
