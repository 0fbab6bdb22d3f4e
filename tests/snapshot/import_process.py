"""One import in a process of its own, which says how much memory it took over its idle state, and how long."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django


def memory_kib(figure: str) -> int:
    """What the kernel says this process holds (VmRSS) or has held at most (VmHWM)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith(figure)).split()[1])


def main(database: str, agent_id: str, owner_key: str, archive: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "memoryapp.settings"
    django.setup()
    from django.db import connections

    for alias in connections:
        connections[alias].settings_dict["NAME"] = database
    small = Path(archive).with_name("small.zip")
    measure(agent_id, owner_key, small)  # everything is imported and warm
    idle = memory_kib("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak counts from now
    figures = measure(agent_id, owner_key, Path(archive))
    print(json.dumps({**figures, "overIdle": (memory_kib("VmHWM") - idle) * 1024}))  # noqa: T201 # its reader parses this


def measure(agent_id: str, owner_key: str, archive: Path) -> dict[str, Any]:
    """Preview and apply an archive; the seconds each took, or the code of the refusal."""
    from memoryapp.exceptions import MemoryAppError
    from memoryapp.models import Agent
    from memoryapp.snapshots.apply import apply_import
    from memoryapp.snapshots.preview import preview_import
    from memoryapp.snapshots.summaries import summary_of
    from tenants.models import Role, Workspace
    from tenants.principals import Principal
    from tenants.scoping import workspace_scope

    workspace = Workspace.objects.get(slug=os.environ["SNAPSHOT_WORKSPACE"])
    principal = Principal(workspace=workspace, owner_key=owner_key, role=Role.OWNER)
    with workspace_scope(workspace):
        agent = Agent.objects.get(pk=agent_id)
    started = time.perf_counter()
    try:
        with archive.open("rb") as upload:
            row = preview_import(principal=principal, agent=agent, upload=upload)
    except MemoryAppError as refusal:
        return {"code": refusal.code, "preview": time.perf_counter() - started}
    with workspace_scope(workspace):
        summary_of(row)
    previewed = time.perf_counter()
    apply_import(principal=principal, agent=agent, import_id=row.pk)
    return {"preview": previewed - started, "apply": time.perf_counter() - previewed}


if __name__ == "__main__":
    main(*sys.argv[1:])
