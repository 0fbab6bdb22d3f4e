"""Reads request bodies: JSON of bounded size and depth, with no text in it that the database could not hold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from memoryapp.exceptions import TooLarge, ValidationFailed

MAX_BODY_BYTES = 1024 * 1024
MAX_DEPTH = 32
# A NUL cannot be stored; half of a surrogate pair is no character.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class BoundedJSONParser(BaseParser):
    """JSON objects up to 1 MB; everything else is refused with a reason, before anything looks at it."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        body = stream.read(MAX_BODY_BYTES + 1)
        if len(body) > MAX_BODY_BYTES:
            raise TooLarge("The request body is larger than 1 MB.")
        value = parse_json(body)
        if not isinstance(value, dict):
            raise ParseError("The request body must be a JSON object.")
        return value


def parse_json(body: bytes | str) -> Any:
    """The JSON value; raises ParseError for text that is none, ValidationFailed naming what cannot be stored."""
    try:
        text = body if isinstance(body, str) else body.decode("utf-8-sig")
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise ParseError("The request body is not UTF-8.") from error
    except RecursionError as error:
        raise ParseError("The JSON is nested too deeply.") from error
    except ValueError as error:
        raise ParseError("The request body is not valid JSON.") from error
    for path, leaf in _walk(value):
        if isinstance(leaf, str) and UNSTORABLE.search(leaf):
            raise ValidationFailed.of(path, "This text has NUL characters or lone surrogates.")
    return value


def _walk(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every key and leaf with the dotted path to it."""
    if depth > MAX_DEPTH:
        raise ParseError("The JSON is nested too deeply.")
    children: Iterator[tuple[Any, Any]] | enumerate[Any] | None = None
    if isinstance(value, dict):
        yield from ((path, key) for key in value)
        children = iter(value.items())
    elif isinstance(value, list):
        children = enumerate(value)
    if children is None:
        yield path, value
        return
    for key, child in children:
        yield from _walk(child, f"{path}.{key}" if path else str(key), depth + 1)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
