"""Work that only one process may do at a time, without a row that a killed process could leave locked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

from memoryapp.exceptions import Conflict
from memoryapp.models import Conversation

WAIT = "60s"


class AlreadyRuns(Conflict):
    """409: somebody else is at it at this moment."""

    code = "already_running"


class ReadingRuns(AlreadyRuns):
    """409: another conversation of this person is being read at this moment."""

    code = "extraction_running"


@contextmanager
def one_reading_at_a_time(conversation: Conversation, *, wait: bool) -> Iterator[None]:
    """Hold the lock of an owner's readings; raises ReadingRuns while another one holds it, with `wait` for a minute."""
    busy = ReadingRuns("Another conversation with this person is being read. Try again in a moment.")
    name = f"reading:{conversation.workspace_id}:{conversation.agent_id}:{conversation.owner_key}"
    with alone(name, busy, wait=wait):
        yield


@contextmanager
def alone(name: str, busy: AlreadyRuns, *, wait: bool = False) -> Iterator[None]:
    """Hold the lock of that name; raises `busy` while somebody else holds it, with `wait` after a minute only.

    The lock belongs to the database session, not to a transaction: it spans calls over the network, and ends with its
    process.
    """
    key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    if not (_wait_for(key) if wait else _try(key)):
        raise busy
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [key])


def _try(key: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        return bool(cursor.fetchone()[0])


def _wait_for(key: int) -> bool:
    try:
        # The transaction bounds the time-out's setting; the lock outlives it.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true), pg_advisory_lock(%s)", [WAIT, key])
    except OperationalError:
        return False
    return True
