"""Judging memories, and taking them away together: feedback, exports, summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.fact_lifecycle import give_feedback
from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.finding import load_memory
from memoryapp.compat.mem0.items import as_item
from memoryapp.compat.mem0.listing import read_listing, rows_of
from memoryapp.compat.mem0.literals import read_object
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Fact, FactFeedback
from tenants.principals import Principal
from tenants.scoping import workspace_scope

HELPFUL, UNHELPFUL = FactFeedback.Kind.HELPFUL, FactFeedback.Kind.UNHELPFUL
FEEDBACK: Final = {"POSITIVE": HELPFUL, "NEGATIVE": UNHELPFUL, "VERY_NEGATIVE": UNHELPFUL}
MOST_EXPORTED: Final = 10_000
MOST_SUMMARISED: Final = 500
SALT: Final = "mem0-export"


class FeedbackView(Mem0View):
    def post(self, request: Request) -> Response:
        """Say that a memory helped or did not; null takes it back."""
        given = self.body.get("feedback")
        if given is not None and (not isinstance(given, str) or given.upper() not in FEEDBACK):
            raise ValidationFailed.of("feedback", f"feedback is one of {', '.join(FEEDBACK)}, or null.")
        fact = load_memory(self.principal, self.body.get("memory_id"))
        kind = FEEDBACK[given.upper()].value if given else None
        give_feedback(principal=self.acting_for(fact), fact=fact, kind=kind)
        return Response(
            {
                "id": str(fact.pk),
                "feedback": given.upper() if given else None,
                "feedback_reason": self.body.get("feedback_reason"),
            }
        )


class ExportsView(Mem0View):
    def post(self, request: Request) -> Response:
        """Note what is to be exported. The id says it all itself: nothing is kept, and what is read later is fresh."""
        wanted = {
            "filters": self.body.get("filters"),
            "schema": _schema(self.body.get("schema")),
            "workspace": str(self.principal.workspace.pk),
        }
        read_listing(wanted, {})
        export_id = signing.dumps(wanted, salt=SALT, compress=True)
        message = "Memory export request received. The export is ready."
        return Response({"id": export_id, "message": message}, status=201)


class ExportView(Mem0View):
    def post(self, request: Request) -> Response:
        """The memories of an export, by its id or by filters, in the shape of its schema."""
        wanted = self._wanted()
        memories = memories_of(self.principal, wanted, MOST_EXPORTED)
        return Response(
            {**shaped(memories, wanted.get("schema")), "results": [as_item(each) for each in memories]}
        )

    def _wanted(self) -> Mapping[str, Any]:
        given = self.body.get("memory_export_id")
        if given is None:
            return self.body
        try:
            wanted: dict[str, Any] = signing.loads(str(given), salt=SALT)
        except signing.BadSignature as error:
            raise NotFound from error
        if wanted["workspace"] != str(self.principal.workspace.pk):
            raise NotFound
        return wanted


class SummaryView(Mem0View):
    def post(self, request: Request) -> Response:
        """What is known, by category, as one text and as the list it was made of."""
        memories = memories_of(self.principal, self.body, MOST_SUMMARISED)
        parts = [
            f"{category.capitalize()}\n" + "\n".join(f"- {text}" for text in texts)
            for category, texts in by_category(memories).items()
        ]
        return Response({"summary": "\n\n".join(parts), "results": [as_item(fact) for fact in memories]})


def by_category(memories: Iterable[Fact]) -> dict[str, list[str]]:
    """What memories say, by their category."""
    found: dict[str, list[str]] = {}
    for fact in memories:
        found.setdefault(fact.category or "other", []).append(fact.text)
    return dict(sorted(found.items()))


def memories_of(principal: Principal, wanted: Mapping[str, Any], most: int) -> list[Fact]:
    """The memories that a body's filters let through, the newest first."""
    listing = read_listing(wanted, {})
    acting = principal.acting_as(listing.labels.user_id or None)
    with workspace_scope(principal.workspace):
        return list(rows_of(acting, listing)[:most])


def _schema(given: object) -> Mapping[str, Any]:
    """The JSON schema of an export, given as an object or as text."""
    return {} if given in (None, "") else read_object("schema", given)


def shaped(memories: list[Fact], schema: object) -> dict[str, Any]:
    """The memories under the names of a schema: those whose category or key of metadata has that name."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return {}
    return {str(name): _values(memories, str(name), wanted) for name, wanted in properties.items()}


def _values(memories: list[Fact], name: str, wanted: object) -> Any:
    found = [
        fact.metadata[name] if name in (fact.metadata or {}) else fact.text
        for fact in memories
        if name in (fact.metadata or {}) or name in {fact.category, *fact.labels}
    ]
    is_list = isinstance(wanted, Mapping) and wanted.get("type") == "array"
    return found if is_list else (found[0] if found else None)
