"""A Mem0 server beside our own memory: asked for what it knows of the person, and told every finished turn.

Its ids are ours: `user_id` is the owner's key and `agent_id` the agent's id, so nobody's memory meets anybody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from django.conf import settings

from memoryapp.exceptions import ValidationFailed
from memoryapp.llm.language.wording import says_nothing_new
from memoryapp.model_settings import checked_model_url
from memoryapp.providers.base import Exchanged, Forgotten, Kind, Provider, Snippet, TurnQuery
from memoryapp.safety.public_addresses import transport_for
from tenants.models import Workspace

SETTING, API_KEY = "mem0", "mem0_api_key"
MOST_RESULTS, LONGEST_TIMEOUT_MS = 50, 60_000
# A forgotten statement is looked for among so many memories of its person.
LOOKED_THROUGH = 50


@dataclass(frozen=True, slots=True)
class Mem0Settings:
    """Where a workspace's Mem0 server is and what it is used for."""

    base_url: str = ""
    api_key: str = ""
    search_enabled: bool = True
    sync_enabled: bool = True
    max_results: int = 5
    timeout_ms: int = 3000


def mem0_settings(workspace: Workspace) -> Mem0Settings:
    """The workspace's own settings over the installation's, whose key never goes to an address a workspace has set."""
    own = workspace.setting(SETTING, {})
    url = str(own.get("base_url", ""))
    key = workspace.unseal(API_KEY)
    return Mem0Settings(
        base_url=(url or settings.MEM0_BASE_URL).rstrip("/"),
        api_key=key or ("" if url else settings.MEM0_API_KEY),
        search_enabled=bool(own.get("search_enabled", True)),
        sync_enabled=bool(own.get("sync_enabled", True)),
        max_results=int(own.get("max_results", 5)),
        timeout_ms=int(own.get("timeout_ms", 3000)),
    )


def checked_mem0_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Settings as a workspace may keep them; raises ValidationFailed. May ask a name server."""
    if given.get("base_url"):
        try:
            checked_model_url(given["base_url"])
        except ValidationFailed as error:
            raise ValidationFailed.of("baseUrl", error.detail) from error
    limits = {"max_results": ("maxResults", MOST_RESULTS), "timeout_ms": ("timeoutMs", LONGEST_TIMEOUT_MS)}
    for name, (shown, most) in limits.items():
        if name in given and not 1 <= given[name] <= most:
            raise ValidationFailed.of(shown, f"A whole number from 1 to {most}.")
    return given


class Mem0Provider(Provider):
    name = "mem0"

    def is_set_up(self, workspace: Workspace) -> bool:
        known = mem0_settings(workspace)
        return bool(known.base_url) and (known.search_enabled or known.sync_enabled)

    def prefetch(self, turn: TurnQuery) -> list[Snippet]:
        known = mem0_settings(turn.principal.workspace)
        if not known.search_enabled or turn.principal.is_system or not turn.plan.query:
            return []
        found = self._search(
            known, turn.plan.query, turn.principal.owner_key, str(turn.agent.pk), known.max_results
        )
        return [Snippet(Kind.RECALLED, text, "mem0") for _, text in found]

    def sync_turn(self, turn: Exchanged) -> None:
        known = mem0_settings(turn.principal.workspace)
        said = [{"role": "user", "content": turn.said}, {"role": "assistant", "content": turn.reply}]
        messages = [message for message in said if message["content"].strip()]
        if not known.sync_enabled or turn.principal.is_system or not messages:
            return
        body = {
            "user_id": turn.principal.owner_key,
            "agent_id": str(turn.agent.pk),
            "messages": messages,
            "metadata": {"conversation_id": turn.conversation_id},
        }
        with self._client(known) as client:
            client.post("/memories/", json=body).raise_for_status()

    def on_forget(self, forgotten: Forgotten) -> None:
        """Delete there what says the same; of somebody who is erased, everything."""
        known, agent_id = mem0_settings(forgotten.workspace), str(forgotten.agent_id or "")
        with self._client(known) as client:
            if forgotten.everything:
                whose = {"user_id": forgotten.owner_key}
                client.delete("/memories/", params=whose).raise_for_status()
                return
            doomed = {
                key
                for text in forgotten.texts
                for key, told in self._search(known, text, forgotten.owner_key, agent_id, LOOKED_THROUGH)
                if key and (says_nothing_new(told, text) or says_nothing_new(text, told))
            }
            for key in sorted(doomed):
                client.delete(f"/memories/{key}/").raise_for_status()

    def _search(
        self, known: Mem0Settings, query: str, owner_key: str, agent_id: str, limit: int
    ) -> list[tuple[str, str]]:
        body = {"query": query, "user_id": owner_key, "agent_id": agent_id, "limit": limit}
        with self._client(known) as client:
            answer = client.post("/memories/search/", json=body).raise_for_status().json()
        rows = answer.get("results", []) if isinstance(answer, dict) else answer
        return list(_told(rows))[:limit]

    @contextmanager
    def _client(self, known: Mem0Settings) -> Iterator[httpx2.Client]:
        public_only = not settings.ALLOW_PRIVATE_URLS and known.base_url != _own_url()
        headers = {"Authorization": f"Bearer {known.api_key}"} if known.api_key else {}
        with httpx2.Client(
            base_url=known.base_url,
            headers=headers,
            timeout=known.timeout_ms / 1000,
            follow_redirects=False,
            transport=transport_for(public_only=public_only),
        ) as client:
            yield client


def _own_url() -> str:
    """The operator's own address, which may well be a private one."""
    return str(settings.MEM0_BASE_URL).rstrip("/")


def _told(rows: object) -> Iterable[tuple[str, str]]:
    """The id and text of each memory that has one, whatever else a server answers."""
    for row in rows if isinstance(rows, list) else []:
        text = row.get("memory") if isinstance(row, dict) else None
        if isinstance(text, str) and text.strip():
            yield str(row.get("id") or ""), text
