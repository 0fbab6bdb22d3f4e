"""The files of the pages, compressed and under lasting names, in the data folder."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = ".collected"


def collect_static_files() -> bool:
    """Collect and compress the static files unless none has changed since; True when there was something to do."""
    stamp = Path(settings.STATIC_ROOT) / STAMP
    state = sha256("\n".join(sorted(_described())).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == state:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    # Last, so that a collection that was killed half-way is made again.
    stamp.write_text(state)
    return True


def _described() -> Iterator[str]:
    yield str(settings.BASE_DIR)
    for finder in get_finders():
        for path, storage in finder.list([]):
            file = Path(storage.path(path)).stat()
            yield f"{path} {file.st_size} {file.st_mtime_ns}"
