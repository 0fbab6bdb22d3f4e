"""The isolation matrix: no address and no table shows anybody what is not theirs.

It finds addresses and models by itself. A new route that has no entry here, or a new table of a workspace that stands
outside the wall, fails the suite until somebody has said whose it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import resolve

from memoryapp.actions.agents import create_agent
from memoryapp.llm.backends.scripted import ScriptedBackend
from tenants.actions import issue_token
from tenants.models import Membership, Role, TokenScope
from tenants.permissions import PUBLIC, ROUTES, Rule
from tenants.principals import Principal
from tenants.scoping import OwnedModel, workspace_scope
from tests.conftest import Person
from tests.isolation_world import (
    MISSING,
    WORD,
    Maker,
    World,
    all_routes,
    make_world,
    models_of_a_workspace,
    protected_models,
)

NOT_FOUND = {"detail": "Not found.", "code": "not_found", "errors": {}}
# Tables with a workspace that are read before one is known: a token before its holder, an invitation before its guest,
# a job before its worker.
OUTSIDE_THE_WALL = {
    "tenants.Membership",
    "tenants.AccessToken",
    "tenants.Invitation",
    "memoryapp.Event",
    "memoryapp.Schedule",
}


@dataclass(frozen=True)
class Entry:
    """How the matrix calls a route, and whether what it is about belongs to one person rather than to all members."""

    theirs: bool = False
    # The role that writing takes where the table leaves it to the action, because it depends on what is written.
    writers: Role = Role.VIEWER
    query: str = ""
    bodies: dict[str, Any] = field(default_factory=dict)
    # The parts of the address that the entry replaces.
    names: dict[str, str] = field(default_factory=dict)


EDIT = {"oldText": "words", "newText": "word"}
CHAT = {"agentId": "{agent_id}", "message": "What is the locker word?"}
# A program of alice's workspace acts for its own end users, of whom ann is one; alice is none of them.
MEM0_ADD = {"messages": "locker word", "user_id": "ann"}
MEM0_ANN = {"filters": {"user_id": "ann"}}
MEM0_SEARCH = {"query": "locker word", **MEM0_ANN}
ANN = {"kind": "user", "name": "ann"}
MEM0_BATCH = {"memories": [{"memory_id": "{fact_id}", "text": "x"}]}
WEBHOOK = {"name": "x", "url": "https://hooks.example.org/", "events": ["memory_add"]}
OPENAI_CHAT = {"model": "{agent_id}", "messages": [{"role": "user", "content": "What is the locker word?"}]}
MATRIX: dict[str, Entry] = {
    "health-live": Entry(),
    "health-ready": Entry(),
    "metrics": Entry(),
    "whoami": Entry(),
    "chat": Entry(bodies={"POST": CHAT}),
    "chat-stream": Entry(bodies={"POST": CHAT}, query="lastEventId=" + MISSING + ":1"),
    "agents": Entry(bodies={"POST": {"name": "New", "slug": "new"}}),
    "agent": Entry(bodies={"PATCH": {"description": "x"}}),
    "conversations": Entry(theirs=True),
    "conversation": Entry(theirs=True),
    "conversation-messages": Entry(theirs=True),
    "conversation-memory": Entry(theirs=True),
    "files": Entry(),
    "file": Entry(writers=Role.MEMBER, bodies={"PUT": {"content": "x"}, "PATCH": EDIT}),
    "file-revisions": Entry(),
    "file-revision": Entry(),
    "file-restore": Entry(writers=Role.MEMBER),
    "file-write-memory": Entry(writers=Role.MEMBER, bodies={"POST": {"strategy": "append", "content": "x"}}),
    "file-search": Entry(theirs=True, query="q=" + WORD),
    "context": Entry(theirs=True, bodies={"POST": {"message": "What is the locker word?"}}),
    "scrub": Entry(bodies={"POST": {"dryRun": True}}),
    "agent-scrub": Entry(bodies={"POST": {"dryRun": True}}),
    "prompt-files": Entry(bodies={"PUT": {"files": []}}),
    "memory-export": Entry(),
    "memory-import-preview": Entry(bodies={"POST": {}}),
    "memory-import": Entry(theirs=True, bodies={"POST": {"previewId": MISSING}}),
    "memory-import-undo": Entry(theirs=True),
    "facts": Entry(theirs=True, bodies={"POST": {"text": "x"}, "DELETE": {"all": True, "confirm": True}}),
    "facts-search": Entry(theirs=True, bodies={"POST": {"query": "locker word"}}),
    "fact": Entry(theirs=True, bodies={"PATCH": {"text": "x"}}),
    "fact-history": Entry(theirs=True),
    "fact-provenance": Entry(theirs=True),
    "fact-feedback": Entry(theirs=True, bodies={"POST": {"kind": "helpful"}}),
    "fact-confirm": Entry(theirs=True),
    "fact-pin": Entry(theirs=True, bodies={"POST": {"pinned": True}}),
    "summarize": Entry(theirs=True),
    "fact-forget": Entry(theirs=True),
    "fact-undo-forget": Entry(theirs=True),
    "contradictions": Entry(theirs=True),
    "contradiction-resolve": Entry(theirs=True, bodies={"POST": {"resolution": "IGNORE"}}),
    "contradiction-undo": Entry(theirs=True),
    "reviews": Entry(theirs=True, bodies={"POST": {"ids": [MISSING], "action": "approve"}}),
    "review": Entry(theirs=True, bodies={"POST": {"action": "approve"}}),
    "emergence": Entry(theirs=True, bodies={"POST": {}}),
    "focused-dream": Entry(theirs=True, bodies={"POST": {"topic": "locker word"}}),
    "dreaming-status": Entry(theirs=True),
    "dream-candidates": Entry(theirs=True),
    "consolidation": Entry(theirs=True),
    "schedules": Entry(),
    "schedule": Entry(bodies={"PATCH": {"enabled": False}}),
    "dream-reports": Entry(theirs=True),
    "dream-report": Entry(theirs=True),
    "dream-accept": Entry(theirs=True),
    "dream-decline": Entry(theirs=True),
    "dream-entry-confirm": Entry(theirs=True),
    "dream-entry-edit": Entry(theirs=True, bodies={"POST": {"text": "x"}}),
    "dream-entry-forget": Entry(theirs=True),
    "dream-entry-revert": Entry(theirs=True),
    "dream-archives": Entry(theirs=True),
    "dream-archive": Entry(theirs=True),
    "morning-card": Entry(theirs=True),
    "morning-card-seen": Entry(theirs=True),
    "soul-proposals": Entry(),
    "soul-proposal-accept": Entry(),
    "soul-proposal-decline": Entry(),
    "events": Entry(theirs=True),
    "event": Entry(theirs=True),
    "event-retry": Entry(theirs=True),
    "owners": Entry(),
    "owner": Entry(),
    "owner-erase": Entry(),
    "owner-export": Entry(),
    "erasures": Entry(),
    "me-erase": Entry(),
    "me-export": Entry(),
    "tokens": Entry(theirs=True, bodies={"POST": {"name": "x"}}),
    "token": Entry(theirs=True),
    "members": Entry(),
    "providers": Entry(),
    "provider-mem0": Entry(bodies={"PATCH": {"maxResults": 5}}),
    "overlays": Entry(),
    "overlay": Entry(bodies={"PATCH": {"include": ["names"]}}),
    "overlay-try": Entry(bodies={"POST": {"conversation": "User: I live in Porto."}}),
    "member": Entry(writers=Role.OWNER, bodies={"PATCH": {"role": "owner"}}),
    "invitations": Entry(bodies={"POST": {"role": "viewer"}}),
    "invitation": Entry(),
    "audit": Entry(),
    "settings": Entry(bodies={"PATCH": {"name": "x"}}),
    "webhooks": Entry(bodies={"POST": WEBHOOK}),
    "webhook": Entry(bodies={"PATCH": {"name": "x"}}),
    "webhook-deliveries": Entry(),
    "webhook-replay": Entry(),
    "mem0-webhooks": Entry(
        bodies={"POST": {"name": "x", "url": "https://hooks.example.org/", "event_types": ["memory_add"]}}
    ),
    "mem0-webhook": Entry(bodies={"PUT": {"name": "x"}}),
    "mem0-ping": Entry(),
    "mem0-memories": Entry(theirs=True, query="user_id=ann", bodies={"POST": MEM0_ADD}),
    "mem0-memory": Entry(theirs=True, bodies={"PUT": {"text": "x"}}),
    "mem0-history": Entry(theirs=True),
    "mem0-add": Entry(theirs=True, bodies={"POST": MEM0_ADD}),
    "mem0-search-v1": Entry(theirs=True, bodies={"POST": MEM0_SEARCH}),
    "mem0-search": Entry(theirs=True, bodies={"POST": MEM0_SEARCH}),
    "mem0-search-v3": Entry(theirs=True, bodies={"POST": MEM0_SEARCH}),
    "mem0-list-v2": Entry(theirs=True, bodies={"POST": MEM0_ANN}),
    "mem0-list": Entry(theirs=True, bodies={"POST": MEM0_ANN}),
    "mem0-batch": Entry(theirs=True, bodies={"PUT": MEM0_BATCH, "DELETE": MEM0_BATCH}),
    "mem0-entities": Entry(theirs=True),
    "mem0-entity-v1": Entry(theirs=True, names=ANN),
    "mem0-entity": Entry(theirs=True, names=ANN),
    "mem0-events": Entry(theirs=True),
    "mem0-event": Entry(theirs=True),
    "mem0-feedback": Entry(theirs=True, bodies={"POST": {"memory_id": "{fact_id}", "feedback": "POSITIVE"}}),
    "mem0-exports": Entry(theirs=True, bodies={"POST": MEM0_ANN}),
    "mem0-export": Entry(theirs=True, bodies={"POST": MEM0_ANN}),
    "mem0-summary": Entry(theirs=True, bodies={"POST": MEM0_ANN}),
    "mem0-project": Entry(bodies={"PATCH": {"custom_instructions": "x"}}),
    "mem0-projects": Entry(bodies={"POST": {"name": "x"}}),
    "mem0-members": Entry(
        bodies={
            "POST": {"email": "dora@example.org"},
            "PUT": {"email": "bob@example.org", "role": "READER"},
            "DELETE": {"email": "bob@example.org"},
        }
    ),
    "mem0-profile": Entry(theirs=True, names=ANN),
    "mem0-profile-settings": Entry(bodies={"POST": {"enabled": True}}),
    "mem0-profile-jobs": Entry(
        theirs=True, bodies={"POST": {"operation": "trigger", "entity_type": "user", "entity_id": "ann"}}
    ),
    "mem0-profile-job": Entry(names={"job_id": MISSING}),
    "mem0-sign-up": Entry(),
    "mem0-sign-up-verify": Entry(),
    "mem0-sign-up-agent": Entry(),
    "mem0-hosted-memories": Entry(theirs=True, query="user_id=ann", bodies={"POST": MEM0_ADD}),
    "mem0-hosted-memories-search": Entry(theirs=True, bodies={"POST": MEM0_SEARCH}),
    "mem0-hosted-memory": Entry(theirs=True, bodies={"PUT": {"text": "x"}}),
    "mem0-hosted-history": Entry(theirs=True),
    "mem0-hosted-search": Entry(theirs=True, bodies={"POST": MEM0_SEARCH}),
    "mem0-hosted-entities": Entry(theirs=True),
    "mem0-hosted-entity": Entry(theirs=True, names=ANN),
    "openai-chat": Entry(bodies={"POST": OPENAI_CHAT}),
    "openai-models": Entry(),
    "openai-model": Entry(),
    "openai-embeddings": Entry(bodies={"POST": {"input": "locker word", "model": "any"}}),
}
# Addresses of other rooms, whose own tests say who may see them; each is named, so that no new one slips by.
ELSEWHERE = {
    "schema": "the description of the API, without any data",
    "docs": "the same for people",
}
ELSEWHERE_PREFIXES = {
    "dashboard:": "tests/dashboard: pages of one's own workspaces, 404 for others",
}
DOORS = {
    "home",
    "login",
    "login-code",
    "logout",
    "theme",
    "language",
    "join",
    "password",
    "password-reset",
    "new-workspace",
    "welcome",
    "welcome-workspace",
}

# The native API's routes, and every other that the table of permissions judges.
API_ROUTES = {
    name.removeprefix("api:"): path
    for name, path in all_routes().items()
    if name.startswith("api:") or name in ROUTES
}
CALLS = [(name, method) for name in API_ROUTES for method in ROUTES.get(name, {})]
GUARDED = [(name, method) for name, method in CALLS if ROUTES[name][method] is not PUBLIC]
WITH_IDS = [(name, method) for name, method in GUARDED if "<" in API_ROUTES[name]]
PERSONAL = [(name, method) for name, method in GUARDED if MATRIX[name].theirs]


class Answer(NamedTuple):
    """What a call was answered."""

    status: int
    text: str


Visit = Callable[..., Answer]


def says_not_found(answer: Answer) -> bool:
    """Whether it is the one answer for what is missing and what is not yours, whatever else another product adds."""
    body = json.loads(answer.text)
    return {name: body.get(name) for name in NOT_FOUND} == NOT_FOUND


def role_for(name: str, method: str) -> Role:
    """The least role that gets through, by the table and by the action."""
    wanted = rule_of(name, method).role
    return wanted if method == "GET" else max(wanted, MATRIX[name].writers)


def rule_of(name: str, method: str) -> Rule:
    rule = ROUTES[name][method]
    assert rule is not PUBLIC
    return rule


def as_format(path: str) -> str:
    """An address as a format string: `agents/<str:agent_id>` is `agents/{agent_id}`."""
    parts = path.split("<")
    return parts[0] + "".join("{" + part.split(":", 1)[1].replace(">", "}", 1) for part in parts[1:])


@pytest.fixture
def world(alice: Person) -> World:
    return make_world(alice)


@pytest.fixture
def visit(client: Client, world: World, model: ScriptedBackend) -> Visit:
    """Calls a route by name about alice's rows, as whoever holds the headers; what it does is undone again."""

    def visit(name: str, method: str, headers: dict[str, str], /, query: str = "", **names: str) -> Answer:
        entry = MATRIX[name]
        ids = {**world.ids, **entry.names, **names}
        body = json.dumps(entry.bodies.get(method))
        for key in ("agent_id", "fact_id"):
            body = body.replace(f"{{{key}}}", ids[key])
        sent = {} if body == "null" else {"data": body, "content_type": "application/json"}
        asked = "&".join(part for part in (entry.query, query) if part)
        path = "/" + as_format(API_ROUTES[name]).format(**ids)
        with undone():
            response = client.generic(method, f"{path}?{asked}" if asked else path, headers=headers, **sent)
            text = "" if response.streaming else response.content.decode()
            if response.streaming and not response.is_async:
                # Read to its end it closes its file; closed by hand it would close the connection too.
                b"".join(response.streaming_content)
        return Answer(response.status_code, text)

    return visit


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class TestEveryAddress:
    def test_has_an_entry_here(self) -> None:
        known = {*ELSEWHERE, *DOORS, *API_ROUTES}
        unknown = {name for name in all_routes() if not name.startswith(("api:", *ELSEWHERE_PREFIXES))}

        assert not unknown - known, "say in this file who may see them"
        assert set(API_ROUTES) == set(MATRIX)

    def test_has_a_rule_for_every_method_it_answers(self) -> None:
        for name, path in API_ROUTES.items():
            sample = as_format(path).format(
                **{key: "1" if key == "number" else MISSING for key in _names(path)}
            )
            view = resolve(f"/{sample}").func.cls  # type: ignore[attr-defined] # DRF keeps the class there
            methods = {method.upper() for method in view.http_method_names if hasattr(view, method)}
            assert methods - {"HEAD", "OPTIONS"} == set(ROUTES[name]), name

    def test_wants_a_token(self, visit: Visit) -> None:
        assert not [call for call in GUARDED if visit(*call, {}).status != 401]

    @pytest.mark.parametrize("role", [Role.VIEWER, Role.MEMBER, Role.ADMIN])
    def test_wants_its_role(self, visit: Visit, bob: Person, role: Role) -> None:
        Membership.objects.filter(user=bob.user).update(role=role)

        wrong = {
            call: answer.status
            for call in GUARDED
            if ((answer := visit(*call, bob.headers)).status == 403) != (role_for(*call) > role)
        }

        assert not wrong

    @pytest.mark.parametrize("scope", TokenScope.values)
    def test_wants_its_scope(self, visit: Visit, alice: Person, scope: str) -> None:
        others = [each for each in TokenScope.values if each != scope]
        narrow = {
            "Authorization": f"Bearer {issue_token(principal=alice.principal, name='n', scopes=others)[1]}"
        }
        closed = [call for call in GUARDED if rule_of(*call).scope == scope]

        assert not [call for call in closed if visit(*call, narrow).status != 403]

    def test_shows_a_stranger_nothing_and_does_not_say_that_there_is_something(
        self, visit: Visit, charlie: Person
    ) -> None:
        wrong = {}
        for call in WITH_IDS:
            ids = {key: MISSING for key in _names(API_ROUTES[call[0]]) if key not in {"path", "number"}}
            foreign, missing = visit(*call, charlie.headers), visit(*call, charlie.headers, **ids)
            if foreign.status != 404 or not says_not_found(foreign) or missing != foreign:
                wrong[call] = foreign

        assert not wrong

    def test_a_child_is_found_under_its_own_agent_only(self, visit: Visit, alice: Person) -> None:
        other = create_agent(principal=alice.principal, name="Other", slug="other")
        nested = [call for call in WITH_IDS if {"agent_id", "fact_id"} <= set(_names(API_ROUTES[call[0]]))]
        nested += [("file-revisions", "GET"), ("file-restore", "POST"), ("file", "GET"), ("file", "DELETE")]
        answers = {call: visit(*call, alice.headers, agent_id=str(other.pk)) for call in nested}

        assert not {call: answer for call, answer in answers.items() if not says_not_found(answer)}

    def test_never_says_to_a_stranger_what_is_alices(
        self, visit: Visit, world: World, charlie: Person
    ) -> None:
        secrets = [WORD, *(value for value in world.ids.values() if len(value) == len(MISSING))]
        answers = {call: visit(*call, charlie.headers).text for call in GUARDED}

        assert not [call for call, text in answers.items() if any(secret in text for secret in secrets)]

    def test_keeps_what_is_personal_from_a_colleague(self, visit: Visit, bob: Person) -> None:
        wrong = {}
        for call in PERSONAL:
            answer = visit(*call, bob.headers)
            names_a_row = set(_names(API_ROUTES[call[0]])) - {"agent_id", "path", "number"}
            if WORD in answer.text or (names_a_row and not says_not_found(answer)):
                wrong[call] = answer

        assert not wrong

    def test_keeps_what_is_personal_from_the_same_token_acting_for_somebody_else(
        self, visit: Visit, alice: Person
    ) -> None:
        answers = {call: visit(*call, alice.headers, query="endUserId=ann").text for call in PERSONAL}

        assert not [call for call, text in answers.items() if WORD in text]

    def test_shows_alice_what_is_hers(self, visit: Visit, alice: Person) -> None:
        """Without this the tests above would pass on a product that shows nothing to anybody."""
        shown = {call[0] for call in PERSONAL if WORD in visit(*call, alice.headers).text}

        assert shown >= {"facts", "fact", "fact-history", "facts-search", "conversation-messages"}


