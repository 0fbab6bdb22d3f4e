"""Identifiers ordered by time, so that primary keys are made in the order in which rows are written."""

from __future__ import annotations

from uuid import UUID

import uuid_utils


def new_id() -> UUID:
    """A fresh UUIDv7."""
    return UUID(int=uuid_utils.uuid7().int)
