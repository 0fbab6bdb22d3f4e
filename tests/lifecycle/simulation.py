"""A week of people's days and nights: what each is told to remember, and what must be true of it in the end.

Everybody has words of their own, so that a single word in the wrong memory is found.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection

from memoryapp.actions.agents import create_agent
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.forget import forget_fact
from memoryapp.jobs import drain, tick
from memoryapp.llm.night_tasks import DreamInput
from memoryapp.llm.types import ChatRequest
from memoryapp.models import Agent, WorkspaceFile
from tenants.models import Workspace
from tenants.principals import Principal, principal_for_job
from tenants.scoping import Scope, workspace_scope

WORKERS = 2


@dataclass(frozen=True)
class Somebody:
    """One owner with one agent, and the words that are theirs alone."""

    workspace: Workspace
    agent: Agent
    owner_key: str
    number: int

    @property
    def principal(self) -> Principal:
        return principal_for_job(self.workspace, self.owner_key)

    @property
    def plant(self) -> str:
        return f"plant{self.number}q"

    @property
    def boat(self) -> str:
        return f"boat{self.number}q"

    @property
    def secret(self) -> str:
        return f"secret{self.number}q"

    @property
    def all_words(self) -> tuple[str, ...]:
        return self.plant, self.boat, self.secret, f"trip{self.number}q"

    @property
    def row(self) -> dict[str, Any]:
        return {
            "workspace": self.workspace,
            "agent": self.agent,
            "owner_key": self.owner_key,
            "scope": Scope.PERSONAL,
        }

    def day(self, number: int) -> list[str]:
        """What the note of one day of the week says."""
        recurring = [
            f"User waters the {self.plant} every morning, it rained outside",
            f"Asked how much light a {self.plant} needs",
            f"Worried because the {self.plant} lost leaves",
        ]
        lines = [recurring[number % 3]] if number in (0, 2, 3, 5) else []
        if number in (1, 2, 4):
            launch = "3 May" if number < 4 else "10 May"
            lines.append(f"The launch of the {self.boat} is on {launch}")
        if number == 3:
            lines.append(f"Bought a ticket for a trip{self.number}q")
        if number in (0, 1, 2, 4):
            lines.append(f"User collects {self.secret}")
        return lines

    @property
    def forgotten(self) -> str:
        return f"User collects {self.secret}"


class Week:
    """Seven days of everybody, each followed by its night."""

    def __init__(self, people: list[Somebody], first_day: date, clock: Any) -> None:
        self.people = people
        self.first_day = first_day
        self.clock = clock

    def live(self, days: int = 7) -> None:
        """Let the days pass: notes are written, on the second day something is forgotten, nights are worked off."""
        for number in range(days):
            day = self.first_day + timedelta(days=number)
            self.clock.move_to(datetime.combine(day, datetime.min.time()).astimezone() + timedelta(hours=20))
            self.write_notes(number, day)
            if number == 1:
                self.forget()
            self.clock.move_to(datetime.combine(day + timedelta(days=1), datetime.min.time()).astimezone())
            self.sleep()

    def write_notes(self, number: int, day: date) -> None:
        """Write everybody's note of the day, without what they had forgotten before."""
        for workspace in {person.workspace.pk: person.workspace for person in self.people}.values():
            with workspace_scope(workspace):
                WorkspaceFile.objects.bulk_create(
                    WorkspaceFile(
                        **person.row, path=f"memory/{day}.md", content=self.note(person, number, day)
                    )
                    for person in self.people
                    if person.workspace.pk == workspace.pk
                )

    def note(self, person: Somebody, number: int, day: date) -> str:
        lines = [line for line in person.day(number) if number < 2 or person.secret not in line]
        return f"# {day}\n\n" + "".join(f"- {line}\n" for line in lines)

    def forget(self) -> None:
        for person in self.people:
            new = NewFact(text=person.forgotten)
            fact = add_fact(principal=person.principal, agent=person.agent, new=new).fact
            forget_fact(principal=person.principal, fact=fact)

    def sleep(self) -> None:
        """Pass a night, several workers looking for work at the times at which something is due."""
        for minutes in (180, 30, 30):
            self.clock.shift(timedelta(minutes=minutes))
            together(tick)
            together(work_off)


def work_off() -> None:
    """Work until nothing is due: a stint ends after a while, and the queue wakes the worker for another."""
    while drain():
        pass


def together(work: Any) -> None:
    """Have several workers do the same at the same time."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    workers = [threading.Thread(target=run) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def settle(workspaces: list[Principal], agents: int, owners: int) -> list[Somebody]:
    """Agents in every workspace, and people who talk to them."""
    people = []
    for place, principal in enumerate(workspaces):
        known = [create_agent(principal=principal, name=f"A{n}", slug=f"a{n}") for n in range(agents)]
        for at, agent in enumerate(known):
            for n in range(owners):
                number = (place * agents + at) * owners + n
                people.append(Somebody(principal.workspace, agent, f"api:customer-{n}", number))
    return people


def dreamy_model(request: ChatRequest) -> dict[str, Any]:
    """A model that promotes every candidate and, against all it was told, tries to bring back what was forgotten."""
    task = request.context
    if not isinstance(task, DreamInput):
        return {"should_update": False, "reason": "nothing", "conflicts": []}
    secrets = [
        word for word in json.dumps(task.memory + request.messages[-1].content).split() if "boat" in word
    ]
    number = next((word.strip(".,") for word in secrets if word.startswith("boat")), "boat0q")
    lines = [f"- {candidate.text}" for candidate in task.candidates]
    if not lines:
        return {"should_update": False, "reason": "nothing"}
    tempted = f"- User collects {number.replace('boat', 'secret')}"
    content = task.memory.rstrip("\n") + "\n" + "\n".join([*lines, tempted]) + "\n"
    return {"should_update": True, "reason": "what came back", "memory_content": content}
