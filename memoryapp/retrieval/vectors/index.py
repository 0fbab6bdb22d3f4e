"""The index over the vectors of one model: each model has dimensions, and so an index, of its own."""

from __future__ import annotations

import hashlib
from typing import Final

import regex

PREFIX: Final = "memoryapp_vectors_"
PLAIN_NAME: Final = regex.compile(r"[a-z0-9_]{1,40}")


def index_name(model: str) -> str:
    """The index of a model; a hash stands for a name that an identifier cannot take."""
    plain = PLAIN_NAME.fullmatch(model) is not None
    return PREFIX + (model if plain else hashlib.sha256(model.encode()).hexdigest()[:24])


def index_statement(model: str, dimensions: int, *, concurrently: bool = False) -> str:
    """The statement that makes it. Names and numbers here are ours or quoted; the model's own name is a literal."""
    how = "CONCURRENTLY " if concurrently else ""
    literal = "'" + model.replace("'", "''") + "'"
    return (
        f"CREATE INDEX {how}IF NOT EXISTS {index_name(model)} ON memoryapp_embedding"
        f" USING hnsw ((vector::halfvec({int(dimensions)})) halfvec_ip_ops) WHERE model = {literal}"
    )
