"""What the tests of the night share: people's buckets, notes of days gone by, and the rules that answer offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import append_note, load_file, write_file
from memoryapp.exceptions import NotFound
from memoryapp.lifecycle.buckets import BucketOf, bucket_of
from memoryapp.llm.backends.offline.backend import OfflineBackend
from memoryapp.llm.client import LLMClient
from memoryapp.model_settings import refuse_inside_scope, standing_in
from memoryapp.models import Fact
from tenants.scoping import workspace_scope
from tests.conftest import Person


@contextmanager
def offline_rules() -> Iterator[None]:
    """Have every workspace answered by the offline rules, with the check that no transaction waits for them."""
    with standing_in(LLMClient(OfflineBackend(), before_call=refuse_inside_scope)):
        yield


class Memory:
    """One bucket of memory as its owner sees it: their own with an agent, or with `shared` the team's."""

    def __init__(self, person: Person, *, shared: bool = False) -> None:
        self.person = person
        self.scope = "TEAM" if shared else "PERSONAL"

    @property
    def bucket(self) -> BucketOf:
        owner = self.person.principal.owner_key if self.scope == "PERSONAL" else ""
        return bucket_of(self.person.workspace, self.person.agent, owner)

    def know(self, text: str, **fields: Any) -> Fact:
        new = NewFact(**{"text": text, "scope": self.scope, **fields})
        return add_fact(principal=self.person.principal, agent=self.person.agent, new=new).fact

    def note(self, day: date, *lines: str) -> None:
        append_note(
            principal=self.person.principal,
            agent=self.person.agent,
            day=day,
            entry="\n".join(lines),
            scope=self.scope,
        )

    def notes(self, last: date, *days: str) -> None:
        """One line a day, the last of them on the day given."""
        for back, line in enumerate(reversed(days)):
            self.note(last - timedelta(days=back), line)

    def write(self, path: str, content: str, **options: Any) -> None:
        options = {"scope": self.scope, **options}
        write_file(
            principal=self.person.principal, agent=self.person.agent, path=path, content=content, **options
        )

    def text(self, path: str = "MEMORY.md") -> str:
        try:
            file = load_file(
                principal=self.person.principal, agent=self.person.agent, path=path, scope=self.scope
            )
        except NotFound:
            return ""
        return file.content

    @property
    def facts(self) -> list[str]:
        with workspace_scope(self.person.workspace):
            facts = Fact.objects.filter(**self.bucket.rows).current()
            return sorted(facts.values_list("text", flat=True))

    def fact(self, text: str) -> Fact:
        with workspace_scope(self.person.workspace):
            return Fact.objects.get(**self.bucket.rows, text=text)


def at(text: str) -> datetime:
    """A moment, written as 2026-07-19T20:05Z."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
