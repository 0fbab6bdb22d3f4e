"""Storing imported messages: in batches, each whole, and never twice however often a file is imported."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.jobs import enqueue_extraction
from memoryapp.management.message_lines import MessageLine
from memoryapp.models import Agent, Conversation, Message
from tenants.models import Workspace
from tenants.principals import principal_for_job
from tenants.scoping import workspace_scope

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
    _positions: Counter[Place] = field(default_factory=Counter)

    def store(self, batch: Sequence[MessageLine]) -> None:
        """Store a batch in one transaction, with the request to read what is new in it."""
        placed: dict[Place, list[tuple[str, MessageLine]]] = {}
        for line in batch:
            place = (line.owner_key, line.conversation)
            placed.setdefault(place, []).append((self._key(place, line), line))
        with workspace_scope(self.workspace):
            for place, lines in placed.items():
                self._store_conversation(place, lines)
            if self.dry_run:
                transaction.set_rollback(True)

    def _key(self, place: Place, line: MessageLine) -> str:
        """The same message at the same place of the same conversation has the same key in every run."""
        self._positions[place] += 1
        said = line.said_at.isoformat() if line.said_at else ""
        parts = (str(self._positions[place]), line.role, line.name, said, line.text)
        return "import-" + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:40]

    def _store_conversation(self, place: Place, lines: Iterable[tuple[str, MessageLine]]) -> None:
        owner_key, external_id = place
        principal = principal_for_job(self.workspace, owner_key)
        conversation = open_conversation(
            principal=principal,
            agent=self.agent,
            external_id=external_id,
            channel=owner_key.partition(":")[0],
            trigger=Conversation.Trigger.IMPORT,
        )
        self.conversations.setdefault(place, conversation.pk)
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
