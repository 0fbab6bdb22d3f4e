"""Identifiers ordered by time, so that primary keys are made in the order in which rows are written."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import uuid_utils


def new_id() -> UUID:
    """A fresh UUIDv7."""
    return UUID(int=uuid_utils.uuid7().int)


def first_id_at(moment: datetime) -> UUID:
    """The least UUIDv7 that can have been made at that moment: keys from then on are not below it."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)
