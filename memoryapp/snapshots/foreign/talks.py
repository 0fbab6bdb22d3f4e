"""Storing imported messages: in batches, each whole, and never twice however often a file is imported."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from io import BytesIO
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memoryapp.actions.conversations import add_message, delete_conversation, open_conversation
from memoryapp.actions.masking import masked
from memoryapp.jobs import enqueue_extraction
from memoryapp.models import Agent, Conversation, Message
from memoryapp.snapshots.archive import Archive
from memoryapp.snapshots.foreign.message_lines import BadLine, LineReader, MessageLine, numbered_lines
from memoryapp.snapshots.foreign.target import Sorted, Target
from memoryapp.snapshots.limits import ArchiveRefused
from memoryapp.snapshots.manifest import canonical
from memoryapp.snapshots.names import Contents, Part, Placed
from tenants.models import Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope

MESSAGES: Final = "messages"
IMPORTED: Final = "import-"
BATCH: Final = 200

Place = tuple[str, str]


@dataclass(slots=True)
class ConversationImport:
    """One file on its way into one agent's conversations."""

    workspace: Workspace
    agent: Agent
    enqueue: bool
    dry_run: bool = False
    added: int = 0
    known: int = 0
    # Every conversation the file names, in the order in which it first does.
    conversations: dict[Place, UUID] = field(default_factory=dict)
    made: list[UUID] = field(default_factory=list)
    _positions: Counter[Place] = field(default_factory=Counter)

    def store(self, batch: Sequence[MessageLine]) -> None:
        """Store a batch in one transaction, with the request to read what is new in it."""
        self.store_keyed([(self.key_of(line), line) for line in batch])

    def store_keyed(self, batch: Iterable[tuple[str, MessageLine]]) -> None:
        """The same for lines that have their keys already."""
        placed: dict[Place, list[tuple[str, MessageLine]]] = {}
        for key, line in batch:
            placed.setdefault((line.owner_key, line.conversation), []).append((key, line))
        with transaction.atomic():
            with workspace_scope(self.workspace):
                for place, lines in placed.items():
                    self._store_conversation(place, lines)
            if self.dry_run:
                transaction.set_rollback(True)

    def key_of(self, line: MessageLine) -> str:
        """The same message at the same place of the same conversation has the same key in every run."""
        place = (line.owner_key, line.conversation)
        self._positions[place] += 1
        said = line.said_at.isoformat() if line.said_at else ""
        parts = (str(self._positions[place]), line.role, line.name, said, line.text)
        return IMPORTED + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:40]

    def _store_conversation(self, place: Place, lines: Iterable[tuple[str, MessageLine]]) -> None:
        owner_key, external_id = place
        principal = principal_for_job(self.workspace, owner_key)
        is_known = _rows(self.agent, owner_key).filter(external_id=external_id).exists()
        conversation = open_conversation(
            principal=principal,
            agent=self.agent,
            external_id=external_id,
            channel=owner_key.partition(":")[0],
            trigger=Conversation.Trigger.IMPORT,
        )
        self.conversations.setdefault(place, conversation.pk)
        self.made += [] if is_known else [conversation.pk]
        # Locked, so that the same file imported twice at once is still stored once.
        Conversation.objects.select_for_update().get(pk=conversation.pk)
        lines = list(lines)
        stored = Message.objects.filter(
            conversation=conversation, idempotency_key__in=[key for key, _ in lines]
        )
        known = set(stored.values_list("idempotency_key", flat=True))
        new = [(key, line) for key, line in lines if key not in known]
        for key, line in new:
            add_message(
                principal=principal,
                conversation=conversation,
                role=line.role,
                text=line.text,
                name=line.name,
                said_at=line.said_at,
                idempotency_key=key,
            )
        self.added, self.known = self.added + len(new), self.known + len(known)
        if self.enqueue:
            enqueue_extraction(conversation, bypass=True)


def place_talks(archive: Archive, target: Target) -> Contents:
    """Every file of JSON Lines as the messages it holds. Conversations are somebody's, so they are never shared."""
    if target.part is not Part.PERSONAL:
        raise ArchiveRefused(
            "Conversations are somebody's: import them as personal memory.", "whose_conversations"
        )
    found = Sorted(target)
    for record in archive.records:
        if record.is_special or not record.name.endswith((".jsonl", ".ndjson")):
            found.refuse(record, "not a file of JSON Lines")
        elif not record.is_folder:
            found.placed.append(Placed(record, target.part, record.name[:200], MESSAGES))
    return found.contents()


@dataclass(slots=True)
class PreparedTalk:
    """The messages of one file as they would be stored, each with its key, and what of it cannot be used."""

    lines: list[str] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    conversations: set[str] = field(default_factory=set)


def prepare_talk(principal: Principal, agent: Agent, name: str, content: bytes) -> PreparedTalk:
    """Read a file as the acting owner's: masked, with what is known already counted; inside the workspace's scope."""
    workspace = principal.workspace
    members = frozenset(workspace.memberships.values_list("user_id", flat=True))
    reader = LineReader(workspace.zone, members, principal.owner_key, PurePosixPath(name).stem[:128])
    task, talk = ConversationImport(workspace, agent, enqueue=False), PreparedTalk()
    keyed: list[tuple[str, MessageLine]] = []
    for number, raw in numbered_lines(BytesIO(content)):
        try:
            line = reader.read(number, raw)
            if line.owner_key != principal.owner_key:
                raise BadLine(number, "a conversation of somebody else")
            keyed.append((task.key_of(line), line))
        except BadLine as problem:
            talk.problems.append({"line": number, "reason": problem.reason})
    known = _known_keys(agent, principal.owner_key, {line.conversation for _, line in keyed})
    for key, line in keyed:
        talk.conversations.add(line.conversation)
        talk.counts["known" if key in known else "new"] += 1
        text, _ = masked(line.text, workspace)
        told = {**asdict(line), "text": text, "said_at": line.said_at.isoformat() if line.said_at else None}
        talk.lines.append(canonical([key, told]).decode())
    return talk


def bring_talk(task: ConversationImport, text: str) -> None:
    """Store the messages of a preview, and have them read."""
    queue = iter(text.split("\n") if text else [])
    while batch := list(islice(queue, BATCH)):
        task.store_keyed([_restored(json.loads(raw)) for raw in batch])


def _restored(kept: list[Any]) -> tuple[str, MessageLine]:
    key, told = kept
    said_at = datetime.fromisoformat(told["said_at"]) if told["said_at"] else None
    return key, MessageLine(**{**told, "said_at": said_at})


def remove_talks(principal: Principal, conversation_ids: Iterable[str]) -> None:
    """Remove conversations that an import made, but for those in which somebody has spoken since."""
    for conversation in Conversation.objects.filter(
        workspace=principal.workspace, owner_key=principal.owner_key, pk__in=list(conversation_ids)
    ):
        later = Message.objects.filter(conversation=conversation).exclude(
            idempotency_key__startswith=IMPORTED
        )
        if not later.exists():
            delete_conversation(principal=principal, conversation=conversation)


def _rows(agent: Agent, owner_key: str) -> QuerySet[Conversation]:
    return Conversation.objects.filter(agent=agent, owner_key=owner_key)


def _known_keys(agent: Agent, owner_key: str, names: Iterable[str]) -> set[str]:
    talks = _rows(agent, owner_key).filter(external_id__in=list(names))
    keys = Message.objects.filter(conversation__in=talks, idempotency_key__startswith=IMPORTED)
    return set(keys.values_list("idempotency_key", flat=True))
