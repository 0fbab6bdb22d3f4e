"""Purging secrets that were found later: every place is read again with today's patterns, and what is found is masked.

It goes on where it stopped, finds nothing when it is run again, and may only count. What is rewritten keeps no earlier
text: that would be the secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import UUID

import regex
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp.actions.fact_text import text_key
from memoryapp.actions.masking import credential_patterns
from memoryapp.actions.scrub_places import Place, scrub_places
from memoryapp.actions.sections import rebuild_sections
from memoryapp.exceptions import ValidationFailed
from memoryapp.models import Backup, Fact, Message, WorkspaceFile
from memoryapp.models.embeddings import Embedding
from memoryapp.retrieval.indexing import prepare_rows, store_vectors
from memoryapp.safety.credentials import find_credentials, redact
from memoryapp.safety.findings import Finding
from tenants.actions import record_audit
from tenants.models import Role, Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import workspace_scope
from tenants.secrets import keyed_digest

BATCH = 100
SHORTEST_SECRET, LONGEST_SECRET = 6, 250
RECEIPT_PURPOSE = "scrub-receipt"


class SecretMasker:
    """Masks what the detector and the workspace's own patterns find, and counts it by kind."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = patterns
        self.kinds: Counter[str] = Counter()

    def text(self, text: str) -> str:
        result = redact(text, self.patterns)
        self.kinds.update(finding.kind for finding in result.findings)
        return result.text

    def finds(self, text: str) -> list[Finding]:
        return find_credentials(text, self.patterns)


class OneSecret(SecretMasker):
    """Masks one secret that somebody knows to have got in, however it is written in upper and lower case."""

    def __init__(self, secret: str) -> None:
        super().__init__([])
        self._pattern = regex.compile(regex.escape(secret), regex.IGNORECASE)

    def text(self, text: str) -> str:
        masked, count = self._pattern.subn("[masked]", text)
        self.kinds["secret"] += count
        return masked

    def finds(self, text: str) -> list[Finding]:
        return [Finding(*found.span(), "secret") for found in self._pattern.finditer(text)]


@dataclass(slots=True)
class Progress:
    """How far a scrub has come: which place, behind which row, and what it has found so far. Never any text."""

    dry_run: bool = False
    place: int = 0
    after: str = ""
    read: int = 0
    total: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        return {
            "dryRun": self.dry_run,
            "place": self.place,
            "after": self.after,
            "read": self.read,
            "total": self.total,
            "changed": dict(self.changed),
            "kinds": dict(self.kinds),
            "left": dict(self.left),
        }

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Progress:
        counts = {name: Counter(told.get(name, {})) for name in ("changed", "kinds", "left")}
        return cls(
            bool(told.get("dryRun")),
            int(told.get("place", 0)),
            str(told.get("after", "")),
            int(told.get("read", 0)),
            int(told.get("total", 0)),
            **counts,
        )


class Scrub:
    """One scrub of a workspace, or of one agent's memory, step by step."""

    def __init__(
        self,
        workspace: Workspace,
        progress: Progress,
        *,
        agent_id: UUID | None = None,
        masker: SecretMasker | None = None,
    ) -> None:
        self.workspace = workspace
        self.progress = progress
        self._agent_id = agent_id
        self._masker = masker or SecretMasker(credential_patterns(workspace))
        self._masker.kinds = progress.kinds
        self._places = scrub_places(of_agent=agent_id is not None)
        self._clerk = principal_for_job(workspace)

    @property
    def is_done(self) -> bool:
        return self.progress.place >= len(self._places)

    def count_rows(self) -> None:
        """Note how many rows there are to read, for whoever watches."""
        with workspace_scope(self.workspace):
            self.progress.total = sum(self._rows(place).count() for place in self._places)

    def step(self) -> None:
        """Read the next rows of one place in one short transaction."""
        place = self._places[self.progress.place]
        with workspace_scope(self.workspace):
            rows = self._rows(place).order_by("pk")
            if self.progress.after:
                rows = rows.filter(pk__gt=self.progress.after)
            batch = list(islice(rows.select_for_update(of=("self",))[:BATCH], BATCH))
            for row in batch:
                self._scrub_row(place, row)
        self.progress.read += len(batch)
        if len(batch) == BATCH:
            self.progress.after = str(batch[-1].pk)
        else:
            self.progress.place, self.progress.after = self.progress.place + 1, ""

    def _rows(self, place: Place) -> Any:
        rows = place.model._default_manager.filter(workspace=self.workspace)
        return rows.filter(agent_id=self._agent_id) if self._agent_id else rows

    def _scrub_row(self, place: Place, row: Any) -> None:
        for column in place.names_with_secrets(row, self._masker):
            self.progress.left[f"{place.name}: {column}"] += 1
        changes = place.changes(row, self._masker)
        if not changes:
            return
        self.progress.changed[place.name] += 1
        if self.progress.dry_run:
            return
        for column, value in changes.items():
            setattr(row, column, value)
        REWRITERS.get(type(row), _rewrite)(row, changes, self._clerk)


