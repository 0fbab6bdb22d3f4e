"""The embedded PostgreSQL of a data folder, and the three database roles. Knows no models and no Django."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from memoryapp.embedded.launcher import EmbeddedPostgresError
from memoryapp.embedded.server import EmbeddedServer

__all__ = ["EmbeddedPostgresError", "EmbeddedServer", "data_dir_from", "prepare_database"]

logger = logging.getLogger(__name__)

DEFAULT_DATA_DIR = Path(__file__).resolve().parent.parent.parent / ".data"


def prepare_database(
    variables: Mapping[str, str] = os.environ, *, tell: Callable[[str], object] = logger.info
) -> None:
    """Start or reuse the embedded server of the data folder, unless DATABASE_URL names another one."""
    if variables.get("DATABASE_URL", "").strip():
        return
    server = EmbeddedServer(data_dir_from(variables))
    if not server.is_running():
        tell(f"Starting PostgreSQL in {server.home} ...")
    server.start()


def data_dir_from(variables: Mapping[str, str]) -> Path:
    """The data folder the environment names, resolved as the settings resolve it."""
    return Path(variables.get("MEMORYAPP_DATA_DIR", "").strip() or DEFAULT_DATA_DIR).expanduser().resolve()
