"""Vectors: one protocol for whatever turns text into numbers, and the installation's choice of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from memoryapp.retrieval.vectors.caches import DiskCache, QueryCache
from memoryapp.retrieval.vectors.endpoint import EndpointEmbedder
from memoryapp.retrieval.vectors.packaged import PackagedEmbedder
from memoryapp.retrieval.vectors.protocol import (
    Embedder,
    EmbedderUnavailable,
    TextRefused,
    Vector,
    normalised,
)

__all__ = [
    "Embedder",
    "EmbedderUnavailable",
    "TextRefused",
    "Vector",
    "get_embedder",
    "make_embedder",
    "normalised",
]


@cache
def get_embedder() -> QueryCache:
    """The installation's embedder, which remembers the latest questions."""
    return QueryCache(make_embedder())


def make_embedder() -> Embedder:
    """The embedder of the settings: an endpoint when one is named, else the packaged one; cached on disk if asked."""
    embedder: Embedder = PackagedEmbedder()
    if settings.EMBEDDING_BASE_URL:
        embedder = EndpointEmbedder(
            base_url=settings.EMBEDDING_BASE_URL,
            api_key=settings.EMBEDDING_API_KEY,
            model=settings.EMBEDDING_MODEL,
            dimensions=settings.EMBEDDING_DIMENSIONS,
            timeout=settings.EMBEDDING_TIMEOUT_SECONDS,
            batch=settings.EMBEDDING_BATCH,
        )
    return DiskCache(embedder, Path(settings.EMBEDDING_CACHE)) if settings.EMBEDDING_CACHE else embedder
