"""What an embedder promises, and how it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from memoryapp.exceptions import MemoryAppError

Vector: TypeAlias = npt.NDArray[np.float32]


class EmbedderUnavailable(MemoryAppError):
    """503: no vectors for now; searching by words goes on."""

    status = 503
    code = "embedder_unavailable"


class TextRefused(EmbedderUnavailable):
    """The embedder works, but will not take this text (or this many at once)."""

    code = "embedder_refused"


class Embedder(Protocol):
    """Turns texts into vectors of length 1 and a fixed dimension; raises EmbedderUnavailable when it cannot."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]: ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]: ...


def normalised(numbers: Sequence[float] | Vector) -> Vector:
    """The vector stretched to length 1, so that an inner product is a cosine."""
    vector = np.asarray(numbers, dtype=np.float32)
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else vector
