"""The suite's server, started before the settings read its port: loaded with `-p tests.database`."""

from __future__ import annotations

import atexit
import os
from pathlib import Path

import pytest

from memoryapp.embedded import EmbeddedServer

ROOT = Path(__file__).resolve().parent.parent

# The suite always has a server of its own: it creates and drops databases.
os.environ.pop("DATABASE_URL", None)
os.environ.pop("DATABASE_OWNER_URL", None)
os.environ.pop("MEMORYAPP_DATABASE_POOL", None)
os.environ.setdefault("MEMORYAPP_DATA_DIR", str(ROOT / ".data" / "test"))
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["DJANGO_SETTINGS_MODULE"] = "memoryapp.settings"

SERVER = EmbeddedServer(Path(os.environ["MEMORYAPP_DATA_DIR"]).expanduser().resolve())
SERVER.start()
# Held until this process ends: a run that ends before it stops the server only if nobody is connected.
HELD = SERVER.connect_as_superuser()
atexit.register(HELD.close)


def pytest_configure(config: pytest.Config) -> None:
    from tests import database_copies

    # A plugin registered this late has the last word over pytest-django's fixture of the same name.
    config.pluginmanager.register(database_copies, "tests.database_copies")
