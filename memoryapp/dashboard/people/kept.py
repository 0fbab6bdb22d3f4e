"""What is kept of one person, over all agents: their profile, their facts, their files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryapp.dashboard.counting import count_up_to_limit
from memoryapp.dashboard.pages import Visit
from memoryapp.dashboard.whose import Subject
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactSource, WorkspaceFile

PAGE_SIZE = 50
FILES_SHOWN = 200
PROFILE = "PROFILE.md"


@dataclass(frozen=True, slots=True)
class KeptFact:
    """One fact with the conversation it can be followed back to."""

    fact: Fact
    talk: UUID | None


def show_profile(visit: Visit, subject: Subject) -> dict[str, Any]:
    """The profile each agent wrote of the person, and what it says in every prompt."""
    files = _files(subject).filter(path=PROFILE).order_by("agent__name")
    facts = _facts(subject).active().unexpired().filter(category="identity").order_by("-pk")[:20]
    return {"profiles": list(files[:20]), "identity": list(facts)}


def show_facts(visit: Visit, subject: Subject) -> dict[str, Any]:
    """Their facts, newest first, paged by key: ids are ordered by time."""
    facts = _facts(subject).exclude(status=Fact.Status.FORGOTTEN)
    count, position, before = count_up_to_limit(facts), 1, key_of(visit, "before")
    page = list((facts.filter(pk__lt=before) if before else facts).order_by("-pk")[: PAGE_SIZE + 1])
    if before and not page:
        page = list(facts.order_by("-pk")[: PAGE_SIZE + 1])
    shown = page[:PAGE_SIZE]
    if before and shown:
        position += count_up_to_limit(facts.filter(pk__gt=shown[0].pk))
    talks = _talks_behind(subject, shown)
    return {
        "facts": [KeptFact(fact, talks.get(fact.pk)) for fact in shown],
        "count": count,
        "position": position,
        "last": position + len(shown) - 1,
        "older": shown[-1].pk if len(page) > PAGE_SIZE else "",
        "newer": position > 1,
    }


def show_files(visit: Visit, subject: Subject) -> dict[str, Any]:
    """Their files by name, and the one that the address names."""
    files, wanted = _files(subject), key_of(visit, "file")
    chosen = files.filter(pk=wanted).first() if wanted else None
    if wanted and chosen is None:
        raise NotFound
    listed = files.defer("content").order_by("agent__name", "path")[: FILES_SHOWN + 1]
    return {"files": list(listed), "file": chosen, "shown": FILES_SHOWN}


def _files(subject: Subject) -> Any:
    return WorkspaceFile.objects.owned_by(subject.principal).select_related("agent")


def _facts(subject: Subject) -> Any:
    return Fact.objects.owned_by(subject.principal).select_related("agent")


def _talks_behind(subject: Subject, facts: list[Fact]) -> dict[UUID, UUID]:
    """For each fact a conversation in which its words stand."""
    rows = FactSource.objects.visible_to(subject.principal).filter(fact__in=facts, message__isnull=False)
    return dict(rows.values_list("fact_id", "message__conversation_id"))


def key_of(visit: Visit, name: str) -> UUID | None:
    """The id that the address names, None for what is no id."""
    try:
        return UUID(visit.request.GET.get(name, ""))
    except ValueError:
        return None
