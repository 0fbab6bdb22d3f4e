"""What can be searched: facts, sections of files, messages. Each says which rows count and where its columns are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import and_
from typing import Any, Final
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from memoryapp.models import Agent, Conversation, Fact, FileSection, Message, WorkspaceFile
from memoryapp.models.files import in_every_prompt
from memoryapp.retrieval.filters import Node, compile_filter
from tenants.models import GLOBAL_WORKSPACE_ID
from tenants.principals import Principal


@dataclass(frozen=True, slots=True)
class Reading:
    """Who reads, and what they want to see."""

    principal: Principal
    agent: Agent
    node: Node
    moment: datetime
    show_expired: bool = False
    latest_only: bool = True
    mem0_names: bool = False
    session: Conversation | None = None
    # Leaves out the sections that every turn is told anyway.
    beyond_prompt: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of thing that can be found."""

    kind: str
    model: type[Model]
    states: Callable[[Reading], Q]
    # The column of the run a row belongs to, and those that order the rows of a run.
    run: str
    order: tuple[str, ...]
    # SQL over the table, as r, of what ranking looks at.
    said_at: str
    event_from: str
    event_to: str
    speaker: str
    from_person: str
    importance: str
    related: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        return self.model._meta.db_table

    @property
    def speaker_column(self) -> str | None:
        """The plain column of the speaker's name, for those that have one."""
        return self.speaker.removeprefix("r.") if self.speaker.startswith("r.") else None

    def rows(self, reading: Reading) -> QuerySet[Any]:
        """The rows a reader may find, through the one read door and narrowed by their filter."""
        manager: Any = self.model._default_manager
        condition = compile_filter(reading.node, kind=self.kind, mem0_names=reading.mem0_names)
        return narrowed(manager.all(), reading).filter(self.states(reading), condition)

    def neighbours(self, reading: Reading) -> QuerySet[Any]:
        """Rows that count beside a readable row of the same owner and run, who may be read as that one may."""
        condition = compile_filter(reading.node, kind=self.kind, mem0_names=reading.mem0_names)
        manager: Any = self.model._default_manager
        return manager.filter(self.states(reading), condition)  # type: ignore[no-any-return]

    def load(self, ids: Sequence[str]) -> dict[UUID, Any]:
        """The rows of the ids, whole, with what their names need."""
        rows: Any = self.model._default_manager
        # Without a name, select_related would follow every relation there is.
        return (rows.select_related(*self.related) if self.related else rows).in_bulk(ids)  # type: ignore[no-any-return]


def narrowed(rows: QuerySet[Any], reading: Reading) -> QuerySet[Any]:
    """The rows a reader may see of what they read about, in words that the indexes begin with."""
    principal, agent = reading.principal, reading.agent
    visible = rows.visible_to(principal).for_agent(agent)  # type: ignore[attr-defined]
    if principal.integrator:
        return visible  # type: ignore[no-any-return]
    own = Q(workspace_id=principal.workspace.pk, agent_id=agent.pk, owner_key__in=["", principal.owner_key])
    return visible.filter(own | Q(workspace_id=GLOBAL_WORKSPACE_ID))  # type: ignore[no-any-return]


def fact_conditions(reading: Reading) -> dict[str, Q]:
    """What makes a fact findable, by name and in the order in which a person would ask."""
    status, valid = Q(status=Fact.Status.ACTIVE), Q(valid_to=None) | Q(valid_to__gt=reading.moment)
    if not reading.latest_only:
        # Being superseded is what ended them.
        superseded = Q(status=Fact.Status.SUPERSEDED)
        status, valid = status | superseded, valid | superseded
    session = Q(session=None) if reading.session is None else Q(session=None) | Q(session=reading.session)
    conditions = {"status": status, "valid": valid, "session": session}
    if not reading.show_expired:
        conditions["expiry"] = Q(expires_at=None) | Q(expires_at__gt=reading.moment)
    return conditions


def _fact_states(reading: Reading) -> Q:
    return reduce(and_, fact_conditions(reading).values())


# A line that is no heading: a section without one says nothing.
SAYS_SOMETHING: Final = r"(^|\n)[^#\s]"


def _section_states(reading: Reading) -> Q:
    wanted = Q(text__regex=SAYS_SOMETHING)
    if not reading.beyond_prompt:
        return wanted
    told = WorkspaceFile.objects.filter(in_every_prompt(), agent=reading.agent)
    return wanted & ~Q(file__in=told.values("pk"))


def _message_states(reading: Reading) -> Q:
    return Q(role__in=[Message.Role.USER, Message.Role.ASSISTANT], state=Message.State.COMPLETE)


FACTS: Final = Source(
    kind="fact",
    model=Fact,
    states=_fact_states,
    run="run_id",
    order=("said_at", "id"),
    said_at="r.said_at",
    event_from="r.event_from",
    event_to="r.event_to",
    speaker="r.speaker",
    from_person="r.attributed_to = 'user'",
    importance="r.importance",
)
SECTIONS: Final = Source(
    kind="section",
    model=FileSection,
    states=_section_states,
    run="file_id",
    order=("position", "id"),
    said_at="r.updated_at",
    event_from="NULL::timestamptz",
    event_to="NULL::timestamptz",
    speaker="''",
    from_person="true",
    importance="0.5::float8",
    related=("file",),
)
MESSAGES: Final = Source(
    kind="message",
    model=Message,
    states=_message_states,
    run="conversation_id",
    order=("number", "id"),
    said_at="r.said_at",
    event_from="NULL::timestamptz",
    event_to="NULL::timestamptz",
    speaker="r.name",
    from_person="r.role = 'user'",
    importance="0.5::float8",
    related=("conversation",),
)
SOURCES: Final = {"facts": FACTS, "files": SECTIONS, "messages": MESSAGES}
