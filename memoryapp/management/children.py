"""A process of ours that is started again when it ends: at once the first time, then ever more slowly."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from memoryapp.management.leash import PARENT_VARIABLE

logger = logging.getLogger(__name__)

MANAGE = Path(__file__).resolve().parent.parent.parent / "manage.py"
LONGEST_PAUSE_SECONDS = 30.0
# Who lived this long was not failing at its start: the pauses begin anew.
STEADY_SECONDS = 60.0


@dataclass
class Child:
    """One of `manage.py`'s long-running commands as a child process."""

    name: str
    arguments: list[str]
    started: float = 0.0
    pause: float = 0.0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, str(MANAGE), *self.arguments],
            env={**os.environ, PARENT_VARIABLE: str(os.getpid()), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            # Ctrl-C in the terminal reaches the supervisor alone, which then stops everything in order.
            start_new_session=True,
        )

    def tend(self) -> None:
        """Start it again once it has ended and its pause is over."""
        if self.process is None or self.process.poll() is None:
            return
        lived = time.monotonic() - self.started
        if lived < self.pause:
            return
        self._end_group()
        self.pause = 1.0 if lived > STEADY_SECONDS else min(max(1.0, self.pause * 2), LONGEST_PAUSE_SECONDS)
        logger.warning("%s ended with code %s; starting it again", self.name, self.process.returncode)
        self.start()

    def restart(self) -> None:
        """End it and all it forked at once; `tend` starts it again."""
        self._end_group()

    def ask_to_stop(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def stop(self, deadline: float) -> None:
        """Wait until `deadline` for a process that was asked to stop, then end it."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        self._end_group()
        self.process.wait()

    def _end_group(self) -> None:
        """The session it leads holds its forks as well, those a crash left behind included."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
