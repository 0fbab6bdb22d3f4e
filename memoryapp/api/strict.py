"""Bodies in which an unknown field is an error: a misspelt one must not be taken for one left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

# Whom the request acts for stands beside what it says.
ACTING = frozenset({"endUserId", "channel"})


class StrictBody(serializers.Serializer[Any]):
    """A body in which an unknown field is refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields) - ACTING) if isinstance(data, Mapping) else []
        if unknown:
            raise serializers.ValidationError({name: ["This field means nothing here."] for name in unknown})
        return super().to_internal_value(data)
