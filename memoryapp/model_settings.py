"""Which model a workspace talks to: its own settings over the installation's; the offline backend without any."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from memoryapp.exceptions import ValidationFailed
from memoryapp.llm.client import LLMClient, ModelConfig, build_client
from memoryapp.llm.errors import ModelMisconfigured
from memoryapp.safety.public_addresses import is_public
from tenants.models import Workspace

TRIAL_SECONDS = 15
BASE_URL, MODEL, API_KEY = "llm_base_url", "llm_model", "llm_api_key"
PRIVATE = (
    "This address points into a private network, which the operator of this installation does not allow."
)

_stand_in: LLMClient | None = None


def client_for(workspace: Workspace) -> LLMClient:
    """The client for a workspace's model; raises ModelMisconfigured when its settings cannot work."""
    return _stand_in or build_client(model_config(workspace), before_call=refuse_inside_scope)


def trial_client(workspace: Workspace, *, base_url: str, model: str, api_key: str) -> LLMClient:
    """A client for settings that are not saved yet, which waits a short time and tries once."""
    found = model_config(workspace)
    config = replace(
        found,
        base_url=base_url or settings.LLM_BASE_URL,
        api_key=api_key or ("" if base_url else settings.LLM_API_KEY),
        model=model or found.model,
        timeout_s=min(found.timeout_s, TRIAL_SECONDS),
        max_retries=0,
        public_only=bool(base_url) and not settings.ALLOW_PRIVATE_URLS,
    )
    return _stand_in or build_client(config, before_call=refuse_inside_scope)


def has_model(workspace: Workspace) -> bool:
    """Whether a language model answers for the workspace, rather than the offline rules; nothing is looked up."""
    if _stand_in is not None:
        return not _stand_in.is_offline
    return _configured(workspace).chosen_backend != "offline"


def model_config(workspace: Workspace) -> ModelConfig:
    """Where the workspace's model is; raises ModelMisconfigured for an address that must not be called."""
    own_url = str(workspace.setting(BASE_URL, ""))
    if own_url and is_private(own_url) and not settings.ALLOW_PRIVATE_URLS:
        raise ModelMisconfigured(PRIVATE)
    return _configured(workspace)


def _configured(workspace: Workspace) -> ModelConfig:
    """What is set. The installation's key is never sent to an address that a workspace has set."""
    own_url, own_key = str(workspace.setting(BASE_URL, "")), workspace.unseal(API_KEY)
    return ModelConfig(
        backend=cast('Literal["auto", "openai", "offline", "scripted"]', settings.LLM_BACKEND),
        base_url=own_url or settings.LLM_BASE_URL,
        api_key=own_key or ("" if own_url else settings.LLM_API_KEY),
        model=str(workspace.setting(MODEL, "")) or settings.LLM_MODEL,
        timeout_s=settings.LLM_TIMEOUT_SECONDS,
        max_retries=settings.LLM_MAX_RETRIES,
        # The operator's own address may well be a private one; a workspace's may not, at no time.
        public_only=bool(own_url) and not settings.ALLOW_PRIVATE_URLS,
    )


@contextmanager
def standing_in(client: LLMClient) -> Iterator[None]:
    """Have one client answer every model call of every workspace: for tests, which script what a model says."""
    global _stand_in
    before, _stand_in = _stand_in, client
    try:
        yield
    finally:
        _stand_in = before


def refuse_inside_scope() -> None:
    """Raise when a model would be waited for inside a transaction, which a slow model would keep open for minutes."""
    if getattr(connection, "workspace_scope", ""):
        raise RuntimeError("A model was called inside a workspace scope.")


def checked_model_url(url: str) -> str:
    """The address of a model as an admin may set it; raises ValidationFailed for one that must not be called."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.password:
        raise ValidationFailed.of("llmBaseUrl", "Write an address such as https://models.example.org/v1.")
    if is_private(url) and not settings.ALLOW_PRIVATE_URLS:
        raise ValidationFailed.of("llmBaseUrl", PRIVATE)
    return url


def is_private(url: str) -> bool:
    """Whether any address its host stands for is not public; a host that is unknown is judged when it is called."""
    try:
        found = socket.getaddrinfo(urlsplit(url).hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return not all(is_public(str(address[4][0])) for address in found)
