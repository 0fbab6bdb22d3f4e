"""Reads the object a model was asked for out of whatever it wrote, and refuses it whole rather than guess at half."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.reasoning import OPENING, split_reasoning
from memoryapp.llm.types import ReplySchema

Model = TypeVar("Model", bound=BaseModel)

UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
TWO_HALVES = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")
# An object of which the answer's end left no more than its first name.
BARELY_BEGUN = re.compile(r"\{\s{0,20}[\"'][A-Za-z_]\w{0,60}[\"']?\s{0,3}\Z")
VALUE_BEGINS = re.compile(
    r"(?:\[\s{0,20})?\{(?:\s|//[^\n]{0,200}\n){0,20}([\"']?)[A-Za-z_]\w{0,60}\1\s{0,3}:"
)
QUOTED_NAME = re.compile(r"[\"']([A-Za-z_]\w{0,60})[\"']\s{0,3}:")
BARE_NAME = re.compile(r"[{,]\s{0,20}([A-Za-z_]\w{0,60})\s{0,3}:")
MOST_ATTEMPTS = 200  # places where an object might begin; beyond that the reply is no answer but noise

_decoder = json.JSONDecoder(strict=False)


def parse_object(text: str, expected: Collection[str] = ()) -> dict[str, Any]:
    """The last complete object of a reply, among prose, fences and thinking; `expected` are names it has some of.

    Raises MalformedReply when there is none, when an array stands in its place, or when an object is cut off.
    """
    answer = _without_thinking(text).replace("\0", "")
    if not answer.strip():
        raise MalformedReply("The language model's answer was empty.", raw=text)
    found = [value for value in _values_in(answer, expected) if _is_answer(value, expected)]
    if not found:
        raise MalformedReply("The language model's answer holds no complete JSON object.", raw=text)
    last = found[-1]
    if isinstance(last, list):
        if len(last) != 1 or not _is_answer(last[0], expected):
            raise MalformedReply("The language model answered with an array instead of an object.", raw=text)
        last = last[0]
    return dict(_cleaned(last))


def validate(model_class: type[Model], obj: dict[str, Any]) -> Model:
    """The object as the model class; raises MalformedReply naming every field whose type is wrong."""
    try:
        return model_class.model_validate(_without_nulls(model_class, obj))
    except ValidationError as problem:
        raise MalformedReply(
            "The language model's answer has wrong fields: " + "; ".join(_reasons(problem))
        ) from None


def salvage(model_class: type[Model], obj: dict[str, Any]) -> tuple[Model, tuple[str, ...]]:
    """The object without the optional fields and list entries that are wrong, and the reason for each one left out."""
    remaining = _without_nulls(model_class, obj)
    refused: list[str] = []
    for _ in range(len(remaining) + 1):
        try:
            return model_class.model_validate(remaining), tuple(refused)
        except ValidationError as problem:
            refused += _reasons(problem)
            remaining = _without_wrong(model_class, remaining, problem)
    raise MalformedReply("The language model's answer has wrong fields: " + "; ".join(refused))


@cache
def reply_schema(model_class: type[BaseModel]) -> ReplySchema:
    """The JSON schema of a reply in the form servers accept for guided output."""
    return ReplySchema(model_class.__name__, model_class.model_json_schema(schema_generator=_PlainSchema))


class _PlainSchema(GenerateJsonSchema):
    """Leaves out what servers' grammars do not know and a model has no use for."""

    def generate(self, schema: Any, mode: Any = "validation") -> JsonSchemaValue:
        return dict(_without_titles(super().generate(schema, mode)))


def _without_thinking(text: str) -> str:
    """The text without the thinking before its first brace; a tag after it may stand in a text of the answer."""
    tag, brace = OPENING.search(text), text.find("{")
    return split_reasoning(text).text if tag and (brace < 0 or tag.start() < brace) else text


def _values_in(text: str, expected: Collection[str]) -> Iterator[Any]:
    """Every object or array of the text, outermost ones only."""
    position = 0
    for _ in range(MOST_ATTEMPTS):
        places = [place for bracket in "{[" if (place := text.find(bracket, position)) >= 0]
        if not places:
            return
        value, position = _value_at(text, min(places), expected)
        if value is not None:
            yield value


