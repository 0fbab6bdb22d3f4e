"""Ties a process, and every process it forks, to its parent: none of ours outlives a killed supervisor."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping

PARENT_VARIABLE = "MEMORYAPP_SUPERVISOR"
PR_SET_PDEATHSIG = 1

_parent = 0


def follow_supervisor(variables: Mapping[str, str] = os.environ) -> None:
    """Die with the supervisor that started this process; does nothing in a process started by hand."""
    supervisor = variables.get(PARENT_VARIABLE, "")
    if supervisor:
        die_with(int(supervisor))


def die_with(parent: int) -> None:
    """End this process as soon as `parent` is gone, and its forks, and theirs, as soon as it is itself."""
    _arm(parent)
    # The queue's processes are forks of forks, and the kernel forgets the wish on every fork.
    os.register_at_fork(before=_remember_parent, after_in_child=lambda: _arm(_parent))


def _remember_parent() -> None:
    global _parent
    _parent = os.getpid()


def _arm(parent: int) -> None:
    if sys.platform == "linux":
        # SIGKILL: the jobs survive it by design, while a gentle stop waits for a running one.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=[parent], daemon=True, name="leash").start()
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _watch(parent: int) -> None:
    """Elsewhere the kernel offers nothing like it."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGKILL)
