"""Keeps the web server, the workers and the embedded PostgreSQL going until somebody asks to stop."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connections

from memoryapp.embedded import EmbeddedPostgresError, EmbeddedServer
from memoryapp.jobs import worker_heartbeat_age
from memoryapp.management.children import Child

logger = logging.getLogger(__name__)

TICK_SECONDS = 0.5
LOOK_AROUND_SECONDS = 10.0
STOP_SECONDS = 15.0
# Every worker may be busy with the longest job allowed before the task that writes the heartbeat gets its turn.
STALE_AFTER = timedelta(seconds=settings.JOB_TIMEOUT_SECONDS + 120)


class AlreadyRunning(Exception):
    """Another supervisor looks after this data folder."""


@contextlib.contextmanager
def supervise_alone(data_dir: Path) -> Iterator[None]:
    """Hold the data folder's supervisor lock, which the kernel frees however this process ends."""
    with (data_dir / "up.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            lock.seek(0)
            raise AlreadyRunning(lock.read().strip()) from held
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


class Supervisor:
    """The children, the embedded server if it is ours, and the wish to stop."""

    def __init__(self, children: list[Child], server: EmbeddedServer | None) -> None:
        self.children = children
        self.server = server
        self.stopping = threading.Event()
        self._looked_around = time.monotonic()

    def obey_signals(self) -> None:
        """Ctrl-C, SIGTERM and a closed terminal all mean: stop everything."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.stopping.set())

    def start(self) -> None:
        for child in self.children:
            child.start()

    def run(self) -> None:
        """Tend everything until asked to stop."""
        while not self.stopping.wait(TICK_SECONDS):
            for child in self.children:
                child.tend()
            if time.monotonic() - self._looked_around > LOOK_AROUND_SECONDS:
                self._looked_around = time.monotonic()
                self.revive_database()
                self.restart_stale_workers()

    def stop(self) -> None:
        """Stop the children, gently first, and the embedded server last."""
        deadline = time.monotonic() + STOP_SECONDS
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.stop(deadline)
        if self.server is not None:
            self.server.stop()

    def revive_database(self) -> None:
        if self.server is None or self.server.is_running():
            return
        logger.warning("PostgreSQL does not answer; starting it again")
        try:
            self.server.start()
        except EmbeddedPostgresError as problem:
            logger.error("PostgreSQL could not be started: %s", problem)

    def restart_stale_workers(self) -> None:
        """A cluster can hang and look alive; only a task that ran proves that it works."""
        try:
            age = worker_heartbeat_age()
        except OperationalError:
            return
        finally:
            connections.close_all()
        for child in self.children:
            silent = timedelta(seconds=time.monotonic() - child.started)
            if child.name == "worker" and min(silent, age or silent) > STALE_AFTER:
                logger.warning("The workers have run no task for a long time; starting them again")
                child.restart()
