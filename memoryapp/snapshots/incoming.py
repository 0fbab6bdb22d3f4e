"""Lines of data from a stranger's archive: parsed, typed, bounded, cleaned and masked, or refused with a reason."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from django.utils.dateparse import parse_datetime
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
)
from pydantic import ValidationError as Invalid

from memoryapp.actions.masking import masked_tree
from memoryapp.snapshots.manifest import canonical
from tenants.models import Workspace

MAX_DEPTH = 32
MOST_SOURCES = 500

Name = Annotated[StrictStr, Field(max_length=160)]
Note = Annotated[StrictStr, Field(max_length=300)]
LongText = Annotated[StrictStr, Field(max_length=1_000_000)]
ExportId = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{24}$")]
Share = Annotated[StrictFloat | StrictInt, Field(ge=0, le=1)]
Count = Annotated[StrictInt, Field(ge=0, le=1_000_000)]
Position = Annotated[StrictInt, Field(ge=0, le=100_000_000)]
Label = Annotated[StrictStr, Field(max_length=64)]
Tree = dict[str, Any]
# Keys whose values have a form of their own: an id or a time is never a credential, though it may look like one.
FORMED = frozenset(
    {
        "id",
        "fact",
        "a",
        "b",
        "dream",
        "supersededBy",
        "saidAt",
        "createdAt",
        "confirmedAt",
        "validFrom",
        "validTo",
    }
    | {"expiresAt", "lastRecalledAt", "at", "resolvedAt", "finishedAt", "revertedAt"}
)


def _is_time(text: str) -> str:
    if parse_datetime(text) is None:
        raise ValueError("not a time")
    return text


# A time that stays spelt as it is.
TimeText = Annotated[StrictStr, Field(max_length=40), AfterValidator(_is_time)]


class Line(BaseModel):
    """What all lines have in common: nothing in them that is not known."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class SourceLine(Line):
    start: Position = 0
    end: Position = 0
    conversation: Annotated[StrictStr, Field(max_length=128)] | None = None
    message: Position | None = None
    role: Name | None = None
    saidAt: TimeText | None = None
    path: Annotated[StrictStr, Field(max_length=200)] | None = None
    heading: Note | None = None


class FactLine(Line):
    id: ExportId
    text: Annotated[StrictStr, Field(min_length=1, max_length=64_000)]
    category: Label
    labels: Annotated[list[Label], Field(max_length=32)]
    importance: Share
    confidence: Share
    language: Annotated[StrictStr, Field(max_length=16)]
    metadata: Tree
    attributedTo: Literal["user", "agent", "tool"]
    origin: Literal["chat", "tool", "api", "import", "projection", "dream"]
    status: Literal["active", "pending", "superseded", "merged"]
    immutable: StrictBool
    pinned: StrictBool
    agentLabel: Name
    appId: Name
    runId: Name
    speaker: Annotated[StrictStr, Field(max_length=120)]
    helpful: Count
    unhelpful: Count
    mentions: Count
    recalls: Count
    saidAt: AwareDatetime
    createdAt: AwareDatetime
    confirmedAt: AwareDatetime
    validFrom: AwareDatetime | None
    validTo: AwareDatetime | None
    expiresAt: AwareDatetime | None
    lastRecalledAt: AwareDatetime | None
    supersededBy: ExportId | None
    sources: Annotated[list[SourceLine], Field(max_length=MOST_SOURCES)]


class KeptFact(Line):
    """What a line of history says a fact was."""

    text: Annotated[StrictStr, Field(max_length=64_000)]
    category: Label
    labels: list[Label]
    importance: Share
    metadata: Tree
    status: Label
    valid_from: TimeText | None
    valid_to: TimeText | None
    expires_at: TimeText | None
    said_at: TimeText | None
    immutable: StrictBool = False
    run_id: Name = ""
    app_id: Name = ""
    language: Name = ""
    confidence: Share = 1.0


class HistoryLine(Line):
    fact: ExportId
    operation: Literal["ADD", "UPDATE", "MERGE", "SUPERSEDE", "DELETE", "RESTORE"]
    before: KeptFact | None
    after: KeptFact | None
    by: Annotated[StrictStr, Field(max_length=40)]
    origin: Annotated[StrictStr, Field(max_length=10)]
    reason: Note
    at: AwareDatetime


class ContradictionLine(Line):
    a: ExportId
    b: ExportId
    reason: LongText
    resolution: Literal["open", "KEEP_A", "KEEP_B", "MERGE", "IGNORE"]
    by: Annotated[StrictStr, Field(max_length=40)]
    createdAt: AwareDatetime
    resolvedAt: AwareDatetime | None


class DreamLine(Line):
    type: Literal["dream"]
    id: ExportId
    kind: Literal["nightly", "manual", "focused", "consolidation"]
    status: Literal["proposed", "succeeded", "skipped", "failed"]
    topic: Annotated[StrictStr, Field(max_length=200)]
    reason: LongText
    statistics: Tree
    diary: LongText
    createdAt: AwareDatetime
    finishedAt: AwareDatetime | None


class EntryLine(Line):
    type: Literal["entry"]
    dream: ExportId
    position: Position
    operation: Literal["add", "merge", "supersede", "drop", "keep"]
    path: Annotated[StrictStr, Field(max_length=200)]
    before: LongText
    after: LongText
    score: StrictFloat | StrictInt | None
    scoreParts: Tree
    gate: Annotated[StrictStr, Field(max_length=40)]
    reason: LongText
    verdict: Annotated[StrictStr, Field(max_length=10)]
    fact: ExportId | None
    revertedAt: AwareDatetime | None


KINDS: dict[str, tuple[type[Line], ...]] = {
    "facts": (FactLine,),
    "history": (HistoryLine,),
    "contradictions": (ContradictionLine,),
    "dreams": (DreamLine, EntryLine),
}


class Unreadable(ValueError):
    """A line that cannot be used, with the reason."""


def read_line(kind: str, raw: str, workspace: Workspace) -> Line:
    """One line, cleaned and with credentials masked; raises Unreadable."""
    value = _parsed(raw)
    if not isinstance(value, dict):
        raise Unreadable("not a JSON object")
    formed = {key: value.pop(key) for key in FORMED & value.keys()}
    masked = {**masked_tree(value, workspace), **formed}
    models = KINDS[kind]
    model = next((each for each in models if _is_meant(each, masked)), models[0])
    try:
        return model.model_validate(masked)
    except Invalid as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{place}: {first['msg']}"[:200]) from error


def _is_meant(model: type[Line], value: dict[str, Any]) -> bool:
    return model is EntryLine and value.get("type") == "entry"


def _parsed(raw: str) -> Any:
    try:
        value = json.loads(raw, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not valid JSON") from error
    if nesting(value) > MAX_DEPTH:
        raise Unreadable("nested too deeply")
    return value


def _refuse(name: str) -> None:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def nesting(value: Any) -> int:
    """How deep a value is nested, counted layer by layer, so that no depth can break the counting."""
    depth, layer = 0, [value]
    while layer and depth <= MAX_DEPTH:
        depth += 1
        layer = [
            child
            for each in layer
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
    return depth


def stored_line(line: Line) -> str:
    """The line as a preview keeps it."""
    return canonical(line.model_dump(mode="json", exclude_unset=True)).decode()


def stored_lines(kind: str, text: str) -> Iterator[Line]:
    """The lines of a preview again; they were checked when it was made."""
    for raw in text.split("\n") if text else []:
        value = json.loads(raw)
        models = KINDS[kind]
        model = next((each for each in models if _is_meant(each, value)), models[0])
        yield model.model_validate(value)
