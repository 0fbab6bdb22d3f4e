"""Input fields that take no guess: a string is a string, a flag is true or false, and nothing is silently trimmed."""

from __future__ import annotations

import unicodedata
from typing import Any

from rest_framework import serializers

BLANK = "This must not be blank."
LAYOUT = frozenset("\n\r\t")


def has_control_characters(text: str) -> bool:
    """Whether there is anything but printable text, tabs and line ends."""
    return any(
        unicodedata.category(character) in {"Cc", "Cs"} and character not in LAYOUT for character in text
    )


class RawText(serializers.CharField):
    """A string as it was sent: never made from a number, never trimmed."""

    default_error_messages = {"invalid": "This must be a string."}

    def __init__(self, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Text(RawText):
    """A string for people to read: not blank unless that is allowed, without control characters."""

    default_error_messages = {"control": "This must not contain control characters."}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str) and not data.strip() and not self.allow_blank:
            raise serializers.ValidationError(BLANK, code="blank")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and has_control_characters(data):
            self.fail("control")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """A JSON boolean; words and numbers that look like one are refused."""

    default_error_messages = {"invalid": "This must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Whole(serializers.IntegerField):
    """A JSON whole number."""

    default_error_messages = {"invalid": "This must be a whole number."}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Decimal(serializers.FloatField):
    """A JSON number."""

    default_error_messages = {"invalid": "This must be a number."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class JSONObject(serializers.JSONField):
    """A JSON object."""

    default_error_messages = {"invalid": "This must be a JSON object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        return data


class Count(serializers.IntegerField):
    """A whole number from 0; texts and fractions that look like one are refused."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, **options})

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)