def _names(path: str) -> list[str]:
    return [part.split(":", 1)[1].split(">")[0] for part in path.split("<")[1:]]


class TestEveryTable:
    """The database's own wall, for queries that forget the read door."""

    def test_of_a_workspace_stands_behind_it(self) -> None:
        with_workspace = {model._meta.label for model in models_of_a_workspace()}
        assert {model._meta.label for model in protected_models()} <= with_workspace
        assert with_workspace >= OUTSIDE_THE_WALL

    def test_has_forced_row_level_security(self, db: None) -> None:
        tables = {model._meta.db_table: model._meta.label for model in models_of_a_workspace()}
        with connection.cursor() as cursor:
            cursor.execute("SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity")
            walled = {name for (name,) in cursor.fetchall()}

        assert {label for table, label in tables.items() if table not in walled} == OUTSIDE_THE_WALL

    def test_may_be_read_by_a_role_that_cannot_bypass_it(self, db: None) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
            assert cursor.fetchone() == (False, False)

    def test_shows_its_rows_to_their_workspace_and_their_owner_only(
        self, alice: Person, bob: Person, charlie: Person
    ) -> None:
        with workspace_scope(alice.workspace):
            maker = Maker(alice)
            rows = {model: maker.make(model) for model in protected_models()}

        assert not [model for model, row in rows.items() if _sees(model, row)]
        with workspace_scope(charlie.workspace):
            assert not [model for model, row in rows.items() if _sees(model, row)]
        with workspace_scope(alice.workspace):
            assert not [
                model for model, row in rows.items() if not _through_the_door(model, row, alice.principal)
            ]
            assert not [
                model for model, row in rows.items() if _through_the_door(model, row, charlie.principal)
            ]
            personal = {model: row for model, row in rows.items() if issubclass(model, OwnedModel)}
            for other in (bob.principal, alice.principal.acting_as("ann")):
                assert not [model for model, row in personal.items() if _through_the_door(model, row, other)]


def _sees(model: type[Model], row: Model) -> bool:
    return model._default_manager.filter(pk=row.pk).exists()


def _through_the_door(model: type[Model], row: Model, principal: Principal) -> bool:
    return bool(model._default_manager.visible_to(principal).filter(pk=row.pk).exists())  # type: ignore[attr-defined]
