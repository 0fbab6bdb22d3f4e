"""Archives: dream reports that have grown old are packed by month, the diary's old entries move to a file per month.

Nothing is lost: reports stay readable in their archive, diary entries word for word in `dreams/YYYY-MM.md`, and
DREAMS.md keeps a line per month that sums it up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import regex
from django.conf import settings
from django.utils import timezone

from memoryapp.actions.files import write_file
from memoryapp.actions.forget_texts import packed, unpacked
from memoryapp.actions.sections import split_sections
from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.lifecycle.diary import DIARY, TITLE, is_over_limit
from memoryapp.models import Agent, Dream, DreamArchive, DreamEntry, WorkspaceFile
from tenants.models import Workspace
from tenants.scoping import workspace_scope

ENTRY_DATE = regex.compile(r"^(\d{4}-\d{2}-\d{2})\b")
EARLIER = "## Earlier months"
MONTH_LINE = regex.compile(r"^- (\d{4}-\d{2}): (\d+) dreams, (\d+) things kept")
KEPT_LINE = regex.compile(r"^- Kept: ", regex.MULTILINE)
ENTRY_FIELDS = (
    "operation", "path", "heading", "before", "after", "score", "score_parts", "sources", "gate", "reason", "verdict",
)  # fmt: skip


@dataclass(slots=True)
class Archived:
    """How many reports were packed, and how many diary entries moved."""

    reports: int = 0
    diary_entries: int = 0


def archive_agent(workspace: Workspace, agent: Agent) -> Archived:
    """Archive everything of an agent's buckets that is older than may stay."""
    total = Archived()
    for bucket in _buckets(workspace, agent):
        with workspace_scope(workspace):
            total.reports += archive_reports(bucket)
            total.diary_entries += archive_diary(bucket)
    return total


def _buckets(workspace: Workspace, agent: Agent) -> list[BucketOf]:
    with workspace_scope(workspace):
        reports = Dream.objects.filter(workspace=workspace, agent=agent, created_at__lt=_limit())
        diaries = WorkspaceFile.objects.filter(workspace=workspace, agent=agent, path=DIARY)
        owners = {*reports.values_list("owner_key", flat=True), *diaries.values_list("owner_key", flat=True)}
    return [bucket_of(workspace, agent, owner) for owner in sorted(owners)]


def _limit() -> Any:
    return timezone.now() - timedelta(days=settings.MEMORY_DREAM_ARCHIVE_KEEP_DAYS)


def archive_reports(bucket: BucketOf) -> int:
    """Pack the bucket's old reports by month, and return how many; inside the workspace's scope."""
    old = Dream.objects.filter(**bucket.rows, created_at__lt=_limit())
    old = old.exclude(status__in=[Dream.Status.RUNNING, Dream.Status.PROPOSED]).order_by("created_at")
    months: dict[str, list[Dream]] = defaultdict(list)
    for dream in old.prefetch_related("entries").select_for_update(of=("self",)):
        months[f"{dream.created_at.astimezone(bucket.workspace.zone):%Y-%m}"].append(dream)
    for month, dreams in months.items():
        _pack(bucket, month, dreams)
    return sum(len(dreams) for dreams in months.values())


def _pack(bucket: BucketOf, month: str, dreams: Sequence[Dream]) -> None:
    archive = DreamArchive.objects.filter(**bucket.rows, month=month).select_for_update().first()
    reports = [*(unpacked(archive.packed) if archive else []), *(_as_json(dream) for dream in dreams)]
    DreamArchive.objects.update_or_create(
        **bucket.rows, month=month, defaults={"reports": len(reports), "packed": packed(reports)}
    )
    Dream.objects.filter(pk__in=[dream.pk for dream in dreams]).delete()


def _as_json(dream: Dream) -> dict[str, Any]:
    """A report as an archive keeps it."""
    return {
        "id": str(dream.pk),
        "kind": dream.kind,
        "status": dream.status,
        "topic": dream.topic,
        "dryRun": dream.dry_run,
        "reason": dream.reason,
        "statistics": dream.statistics,
        "diary": dream.diary,
        "startedAt": dream.created_at.isoformat(),
        "finishedAt": dream.finished_at.isoformat() if dream.finished_at else None,
        "entries": [_entry_as_json(entry) for entry in dream.entries.all()],
    }


