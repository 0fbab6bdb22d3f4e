"""What goes into a snapshot, bucket by bucket: files by name, then lines of data cut into pieces of 1 MB."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Prefetch, Q, QuerySet

from memoryapp.models import (
    Agent,
    Contradiction,
    Conversation,
    Dream,
    DreamEntry,
    Fact,
    FactRevision,
    FactSource,
    Message,
    WorkspaceFile,
)
from memoryapp.snapshots.limits import SNAPSHOT_LIMITS
from memoryapp.snapshots.lines import (
    contradiction_line,
    dream_line,
    entry_line,
    fact_line,
    history_line,
    moment,
)
from memoryapp.snapshots.manifest import canonical
from memoryapp.snapshots.names import PERSONAL_PREFIX, is_exported
from tenants.principals import Principal
from tenants.scoping import Scope

BATCH = 200
Note = Callable[[datetime | None], None]
Entry = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Bucket:
    """The memory of the team or of one owner, and the folder of the archive it goes to."""

    scope: str
    owner_key: str
    prefix: str

    @property
    def rows(self) -> Q:
        return Q(scope=self.scope, owner_key=self.owner_key)

    @property
    def is_of_others(self) -> bool:
        return self.prefix.startswith("owners/")


SHARED = Bucket(Scope.TEAM, "", "")


def buckets_of(principal: Principal, agent: Agent, include: str) -> list[Bucket]:
    """What a snapshot holds: shared memory, and as asked the principal's own and everybody else's."""
    buckets = [SHARED]
    if include != "shared" and not principal.is_system:
        buckets.append(Bucket(Scope.PERSONAL, principal.owner_key, PERSONAL_PREFIX))
    if include == "all":
        others = sorted(_owners(agent) - {principal.owner_key})
        buckets += [Bucket(Scope.PERSONAL, key, owner_folder(key)) for key in others]
    return buckets


def _owners(agent: Agent) -> set[str]:
    """Everybody with personal memory at the agent."""
    found: set[str] = set()
    for model in (WorkspaceFile, Fact, Dream):
        rows: Any = model._default_manager.filter(agent=agent, scope=Scope.PERSONAL)
        found.update(rows.order_by().values_list("owner_key", flat=True).distinct())
    return found


def owner_folder(owner_key: str) -> str:
    """The folder of an owner in a snapshot of everybody; no two owners share one, whatever their keys look like."""
    return f"owners/{hashlib.sha256(owner_key.encode()).hexdigest()[:16]}/"


def bucket_entries(agent: Agent, bucket: Bucket, note: Note, *, everything: bool = False) -> Iterator[Entry]:
    """Every entry of a bucket in order; `note` hears of the time of each thing. `everything` adds all other texts."""
    yield from _files(agent, bucket, note, everything)
    yield from _cut("facts", _fact_lines(agent, bucket, note))
    yield from _cut("history", _history_lines(agent, bucket, note))
    yield from _cut("contradictions", _contradiction_lines(agent, bucket, note))
    yield from _cut("dreams", _dream_lines(agent, bucket, note))
    if everything:
        yield from _cut("messages", _message_lines(agent, bucket))


def _files(agent: Agent, bucket: Bucket, note: Note, everything: bool) -> Iterator[Entry]:
    for file in _rows(WorkspaceFile, agent, bucket).order_by("path").iterator(1):
        if everything or is_exported(file.path):
            note(file.updated_at)
            yield file.path, file.content.encode()


def _rows(model: Any, agent: Agent, bucket: Bucket) -> QuerySet[Any]:
    rows: QuerySet[Any] = model._default_manager.filter(
        bucket.rows, workspace_id=agent.workspace_id, agent=agent
    )
    return rows


def _exported_facts(agent: Agent, bucket: Bucket) -> QuerySet[Fact]:
    """What is remembered for good; not what lives with one conversation, nor what was forgotten a moment ago."""
    return _rows(Fact, agent, bucket).filter(session=None).exclude(status=Fact.Status.FORGOTTEN)


def _fact_lines(agent: Agent, bucket: Bucket, note: Note) -> Iterator[dict[str, Any]]:
    sources = FactSource.objects.select_related("message__conversation", "section__file")
    facts = _exported_facts(agent, bucket).select_related("superseded_by").defer("lexemes")
    facts = facts.prefetch_related(Prefetch("sources", queryset=sources))
    for fact in facts.order_by("created_at", "text_key", "said_at").iterator(BATCH):
        note(fact.updated_at)
        yield fact_line(fact)


def _history_lines(agent: Agent, bucket: Bucket, note: Note) -> Iterator[dict[str, Any]]:
    facts = _exported_facts(agent, bucket).values("pk")
    rows = _rows(FactRevision, agent, bucket).filter(fact__in=facts).select_related("fact")
    for revision in rows.order_by("created_at", "fact__text_key", "operation").iterator(BATCH):
        note(revision.created_at)
        yield history_line(revision)


def _contradiction_lines(agent: Agent, bucket: Bucket, note: Note) -> Iterator[dict[str, Any]]:
    facts = _exported_facts(agent, bucket).values("pk")
    rows = _rows(Contradiction, agent, bucket).filter(fact_a__in=facts, fact_b__in=facts)
    rows = rows.select_related("fact_a", "fact_b")
    for found in rows.order_by("created_at", "fact_a__text_key", "fact_b__text_key").iterator(BATCH):
        note(found.updated_at)
        yield contradiction_line(found)


def _dream_lines(agent: Agent, bucket: Bucket, note: Note) -> Iterator[dict[str, Any]]:
    dreams = _rows(Dream, agent, bucket).filter(dry_run=False).exclude(status=Dream.Status.RUNNING)
    for dream in dreams.order_by("created_at", "kind", "topic").iterator(BATCH):
        note(dream.finished_at or dream.created_at)
        yield dream_line(dream)
        entries = DreamEntry.objects.filter(dream=dream).select_related("dream", "fact")
        yield from (entry_line(entry) for entry in entries.order_by("position").iterator(BATCH))


def _message_lines(agent: Agent, bucket: Bucket) -> Iterator[dict[str, Any]]:
    rows = Message.objects.filter(conversation__in=_rows(Conversation, agent, bucket).values("pk"))
    rows = rows.annotate(talk=F("conversation__external_id")).defer("lexemes")
    for message in rows.order_by("conversation_id", "number").iterator(BATCH):
        yield {
            "conversation": message.talk,
            "number": message.number,
            "role": message.role,
            "text": message.text,
            "saidAt": moment(message.said_at),
        }


def _cut(kind: str, lines: Iterable[dict[str, Any]]) -> Iterator[Entry]:
    """Lines of JSON in as many entries as they need."""
    number, piece = 1, bytearray()
    for line in lines:
        data = canonical(line) + b"\n"
        if piece and len(piece) + len(data) > SNAPSHOT_LIMITS.entry_bytes:
            yield f"data/{kind}-{number:03}.jsonl", bytes(piece)
            number, piece = number + 1, bytearray()
        piece += data
    if piece:
        yield f"data/{kind}-{number:03}.jsonl", bytes(piece)
