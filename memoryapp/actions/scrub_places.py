"""Every place in a workspace that may hold a secret, found automatically, so that no new table is forgotten.

Free text and JSON are masked. Names by which others call a row (paths, their own ids) are only reported: nobody would
find the row again under a masked one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import CharField, Field, JSONField, Model, TextField

from memoryapp.actions.erasure_places import workspace_models
from memoryapp.actions.forget_texts import packed, unpacked
from memoryapp.models import Backup, DreamArchive, ErasureReceipt, FileSection
from memoryapp.safety.findings import Finding
from tenants.models import AccessToken
from tenants.secrets import decrypt, encrypt

SEALED, PACKED = "sealed", "packed"
# Short columns that are words of people or models, not names of ours.
WORDS = frozenset(
    ("title", "name", "heading", "reason", "topic", "speaker", "display_name", "filename", "target", "detail")
)
NAMES = frozenset(("path", "external_id", "run_id", "app_id", "agent_label", "category", "labels"))
# Without words of their own: hashes and scopes, signed counts, files on disk, and sections, which follow their file.
WORDLESS = (AccessToken, ErasureReceipt, Backup, FileSection)


class Masker(Protocol):
    """Masks what it is given, and keeps count of what it found."""

    def text(self, text: str) -> str: ...

    def finds(self, text: str) -> list[Finding]: ...


@dataclass(frozen=True, slots=True)
class Place:
    """One table with the columns in which secrets are looked for."""

    model: type[Model]
    texts: tuple[str, ...]
    trees: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.model._meta.verbose_name_plural)

    @property
    def has_agent(self) -> bool:
        return any(field.name in {"agent", "agent_id"} for field in self.model._meta.concrete_fields)

    def changes(self, row: Any, masker: Masker) -> dict[str, Any]:
        """The columns of a row that hold a secret, each with its masked value."""
        after = {column: self._masked_text(row, column, masker) for column in self.texts}
        after |= {column: masked_strings(getattr(row, column), masker) for column in self.trees}
        after |= _sealed(row, masker)
        return {column: value for column, value in after.items() if value != getattr(row, column)}

    def _masked_text(self, row: Any, column: str, masker: Masker) -> str:
        text = masker.text(getattr(row, column) or "")
        # The mark may be longer than what it stands for.
        return text[: self.model._meta.get_field(column).max_length]  # type: ignore[union-attr] # a column of text

    def names_with_secrets(self, row: Any, masker: Masker) -> list[str]:
        """The columns that name the row and hold a secret."""
        return [column for column in self.names if masker.finds(_as_text(getattr(row, column)))]


def scrub_places(*, of_agent: bool = False) -> list[Place]:
    """All places, or those of an agent's memory, in an order that does not change."""
    places = [place for model in workspace_models() if (place := _place(model)) is not None]
    return [place for place in places if place.has_agent or not of_agent]


def _place(model: type[Model]) -> Place | None:
    if model in WORDLESS:
        return None
    fields = [field for field in model._meta.concrete_fields if not field.choices]
    texts = tuple(field.name for field in fields if _is_words(field))
    trees = tuple(field.name for field in fields if isinstance(field, JSONField))
    names = tuple(field.name for field in fields if field.name in NAMES)
    sealed = any(field.name in {SEALED, PACKED} for field in fields)
    return Place(model, texts, trees, names) if texts or trees or sealed else None


def _is_words(field: Field[Any, Any]) -> bool:
    if isinstance(field, CharField) and field.max_length is not None:
        return field.name in WORDS
    return isinstance(field, TextField) and field.name != SEALED


def masked_strings(value: Any, masker: Masker) -> Any:
    """The JSON value with the secrets in its strings masked; numbers and keys are ours."""
    if isinstance(value, str):
        return masker.text(value)
    if isinstance(value, list):
        return [masked_strings(item, masker) for item in value]
    if isinstance(value, dict):
        return {key: masked_strings(item, masker) for key, item in value.items()}
    return value


def _sealed(row: Any, masker: Masker) -> dict[str, Any]:
    """What is kept encrypted or packed, opened, masked and closed again; nothing when there is nothing to mask."""
    changed: dict[str, Any] = {}
    opened = decrypt(row.sealed.encode()) if getattr(row, SEALED, "") else ""
    if opened:
        before = json.loads(opened)
        after = masked_strings(before, masker)
        if after != before:
            changed[SEALED] = encrypt(json.dumps(after)).decode()
    if isinstance(row, DreamArchive):
        before = unpacked(row.packed)
        after = masked_strings(before, masker)
        if after != before:
            changed[PACKED] = packed(after)
    return changed


def _as_text(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value or "")
