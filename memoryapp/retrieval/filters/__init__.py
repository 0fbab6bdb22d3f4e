"""The filter language: JSON in, a checked tree, a condition out; list, search and delete use the same."""

from __future__ import annotations

from memoryapp.retrieval.filters.compiling import compile_filter
from memoryapp.retrieval.filters.parsing import parse_filter
from memoryapp.retrieval.filters.tree import (
    EVERYTHING,
    And,
    Comparison,
    Node,
    Not,
    Or,
    mentions,
    names_entity,
)

__all__ = [
    "EVERYTHING",
    "And",
    "Comparison",
    "Node",
    "Not",
    "Or",
    "compile_filter",
    "mentions",
    "names_entity",
    "parse_filter",
]
