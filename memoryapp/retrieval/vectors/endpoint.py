"""An embedder behind any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import openai

from memoryapp.retrieval.vectors.protocol import EmbedderUnavailable, TextRefused, Vector, normalised
from memoryapp.retrieval.vectors.texts import clean, shortened

# Common models take 8,191 tokens or fewer; a Chinese character can be one.
MAX_CHARACTERS: Final = 6_000
REFUSALS: Final = (openai.BadRequestError, openai.UnprocessableEntityError)


class EndpointEmbedder:
    """Asks an endpoint; one that refuses a batch is asked for smaller ones from then on."""

    def __init__(
        self, *, base_url: str, api_key: str, model: str, dimensions: int, timeout: float, batch: int
    ) -> None:
        self.name = model
        self.dimensions = dimensions
        self.batch = batch
        # Retrying is ours to do: a batch that fails is tried smaller, and what fails altogether stays in the backlog.
        self._client = openai.OpenAI(
            base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=0
        )

    def embed_query(self, text: str) -> Vector:
        return self._ask([shortened(clean(text), MAX_CHARACTERS)])[0]

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Many questions in few calls: such a model makes no difference between questions and texts."""
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors in the order of the texts; raises TextRefused when one of them is refused even alone."""
        cleaned = [shortened(clean(text), MAX_CHARACTERS) for text in texts]
        vectors: list[Vector] = []
        while len(vectors) < len(cleaned):
            batch = cleaned[len(vectors) : len(vectors) + self.batch]
            try:
                vectors.extend(self._ask(batch))
            except TextRefused:
                if len(batch) == 1:
                    raise
                self.batch = max(len(batch) // 2, 1)
        return vectors

    def _ask(self, texts: Sequence[str]) -> list[Vector]:
        try:
            answer = self._client.embeddings.create(
                model=self.name, input=list(texts), encoding_format="float"
            )
        except REFUSALS as error:
            raise TextRefused(f"The embeddings endpoint refused a text: {error}") from error
        except openai.OpenAIError as error:
            raise EmbedderUnavailable(f"The embeddings endpoint does not answer: {error}") from error
        vectors = [normalised(item.embedding) for item in sorted(answer.data, key=lambda item: item.index)]
        self._check(vectors, len(texts))
        return vectors

    def _check(self, vectors: Sequence[Vector], wanted: int) -> None:
        if len(vectors) != wanted:
            raise EmbedderUnavailable(
                f"The embeddings endpoint sent {len(vectors)} vectors for {wanted} texts."
            )
        found = {len(vector) for vector in vectors}
        if found != {self.dimensions}:
            raise EmbedderUnavailable(
                f"The model {self.name} makes vectors of {', '.join(map(str, sorted(found)))} numbers, but "
                f"MEMORYAPP_EMBEDDING_DIMENSIONS is {self.dimensions}: set it right and run `manage.py reembed`.",
                code="embedder_dimensions",
            )