def _entry_as_json(entry: DreamEntry) -> dict[str, Any]:
    kept = {name: getattr(entry, name) for name in ENTRY_FIELDS}
    return {**kept, "id": str(entry.pk), "reverted": entry.reverted_at is not None}


def archive_diary(bucket: BucketOf) -> int:
    """Move old diary entries, and the oldest of a diary that is too long, to their month's file. Inside the scope."""
    diary = WorkspaceFile.objects.filter(**bucket.rows, path=DIARY).select_for_update().first()
    if diary is None:
        return 0
    sections = [piece.text for piece in split_sections(diary.content)]
    kept, moved = _parted(sections, _limit().astimezone(bucket.workspace.zone).date())
    if not moved:
        return 0
    months: dict[str, list[str]] = defaultdict(list)
    for section in moved:
        months[str(_day_of(section))[:7]].append(section)
    for month, entries in months.items():
        _append(bucket, f"dreams/{month}.md", f"# Dreams of {month}\n", entries)
    sums = {month: (len(texts), len(KEPT_LINE.findall("".join(texts)))) for month, texts in months.items()}
    _write(bucket, DIARY, _with_summary(kept, sums), "old entries moved to their months")
    return len(moved)


def _day_of(section: str) -> date | None:
    """The day of a diary entry; None for what is none."""
    match = ENTRY_DATE.match(section.removeprefix("## "))
    try:
        return date.fromisoformat(match[1]) if section.startswith("## ") and match else None
    except ValueError:
        return None


def _parted(sections: Sequence[str], limit: date) -> tuple[list[str], list[str]]:
    """What stays in the diary and what moves: by age, and from the oldest on while it is too long."""
    kept = [section for section in sections if (day := _day_of(section)) is None or day >= limit]
    moved = [section for section in sections if section not in kept]
    while is_over_limit("".join(kept)):
        oldest = next((section for section in kept if _day_of(section) is not None), None)
        if oldest is None or sum(_day_of(section) is not None for section in kept) == 1:
            break
        kept.remove(oldest)
        moved.append(oldest)
    return kept, moved


def _with_summary(kept: Sequence[str], moved: dict[str, tuple[int, int]]) -> str:
    """The diary with one line for each month that has moved away, in front of what is left."""
    earlier = next((section for section in kept if section.startswith(EARLIER)), "")
    found = (MONTH_LINE.match(line) for line in earlier.splitlines())
    sums = {match[1]: (int(match[2]), int(match[3])) for match in found if match}
    for month, (dreams, things) in moved.items():
        known = sums.get(month, (0, 0))
        sums[month] = (known[0] + dreams, known[1] + things)
    lines = [_summed_up(month, *sums[month]) for month in sorted(sums)]
    rest = [section for section in kept if section != earlier]
    title = [section for section in rest if not section.startswith("## ")] or [TITLE]
    entries = [section for section in rest if section.startswith("## ")]
    return _joined([*title, "\n".join([EARLIER, "", *lines]), *entries])


def _summed_up(month: str, dreams: int, things: int) -> str:
    return f"- {month}: {dreams} dreams, {things} things kept, told in dreams/{month}.md"


def _joined(sections: Iterable[str]) -> str:
    return "\n\n".join(section.strip() for section in sections if section.strip()) + "\n"


def _append(bucket: BucketOf, path: str, title: str, entries: Sequence[str]) -> None:
    known = WorkspaceFile.objects.filter(**bucket.rows, path=path).select_for_update().first()
    _write(bucket, path, _joined([known.content if known else title, *entries]), "diary entries of the month")


def _write(bucket: BucketOf, path: str, content: str, reason: str) -> None:
    write_file(
        principal=bucket.principal,
        agent=bucket.agent,
        path=path,
        content=content,
        scope=bucket.scope,
        origin="dream",
        reason=reason,
    )
