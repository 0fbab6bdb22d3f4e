"""A process whose children work on what is due, or forget a fact, each killed before its n-th statement.

Run as `python -m tests.lifecycle.killed_worker <database>`; every line it reads, `<n> [<fact id>]`, is one child. It
tells how that one ended: its exit code, or minus the signal that killed it. It starts slowly and forks quickly.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import tests.database  # noqa: F401 - the settings read the port of the server it starts


def main(database: str) -> None:
    import django

    django.setup()
    from django.db import connection

    import memoryapp.jobs  # noqa: F401 - once, before any child needs it

    connection.settings_dict["NAME"] = database
    connection.settings_dict["OPTIONS"].pop("pool", None)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        number, _, fact_id = line.strip().partition(" ")
        child = os.fork()
        if not child:
            work_until(int(number), fact_id)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def work_until(kill_at: int, fact_id: str) -> None:
    """Work, and die by SIGKILL before the statement of that number; end with 0 when there were fewer."""
    from django.db import connection

    made = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal made
        made += 1
        if made == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*arguments)

    code = 1
    try:
        with connection.execute_wrapper(count):
            work(fact_id)
        code = 0
    finally:
        # The parent's own ending is none of a child's business.
        os._exit(code)


def work(fact_id: str) -> None:
    from memoryapp.actions.forget import forget_fact
    from memoryapp.jobs import drain
    from memoryapp.models import Fact
    from tenants.models import Workspace
    from tenants.principals import principal_for_job
    from tenants.scoping import workspace_scope

    if not fact_id:
        drain()
        return
    workspace = Workspace.objects.get(slug="harbour")
    with workspace_scope(workspace):
        fact = Fact.objects.get(pk=fact_id)
    forget_fact(principal=principal_for_job(workspace, fact.owner_key), fact=fact)


if __name__ == "__main__":
    main(sys.argv[1])
