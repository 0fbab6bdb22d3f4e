"""What the isolation tests look at: everything of alice's that somebody else must not see, each with her word in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db.models import Model
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from model_bakery import baker

from memoryapp.actions.contradictions import open_contradiction
from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.events import request_job
from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.actions.files import write_file
from memoryapp.actions.forget_texts import packed
from memoryapp.actions.soul import store_proposal
from memoryapp.models import Agent, Dream, DreamArchive, DreamEntry, Owner, Webhook, WebhookDelivery
from memoryapp.snapshots.export import export_snapshot
from memoryapp.snapshots.preview import preview_import
from tenants.memberships import invite
from tenants.models import AccessToken, Membership, Role, Workspace
from tenants.scoping import OwnedModel, Scope, WorkspaceModel, workspace_scope
from tests.conftest import Person

# It stands in everything that is alice's own, and in nothing else.
WORD = "PELICAN"
REGEX_MARKS = re.compile(r"\^|\$|/\?")
MISSING = "01a00000-0000-7000-8000-000000000000"


@dataclass
class World:
    """Alice's rows, by the placeholder that stands for each in an address."""

    alice: Person
    ids: dict[str, str] = field(default_factory=dict)

    def path(self, pattern: str, **others: str) -> str:
        return "/" + pattern.format(**{**self.ids, **others})


def make_world(alice: Person) -> World:
    """Alice with a personal memory of every kind, and a shared file."""
    who: dict[str, Any] = {"principal": alice.principal, "agent": alice.agent}
    talk = open_conversation(**who, external_id="alices-talk")
    add_message(principal=alice.principal, conversation=talk, role="user", text=f"My locker word is {WORD}.")
    fact = add_fact(**who, new=NewFact(text=f"Alice's locker word is {WORD}.", category="identity")).fact
    write_file(**who, path="diary.md", content=f"The word is {WORD}.\n", scope="PERSONAL")
    write_file(**who, path="PROFILE.md", content=f"# Profile\n\n- {WORD}\n", scope="PERSONAL")
    write_file(**who, path="house.md", content="Shared words.\n")
    event = request_job(
        principal=alice.principal, kind="extract", subject_id=talk.pk, agent_id=alice.agent.pk
    )
    other = add_fact(**who, new=NewFact(text=f"Alice's locker word was {WORD} too.")).fact
    pair = open_contradiction(principal=alice.principal, one=fact, other=other, reason=WORD)
    proposal = store_proposal(**who, base_version=1, before="", after="Shared words.", reason="")
    with workspace_scope(alice.workspace):
        entry = make_dream(alice)
        owner = Owner.objects.get(owner_key=alice.principal.owner_key)
        webhook = Webhook.objects.create(
            workspace=alice.workspace, name="w", url="x", events=[], sealed_secret=""
        )
        delivery = WebhookDelivery.objects.create(
            workspace=alice.workspace, webhook=webhook, event_id=MISSING, happening="memory_add"
        )
    token = AccessToken.objects.get(workspace=alice.workspace, user=alice.user)
    with export_snapshot(**who) as archive:
        previewed = preview_import(**who, upload=archive)
    ids = {
        "agent_id": str(alice.agent.pk),
        "conversation_id": str(talk.pk),
        "fact_id": str(fact.pk),
        "memory_id": str(fact.pk),
        "model": str(alice.agent.pk),
        "webhook_id": str(delivery.webhook_id),
        "delivery_id": str(delivery.pk),
        "org_id": str(alice.workspace.pk),
        "project_id": str(alice.workspace.pk),
        "path": "house.md",
        "number": "1",
        "event_id": str(event.pk),
        "owner_id": str(owner.pk),
        "token_id": str(token.pk),
        "member_id": str(Membership.objects.get(workspace=alice.workspace, user=alice.user).pk),
        "invitation_id": str(invite(principal=alice.principal, role=Role.VIEWER)[0].pk),
        "import_id": str(previewed.pk),
        "report_id": str(entry.dream_id),
        "entry_id": str(entry.pk),
        "contradiction_id": str(pair.pk) if pair else MISSING,
        "proposal_id": str(proposal.pk),
        "month": "2026-01",
        "kind": "dream",
    }
    return World(alice, ids)


def make_dream(alice: Person) -> DreamEntry:
    """A night of alice's own memory, and an archive of earlier ones."""
    own: dict[str, Any] = {
        "workspace": alice.workspace,
        "agent": alice.agent,
        "owner_key": alice.principal.owner_key,
        "scope": Scope.PERSONAL,
    }
    dream = Dream.objects.create(
        **own, kind="nightly", status="succeeded", reason=WORD, finished_at=timezone.now()
    )
    DreamArchive.objects.create(
        **own, month="2026-01", reports=1, packed=packed([{"startedAt": "", "reason": WORD}])
    )
    entry: DreamEntry = DreamEntry.objects.create(
        **own, dream=dream, position=1, operation="add", path="PROFILE.md", after=f"- {WORD}"
    )
    return entry


def all_routes() -> dict[str, str]:
    """Every address of the product by its full name, as a format string."""
    return dict(_routes(get_resolver().url_patterns, "", ""))


def _routes(patterns: list[Any], prefix: str, namespace: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _routes(pattern.url_patterns, address, inner)
        elif isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}", REGEX_MARKS.sub("", address)


def protected_models() -> list[type[Model]]:
    """Every model whose rows belong to a workspace or to an owner in it."""
    return [model for model in apps.get_models() if issubclass(model, OwnedModel | WorkspaceModel)]


def models_of_a_workspace() -> list[type[Model]]:
    """Every model with a foreign key to a workspace."""
    return [
        model
        for model in apps.get_models()
        if any(field.related_model is Workspace and field.many_to_one for field in model._meta.get_fields())
    ]


class Maker:
    """Makes one personal row of alice's in any owned model, with whatever that row must refer to."""

    # What a model's constraints want beyond its required fields.
    EXTRA: dict[str, dict[str, Any]] = {
        "Fact": {"text": WORD, "importance": 0.5},
        "Embedding": {"model": "m", "vector": None},
    }

    def __init__(self, alice: Person) -> None:
        self.alice = alice
        self.made: dict[type[Model], Model] = {Agent: alice.agent, Workspace: alice.workspace}

    def make(self, model: type[Model]) -> Model:
        if model not in self.made:
            self.made[model] = baker.make(model, **self._fields(model))
        return self.made[model]

    def _fields(self, model: type[Model]) -> dict[str, Any]:
        fields: dict[str, Any] = {
            each.name: self.make(each.related_model)
            for each in model._meta.concrete_fields
            if each.many_to_one and (not each.null or self._is_wanted(model, each.name))
        }
        if issubclass(model, OwnedModel):
            fields |= {"owner_key": self.alice.principal.owner_key, "scope": Scope.PERSONAL}
        return {**fields, **self.EXTRA.get(model.__name__, {})}

    def _is_wanted(self, model: type[Model], name: str) -> bool:
        return model.__name__ == "Embedding" and name == "fact"