def _rewrite(row: Any, changes: dict[str, Any], clerk: Principal) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**changes)


def _rewrite_searched(row: Fact | Message, changes: dict[str, Any], clerk: Principal) -> None:
    """What is searched is found by its new words only, and gets a new vector."""
    prepare_rows([row])
    _rewrite(row, {**changes, "lexemes": row.lexemes, "length": row.length}, clerk)
    embedded = Q(fact=row) if isinstance(row, Fact) else Q(message=row)
    if Embedding.objects.filter(embedded).delete()[0]:
        store_vectors([row])


def _rewrite_fact(fact: Fact, changes: dict[str, Any], clerk: Principal) -> None:
    fact.text_key, fact.version = text_key(fact.text), fact.version + 1
    changes = {**changes, "text_key": fact.text_key, "version": fact.version}
    try:
        with transaction.atomic():
            _rewrite_searched(fact, changes, clerk)
    except IntegrityError:
        # Without their secrets two facts are one and the same; this one gives way.
        _rewrite_searched(fact, {**changes, "status": Fact.Status.MERGED}, clerk)


def _rewrite_file(file: WorkspaceFile, changes: dict[str, Any], clerk: Principal) -> None:
    """A new version, so that nobody's open editor writes the secret back; its sections keep whose hand is in them."""
    file.version += 1
    _rewrite(file, {**changes, "version": file.version}, clerk)
    rebuild_sections(principal=clerk, file=file, person=False)


REWRITERS: dict[type[Any], Callable[[Any, dict[str, Any], Principal], None]] = {
    Fact: _rewrite_fact,
    Message: _rewrite_searched,
    WorkspaceFile: _rewrite_file,
}


def scrub_receipt(workspace: Workspace, progress: Progress, *, by: str) -> dict[str, Any]:
    """What a scrub did or would do: counts, never a text, under a signature."""
    with workspace_scope(workspace):
        kept = Backup.objects.filter(workspace=workspace, removed_at=None).order_by("created_at")
        backups = [{"name": each.name, "expiresAt": _iso(each.expires_at)} for each in kept]
    body: dict[str, Any] = {
        "dryRun": progress.dry_run,
        "finishedAt": timezone.now().isoformat(),
        "by": by,
        "textsRead": progress.read,
        "changed": dict(progress.changed),
        "credentials": {kind: count for kind, count in progress.kinds.items() if count},
        "left": dict(progress.left),
        "backups": backups,
    }
    return {**body, "signature": keyed_digest(repr(sorted(body.items())), purpose=RECEIPT_PURPOSE)}


def _iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None


def finish_scrub(workspace: Workspace, progress: Progress, *, by: str) -> dict[str, Any]:
    """The receipt of a scrub that is through, and an entry in the audit log."""
    receipt = scrub_receipt(workspace, progress, by=by)
    if not progress.dry_run:
        rows = sum(progress.changed.values())
        with workspace_scope(workspace):
            record_audit(
                principal=principal_for_job(workspace), action="workspace.scrubbed", target=by, rows=rows
            )
    return receipt


def scrub_now(
    *,
    principal: Principal,
    agent_id: UUID | None = None,
    dry_run: bool = False,
    secret: str | None = None,
    told: Callable[[Progress], None] | None = None,
) -> dict[str, Any]:
    """Scrub while the caller waits, and return the receipt. Admins only.

    With `secret` that very text is purged, whatever the patterns say; it is written down nowhere.
    """
    principal.require(Role.ADMIN)
    masker = OneSecret(checked_secret(secret)) if secret is not None else None
    scrub = Scrub(principal.workspace, Progress(dry_run), agent_id=agent_id, masker=masker)
    scrub.count_rows()
    while not scrub.is_done:
        scrub.step()
        if told is not None:
            told(scrub.progress)
    return finish_scrub(principal.workspace, scrub.progress, by=principal.actor)


def checked_secret(secret: str) -> str:
    """A secret as it may be looked for; raises ValidationFailed for one so short that it would be everywhere."""
    trimmed = secret.strip()
    if not SHORTEST_SECRET <= len(trimmed) <= LONGEST_SECRET:
        raise ValidationFailed.of(
            "secret", f"The secret itself, of {SHORTEST_SECRET} to {LONGEST_SECRET} characters."
        )
    return trimmed
