"""Facts, their history, contradictions and dreams as lines of JSON: what one deployment tells another.

A line names other lines by export ids, which follow from content; database ids and accounts stay at home.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memoryapp.models import Contradiction, Dream, DreamEntry, Fact, FactRevision, FactSource
from memoryapp.snapshots.manifest import canonical

ID_LENGTH = 24


def moment(value: datetime | None) -> str | None:
    """A time in UTC to the microsecond, the same text everywhere."""
    return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")


def export_id(*parts: object) -> str:
    """The name of a line: a digest of what makes it the thing it is."""
    return hashlib.sha256(canonical([str(part) for part in parts])).hexdigest()[:ID_LENGTH]


def fact_id(fact: Fact) -> str:
    """The export id of a fact."""
    return export_id("fact", fact.text_key, fact.run_id, moment(fact.said_at), moment(fact.created_at))


def dream_id(dream: Dream) -> str:
    """The export id of a dream."""
    return export_id("dream", dream.kind, moment(dream.created_at), dream.topic)


def kind_of_actor(actor: str) -> str:
    """Whether a person, an end user of a channel or the system did something; who exactly is nobody's business."""
    return actor.partition(":")[0].partition(" ")[0]


# Line key → model field, for everything that is copied as it stands.
FACT_FIELDS = {
    "text": "text",
    "category": "category",
    "labels": "labels",
    "importance": "importance",
    "confidence": "confidence",
    "language": "language",
    "metadata": "metadata",
    "attributedTo": "attributed_to",
    "origin": "origin",
    "status": "status",
    "immutable": "immutable",
    "pinned": "pinned",
    "agentLabel": "agent_label",
    "appId": "app_id",
    "runId": "run_id",
    "speaker": "speaker",
    "helpful": "helpful_count",
    "unhelpful": "unhelpful_count",
    "mentions": "mention_count",
    "recalls": "recall_count",
}
FACT_TIMES = {
    "saidAt": "said_at",
    "createdAt": "created_at",
    "confirmedAt": "confirmed_at",
    "validFrom": "valid_from",
    "validTo": "valid_to",
    "expiresAt": "expires_at",
    "lastRecalledAt": "last_recalled_at",
}
DREAM_FIELDS = {
    "kind": "kind",
    "status": "status",
    "topic": "topic",
    "reason": "reason",
    "statistics": "statistics",
    "diary": "diary",
}
DREAM_TIMES = {"createdAt": "created_at", "finishedAt": "finished_at"}
ENTRY_FIELDS = {
    "position": "position",
    "operation": "operation",
    "path": "path",
    "before": "before",
    "after": "after",
    "score": "score",
    "scoreParts": "score_parts",
    "gate": "gate",
    "reason": "reason",
    "verdict": "verdict",
}


def _copied(row: Any, fields: Mapping[str, str], times: Mapping[str, str]) -> dict[str, Any]:
    values = {key: getattr(row, name) for key, name in fields.items()}
    return {**values, **{key: moment(getattr(row, name)) for key, name in times.items()}}


def described_fact(fact: Fact) -> dict[str, Any]:
    """All that a line says of a fact by itself."""
    return _copied(fact, FACT_FIELDS, FACT_TIMES)


def fact_line(fact: Fact) -> dict[str, Any]:
    """A fact with where it came from; its sources and its successor come loaded with it."""
    heir = fact.superseded_by
    return {
        "id": fact_id(fact),
        **described_fact(fact),
        "supersededBy": fact_id(heir) if heir is not None and is_exported_fact(heir, fact) else None,
        "sources": sorted((source_line(source) for source in fact.sources.all()), key=canonical),
    }


def is_exported_fact(fact: Fact, beside: Fact) -> bool:
    """Whether a fact stands in the same part of a snapshot as another."""
    same_bucket = (fact.scope, fact.owner_key) == (beside.scope, beside.owner_key)
    return same_bucket and fact.status != Fact.Status.FORGOTTEN and fact.session_id is None


def source_line(source: FactSource) -> dict[str, Any]:
    """A place a fact came from: which message of which conversation, or which file; never its text."""
    if source.told:
        return dict(source.told)
    line: dict[str, Any] = {"start": source.start, "end": source.end}
    if source.message is not None:
        message = source.message
        line |= {
            "conversation": message.conversation.external_id,
            "message": message.number,
            "role": message.role,
            "saidAt": moment(message.said_at),
        }
    if source.path or source.section is not None:
        line["path"] = source.path or (source.section.file.path if source.section else "")
        line["heading"] = source.section.heading if source.section else ""
    return line


def history_line(revision: FactRevision) -> dict[str, Any]:
    """One change of a fact."""
    return {
        "fact": fact_id(revision.fact),
        "operation": revision.operation,
        "before": revision.before,
        "after": revision.after,
        "by": kind_of_actor(revision.actor),
        "origin": revision.origin,
        "reason": revision.reason,
        "at": moment(revision.created_at),
    }


def contradiction_line(found: Contradiction) -> dict[str, Any]:
    """A pair of conflicting facts and what became of it."""
    return {
        "a": fact_id(found.fact_a),
        "b": fact_id(found.fact_b),
        "reason": found.reason,
        "resolution": found.resolution,
        "by": kind_of_actor(found.resolved_by),
        "createdAt": moment(found.created_at),
        "resolvedAt": moment(found.resolved_at),
    }


def dream_line(dream: Dream) -> dict[str, Any]:
    """A dream's report, without its entries."""
    return {"type": "dream", "id": dream_id(dream), **_copied(dream, DREAM_FIELDS, DREAM_TIMES)}


def entry_line(entry: DreamEntry) -> dict[str, Any]:
    """One change of a dream."""
    fact = entry.fact
    known = fact is not None and fact.status != Fact.Status.FORGOTTEN and fact.session_id is None
    return {
        "type": "entry",
        "dream": dream_id(entry.dream),
        **_copied(entry, ENTRY_FIELDS, {"revertedAt": "reverted_at"}),
        "fact": fact_id(fact) if fact is not None and known else None,
    }
