"""A process of its own that works on what is due, or forgets a fact, and is killed before the n-th statement.

Run as `python -m tests.lifecycle.killed_worker <database> <n> [<fact id>]`; it prints how many statements it made when
it lived to the end.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import tests.database  # noqa: F401 - the settings read the port of the server it starts


def main(database: str, kill_at: int, fact_id: str = "") -> None:
    import django

    django.setup()
    from django.db import connection

    connection.settings_dict["NAME"] = database
    connection.settings_dict["OPTIONS"].pop("pool", None)
    made = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal made
        made += 1
        if made == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*arguments)

    with connection.execute_wrapper(count):
        work(fact_id)
    sys.stdout.write(f"{made}\n")


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
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
