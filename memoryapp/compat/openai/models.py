"""`/v1/models` and `/v1/embeddings`: the agents one may talk to, and the vectors that memory is found by."""

from __future__ import annotations

import base64
from typing import Any, Final

import numpy as np
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.chat.budget import estimate_tokens
from memoryapp.compat.openai.base import OpenAIView
from memoryapp.exceptions import ModelUnavailable, ValidationFailed
from memoryapp.models import Agent
from memoryapp.retrieval.vectors import EmbedderUnavailable, get_embedder
from tenants.models import Workspace
from tenants.scoping import workspace_scope

MOST_TEXTS: Final = 256
LONGEST_TEXT: Final = 16_000


class ModelsView(OpenAIView):
    def get(self, request: Request) -> Response:
        """The agents, each as a model by its slug."""
        with workspace_scope(self.principal.workspace):
            agents = Agent.objects.visible_to(self.principal).order_by("created_at")
            if self.principal.agent_id is not None:
                agents = agents.filter(pk=self.principal.agent_id)
            data = [_described(each, self.principal.workspace) for each in agents]
        return Response({"object": "list", "data": data})


class ModelView(OpenAIView):
    def get(self, request: Request, model: str) -> Response:
        return Response(_described(load_agent(self.principal, model), self.principal.workspace))


def _described(agent: Agent, workspace: Workspace) -> dict[str, Any]:
    created = int(agent.created_at.timestamp())
    return {"id": agent.slug, "object": "model", "created": created, "owned_by": workspace.slug}


class EmbeddingsView(OpenAIView):
    def post(self, request: Request) -> Response:
        """The vectors of texts, as they are stored with memories."""
        texts = _texts(self.body.get("input"))
        embedder = get_embedder()
        wanted = self.body.get("dimensions")
        if wanted is not None and wanted != embedder.dimensions:
            raise ValidationFailed.of("dimensions", f"Vectors have {embedder.dimensions} dimensions here.")
        as_bytes = self.body.get("encoding_format") == "base64"
        try:
            vectors = embedder.embed_passages(texts)
        except EmbedderUnavailable as error:
            raise ModelUnavailable(str(error)) from error
        data = [
            {"object": "embedding", "index": place, "embedding": _written(vector, as_bytes=as_bytes)}
            for place, vector in enumerate(vectors)
        ]
        tokens = sum(map(estimate_tokens, texts))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return Response({"object": "list", "data": data, "model": embedder.name, "usage": usage})


def _texts(given: object) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not 0 < len(texts) <= MOST_TEXTS:
        raise ValidationFailed.of("input", f"input is a text, or a list of 1 to {MOST_TEXTS} texts.")
    if not all(isinstance(text, str) and 0 < len(text.strip()) <= LONGEST_TEXT for text in texts):
        raise ValidationFailed.of(
            "input", f"A text has 1 to {LONGEST_TEXT} characters; tokens are not taken."
        )
    return texts


def _written(vector: Any, *, as_bytes: bool) -> Any:
    numbers = np.asarray(vector, dtype="<f4")
    return base64.b64encode(numbers.tobytes()).decode() if as_bytes else numbers.tolist()
