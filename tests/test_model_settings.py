"""Which model a workspace talks to, and which addresses and keys never meet."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.llm.client import LLMClient
from memoryapp.llm.errors import ModelMisconfigured
from memoryapp.model_settings import API_KEY, BASE_URL, MODEL, client_for, model_config, standing_in
from tenants.models import Workspace
from tenants.scoping import workspace_scope
from tests.conftest import Person

OURS, THEIRS = "https://models.example.org/v1", "https://other.example.org/v1"


@pytest.fixture
def workspace(settings: Any) -> Workspace:
    settings.LLM_BACKEND, settings.LLM_BASE_URL = "auto", OURS
    settings.LLM_API_KEY, settings.LLM_MODEL = "our-key", "our-model"
    return Workspace(name="W", slug="w")


def test_without_settings_of_its_own_it_uses_the_installations(workspace: Workspace) -> None:
    config = model_config(workspace)

    assert (config.base_url, config.api_key, config.model) == (OURS, "our-key", "our-model")


def test_its_own_model_counts_more(workspace: Workspace) -> None:
    workspace.settings = {MODEL: "their-model"}

    assert model_config(workspace).model == "their-model"
    assert model_config(workspace).base_url == OURS


def test_the_installations_key_is_never_sent_to_an_address_of_the_workspaces(workspace: Workspace) -> None:
    workspace.settings = {BASE_URL: THEIRS}
    assert (model_config(workspace).base_url, model_config(workspace).api_key) == (THEIRS, "")

    workspace.seal(API_KEY, "their-key")
    assert model_config(workspace).api_key == "their-key"


def test_with_nothing_set_it_is_offline(workspace: Workspace, settings: Any) -> None:
    settings.LLM_BASE_URL = settings.LLM_API_KEY = settings.LLM_MODEL = ""

    assert client_for(workspace).is_offline


def test_a_private_address_that_got_in_is_not_called(workspace: Workspace, settings: Any) -> None:
    workspace.settings = {BASE_URL: "http://127.0.0.1:9/v1"}

    with pytest.raises(ModelMisconfigured):
        client_for(workspace)
    settings.ALLOW_PRIVATE_URLS = True
    assert model_config(workspace).base_url == "http://127.0.0.1:9/v1"


def test_an_address_without_a_model_is_misconfigured(workspace: Workspace, settings: Any) -> None:
    settings.LLM_MODEL = ""

    with pytest.raises(ModelMisconfigured):
        client_for(workspace)


def test_a_stand_in_answers_for_everybody_until_it_leaves(workspace: Workspace, model: Any) -> None:
    assert client_for(workspace).backend is model
    with standing_in(LLMClient(object())):  # type: ignore[arg-type]
        assert client_for(workspace).backend is not model
    assert client_for(workspace).backend is model


def test_nothing_waits_for_a_model_inside_a_scope(alice: Person, model: Any) -> None:
    from memoryapp.llm.types import ChatRequest

    with workspace_scope(alice.workspace), pytest.raises(RuntimeError, match="scope"):
        client_for(alice.workspace).complete(ChatRequest(messages=()))