def _value_at(text: str, begin: int, expected: Collection[str]) -> tuple[Any, int]:
    """The value that begins there, or None for a bracket of prose, and where to look on."""
    try:
        return _decoder.raw_decode(text, begin)
    except (ValueError, RecursionError):
        opening = VALUE_BEGINS.match(text, begin)
    if not opening and not BARELY_BEGUN.match(text, begin):
        return None, begin + 1
    if not opening:
        raise MalformedReply("The language model's answer was cut off.", raw=text)
    end = _closing_bracket(text, begin)
    if end < 0 and not opening[1]:
        return None, begin + 1
    if end < 0:
        # What is complete further on may be a part of it, and a part is not the answer.
        raise MalformedReply("The language model's answer was cut off.", raw=text)
    return _repaired(text[begin:end], expected), end


def _repaired(piece: str, expected: Collection[str]) -> Any:
    """A complete value whose commas, quotes or escapes are wrong, or None if it cannot be made out with certainty."""
    names = set(QUOTED_NAME.findall(piece)) | set(expected).intersection(BARE_NAME.findall(piece))
    if not names or (expected and not names.intersection(expected)):
        return None
    value = json_repair.loads(piece, skip_json_loads=True)
    # A repair that lost a field has guessed wrong about where a text ends.
    kept = names.intersection(expected or names) <= set(_names_in(value))
    return value if kept and isinstance(value, dict | list) else None


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _names_in(item)


def _closing_bracket(text: str, begin: int) -> int:
    """The place after the bracket that closes the one at `begin`, or -1; what stands in double quotes is skipped."""
    depth, quoted, escaped = 0, False, False
    for place in range(begin, len(text)):
        character = text[place]
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
    return -1


def _is_answer(value: Any, expected: Collection[str]) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict) for item in value)
    if not isinstance(value, dict) or not value:
        return False
    return not expected or not set(expected).isdisjoint(value)


def _cleaned(value: Any) -> Any:
    """The value without characters that a database cannot store."""
    if isinstance(value, str):
        return UNSTORABLE.sub("", _with_pairs_joined(value))
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {UNSTORABLE.sub("", key): _cleaned(item) for key, item in value.items()}
    return value


def _with_pairs_joined(text: str) -> str:
    """The text with two halves of a character, as a repair leaves them, made one."""
    return TWO_HALVES.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def _without_nulls(model_class: type[BaseModel], obj: dict[str, Any]) -> dict[str, Any]:
    """The object without the nulls by which models say "nothing" for a field that has a default."""
    required = {name for name, field in model_class.model_fields.items() if field.is_required()}
    return {name: _dense(value) for name, value in obj.items() if value is not None or name in required}


def _dense(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _dense(item) for name, item in value.items() if item is not None}
    return [_dense(item) for item in value] if isinstance(value, list) else value


def _reasons(problem: ValidationError) -> list[str]:
    """Which field is wrong and how; never the value, which may be anything."""
    errors = problem.errors(include_url=False, include_input=False, include_context=False)
    return [f"{'.'.join(map(str, error['loc'])) or 'answer'}: {error['msg']}" for error in errors]


def _without_wrong(
    model_class: type[BaseModel], obj: dict[str, Any], problem: ValidationError
) -> dict[str, Any]:
    """The object without its wrong parts; raises MalformedReply when a required field is one of them."""
    entries: dict[str, set[int]] = {}
    fields: set[str] = set()
    for error in problem.errors():
        name, *rest = error["loc"] or ("answer",)
        field = model_class.model_fields.get(str(name))
        if field is None or field.is_required():
            raise MalformedReply(
                "The language model's answer has wrong fields: " + "; ".join(_reasons(problem))
            )
        if rest and isinstance(rest[0], int) and isinstance(obj.get(str(name)), list):
            entries.setdefault(str(name), set()).add(rest[0])
        else:
            fields.add(str(name))
    kept = {name: value for name, value in obj.items() if name not in fields}
    for name in entries.keys() - fields:
        kept[name] = [item for place, item in enumerate(obj[name]) if place not in entries[name]]
    return kept


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_titles(item)
        for name, item in schema.items()
        if not (name == "title" and isinstance(item, str)) and name != "default"
    }
