"""The manifest: what a snapshot says of itself. Written with care; read as the claim of a stranger.

Nothing in a manifest chooses the owner, the scope or the agent an import writes to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from memoryapp.snapshots.limits import ArchiveRefused

VERSION = 2
# 1 is MateClaw's own: no list of entries.
READABLE = (1, VERSION)
LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry as a manifest lists it."""

    path: str
    sha256: str
    size: int

    @classmethod
    def of(cls, path: str, content: bytes) -> Listed:
        return cls(path, hashlib.sha256(content).hexdigest(), len(content))


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a snapshot says of itself."""

    version: int = VERSION
    agent: str = ""
    exported_at: str = ""
    include: str = "shared"
    entries: dict[str, Listed] | None = None
    owners: dict[str, str] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """What an importer is shown of it."""
        return {
            "version": self.version,
            "agent": self.agent,
            "exportedAt": self.exported_at,
            "include": self.include,
        }


def canonical(value: Any) -> bytes:
    """The one spelling of a JSON value, so that the same content is the same bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def written(agent: dict[str, str], newest: datetime | None, include: str, **lists: Any) -> bytes:
    """The bytes of a manifest; `entries` as listed, and for a snapshot of everybody whose folder is whose."""
    entries: Sequence[Listed] = lists["entries"]
    body: dict[str, Any] = {
        "version": VERSION,
        "agent": agent,
        "exportedAt": newest.astimezone(UTC).isoformat() if newest else None,
        "include": include,
        "entries": [{"path": entry.path, "sha256": entry.sha256, "size": entry.size} for entry in entries],
    }
    if lists.get("owners"):
        body["owners"] = lists["owners"]
    return json.dumps(body, ensure_ascii=False, indent=2).encode() + b"\n"


def read_manifest(content: bytes) -> Manifest:
    """A manifest as claimed; raises ArchiveRefused when it is none or of a version that is not known here."""
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _refused("The manifest is not valid JSON.") from error
    if not isinstance(value, dict):
        raise _refused("The manifest is not a JSON object.")
    version = value.get("version")
    if isinstance(version, bool) or version not in READABLE:
        raise ArchiveRefused("The snapshot was made by a version that is not known here.", "manifest_version")
    return Manifest(
        version=int(version),
        agent=_agent(value),
        exported_at=_title(value.get("exportedAt")),
        include=_title(value.get("include")) or "shared",
        entries=_entries(value["entries"]) if version == VERSION and "entries" in value else None,
    )


def _refused(detail: str) -> ArchiveRefused:
    return ArchiveRefused(detail, "manifest_malformed")


def _agent(value: dict[str, Any]) -> str:
    agent = value.get("agent")
    return _title(agent.get("name") if isinstance(agent, dict) else value.get("agentName"))


def _title(value: object) -> str:
    """A short text of a stranger's, printable."""
    text = value if isinstance(value, str) else ""
    return "".join(character for character in text if character.isprintable())[:LONGEST_TITLE]


def _entries(value: object) -> dict[str, Listed]:
    if not isinstance(value, list):
        raise _refused("The manifest's list of entries is not a list.")
    listed = [_listed(item) for item in value]
    return {entry.path: entry for entry in listed}


def _listed(item: object) -> Listed:
    path, sha256, size = (
        item.get(key) if isinstance(item, dict) else None for key in ("path", "sha256", "size")
    )
    if not isinstance(path, str) or not isinstance(sha256, str) or not isinstance(size, int):
        raise _refused("The manifest's list of entries is damaged.")
    return Listed(path, sha256, size)
