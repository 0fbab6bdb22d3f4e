"""A second look at the best results by a cross-encoder behind an endpoint, where one is configured.

The request is the one that Cohere, Jina, vLLM and Text Embeddings Inference understand.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from django.conf import settings

logger = logging.getLogger(__name__)

LONGEST_TEXT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Reranker:
    """Asks an endpoint how well texts answer a question; one that fails leaves the order as it is."""

    url: str
    api_key: str
    model: str
    timeout: float
    # How many of the best results are looked at again.
    depth: int

    def scores(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """How well each text answers, in their order; None when the endpoint does not say."""
        shown = [text[:LONGEST_TEXT] for text in texts]
        body = {"model": self.model, "query": question, "documents": shown, "texts": shown}
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        try:
            answer = httpx2.post(self.url, json=body, headers=headers, timeout=self.timeout)
            answer.raise_for_status()
            return _scores(answer.json(), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, TypeError, KeyError) as error:
            logger.warning("Results were not ranked again: %s", error)
            return None


def get_reranker() -> Reranker | None:
    """The reranker of the settings, None without one."""
    if not settings.RERANK_BASE_URL:
        return None
    return Reranker(
        url=f"{settings.RERANK_BASE_URL.rstrip('/')}/rerank",
        api_key=settings.RERANK_API_KEY,
        model=settings.RERANK_MODEL,
        timeout=settings.RERANK_TIMEOUT_SECONDS,
        depth=settings.RERANK_DEPTH,
    )


def _scores(answer: Any, wanted: int) -> list[float]:
    """The scores by place; raises ValueError unless every text has one."""
    listed = answer["results"] if isinstance(answer, dict) else answer
    scores = {
        int(each["index"]): float(each["relevance_score"] if "relevance_score" in each else each["score"])
        for each in listed
    }
    if scores.keys() != set(range(wanted)) or not all(map(math.isfinite, scores.values())):
        raise ValueError(f"{len(scores)} scores came for {wanted} texts.")
    return [scores[place] for place in range(wanted)]
