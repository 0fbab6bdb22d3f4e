"""Vectors that are not computed twice: the latest questions in memory, and all texts on disk where asked for."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from memoryapp.retrieval.vectors.protocol import Embedder, Vector

REMEMBERED_QUERIES: Final = 2_048


class _Cache:
    """What stands in front of an embedder and goes by its name."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions


class QueryCache(_Cache):
    """An embedder that remembers the vectors of the latest questions; other calls go through."""

    def __init__(self, inner: Embedder, size: int = REMEMBERED_QUERIES) -> None:
        super().__init__(inner)
        self._size = size
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def embed_query(self, text: str) -> Vector:
        known = self.known_query(text)
        if known is not None:
            return known
        vector = self.inner.embed_query(text)
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return self.inner.embed_queries(texts)

    def known_query(self, text: str) -> Vector | None:
        """The vector of a question asked lately, which costs nothing; None when it must be computed."""
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return self.inner.embed_passages(texts)


class DiskCache(_Cache):
    """An embedder that keeps every vector in one SQLite file by the hash of its text; for measuring again and again."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        super().__init__(inner)
        self._connection = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
        )

    def embed_query(self, text: str) -> Vector:
        known = self._load(text, "query")
        return known if known is not None else self._store(text, "query", self.inner.embed_query(text))

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        known = {text: vector for text in texts if (vector := self._load(text, "passage")) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for text, vector in zip(missing, self.inner.embed_passages(missing), strict=True):
            known[text] = self._store(text, "passage", vector)
        return [known[text] for text in texts]

    def _key(self, text: str, kind: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{kind}\0{text}".encode("utf-8", "replace")).digest()

    def _load(self, text: str, kind: str) -> Vector | None:
        with self._lock:
            row = self._connection.execute(
                "SELECT vector FROM vectors WHERE key = ?", [self._key(text, kind)]
            ).fetchone()
        return None if row is None else np.frombuffer(row[0], dtype=np.float32)

    def _store(self, text: str, kind: str, vector: Vector) -> Vector:
        with self._lock:
            self._connection.execute(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)", [self._key(text, kind), vector.tobytes()]
            )
        return vector
