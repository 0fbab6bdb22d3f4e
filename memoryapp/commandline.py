"""What happens before Django reads its settings: the data folder is chosen, the database made to answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_DATABASE = frozenset(
    {
        "check",
        "collectstatic",
        "compilemessages",
        "db",
        "diffsettings",
        "findstatic",
        "help",
        "makemessages",
        "mcp",
        "spectacular",
        "version",
    }
)


def run_command(argv: list[str]) -> None:
    """Run one management command, with the embedded server started for those that need it."""
    program, *arguments = argv
    arguments = take_data_dir(arguments)
    # NumPy reads it once, on import; a worker forked from a process with more threads hangs.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    command = arguments[0] if arguments else "help"
    if command == "test" and not {"-h", "--help"} & set(arguments):
        sys.exit(run_tests(arguments[1:]))
    if command == "web":
        os.environ.setdefault("MEMORYAPP_DATABASE_POOL", "true")
    if needs_database(command, arguments):
        _prepare_database()
    from django.core.management import execute_from_command_line

    execute_from_command_line([program, *arguments])


def take_data_dir(arguments: list[str]) -> list[str]:
    """Move `--data-dir D`, which every command accepts, into the environment; the rest is returned."""
    rest: list[str] = []
    values = iter(arguments)
    for argument in values:
        name, separator, value = argument.partition("=")
        if name != "--data-dir":
            rest.append(argument)
            continue
        value = value if separator else next(values, "")
        if not value:
            sys.exit("--data-dir needs a folder: --data-dir /var/lib/memoryapp")
        os.environ["MEMORYAPP_DATA_DIR"] = str(Path(value).expanduser().resolve())
    return rest


def needs_database(command: str, arguments: list[str]) -> bool:
    asks_for_help = bool({"-h", "--help", "--version"} & set(arguments))
    return not asks_for_help and (command not in WITHOUT_DATABASE or "--database" in arguments)


def run_tests(arguments: list[str]) -> int:
    """Run pytest with these arguments; its exit code. A server started for it is stopped if unused."""
    os.environ.setdefault("MEMORYAPP_DATA_DIR", str(ROOT / ".data" / "test"))
    from memoryapp.embedded import EmbeddedServer, data_dir_from

    server = EmbeddedServer(data_dir_from(os.environ))
    was_running = server.is_running()
    pytest = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=ROOT)  # noqa: S603
    while True:
        try:
            code = pytest.wait()
            break
        except KeyboardInterrupt:
            # The terminal sent it to pytest as well, which ends in its own way.
            continue
    if not was_running:
        server.stop(unless_used=True)
    return code


def _prepare_database() -> None:
    from memoryapp.embedded import EmbeddedPostgresError, prepare_database

    try:
        prepare_database(tell=lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
    except EmbeddedPostgresError as problem:
        sys.exit(str(problem))
