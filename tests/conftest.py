"""The cast: alice and bob work in one workspace, charlie in another. Tests go through the doors they would use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, override_settings

from memoryapp.actions.agents import create_agent
from memoryapp.llm.backends.scripted import ScriptedBackend
from memoryapp.llm.client import LLMClient
from memoryapp.llm.retries import RetryPolicy
from memoryapp.model_settings import refuse_inside_scope, standing_in
from memoryapp.models import Agent
from tenants.actions import create_workspace, issue_token
from tenants.memberships import accept_invitation, invite
from tenants.models import Role, Workspace
from tenants.principals import Principal, principal_for_member

Call = Callable[..., HttpResponse]

PASSWORD = "correct horse battery"


@pytest.fixture(scope="session", autouse=True)
def uncollected_static_files() -> Iterator[None]:
    """The pages' files as they lie in the project: collecting them is what `manage.py web` does at its start."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    storages = {**settings.STORAGES, "staticfiles": plain}
    with override_settings(STORAGES=storages, STATIC_ROOT=None, WHITENOISE_USE_FINDERS=True):
        yield


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    """The real hasher is slow on purpose, and no test is about it."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@dataclass(frozen=True)
class Person:
    """Somebody of the cast, with all they need to come through any door."""

    user: User
    principal: Principal
    agent: Agent
    token: str

    @property
    def workspace(self) -> Workspace:
        return self.principal.workspace

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def make_user(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD)


def make_owner(name: str, workspace: str) -> Person:
    """A person who owns a workspace of their own with one agent."""
    user = make_user(name)
    principal = create_workspace(name=workspace.capitalize(), slug=workspace, owner=user)
    agent = create_agent(principal=principal, name="Juno", slug="juno")
    return Person(user, principal, agent, issue_token(principal=principal, name="test")[1])


def make_member(name: str, owner: Person, role: Role) -> Person:
    """Somebody whom the owner of a workspace invited."""
    user = make_user(name)
    _, secret = invite(principal=owner.principal, role=role)
    principal = principal_for_member(accept_invitation(secret=secret, user=user))
    return Person(user, principal, owner.agent, issue_token(principal=principal, name="test")[1])


@pytest.fixture
def alice(db: Any) -> Person:
    """Owner of the workspace “harbour”."""
    return make_owner("alice", "harbour")


@pytest.fixture
def bob(alice: Person) -> Person:
    """A member of alice's workspace."""
    return make_member("bob", alice, Role.MEMBER)


@pytest.fixture
def vera(alice: Person) -> Person:
    """A viewer in alice's workspace."""
    return make_member("vera", alice, Role.VIEWER)


@pytest.fixture
def charlie(db: Any) -> Person:
    """A stranger: owner of another workspace."""
    return make_owner("charlie", "quarry")


@pytest.fixture
def cast(alice: Person, bob: Person, charlie: Person) -> Iterator[tuple[Person, Person, Person]]:
    return alice, bob, charlie


@pytest.fixture
def call(client: Client) -> Call:
    """Calls the native API as somebody of the cast, with a JSON body when there is one."""

    def call(who: Person | None, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        sent = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        token = who.headers if who else {}
        return client.generic(method, f"/api/v1{path}", headers={**token, **headers}, **sent)

    return call


@pytest.fixture
def model() -> Iterator[ScriptedBackend]:
    """The model of every workspace, saying what a test tells it to; without a word from the test it says “Noted.”."""
    backend = ScriptedBackend(otherwise="Noted.")
    client = LLMClient(backend, retries=RetryPolicy(max_retries=0), before_call=refuse_inside_scope)
    with standing_in(client):
        yield backend
