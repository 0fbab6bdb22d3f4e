"""What every operation has in common, said once: whom it acts for, and how it refuses."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc
from drf_spectacular.utils import OpenApiParameter

from tenants.permissions import ROUTES

END_USER = OpenApiParameter(
    "endUserId",
    str,
    description="The end user a token acts for, by the caller's own id; without it, the token's own user.",
)
CHANNEL = OpenApiParameter(
    "channel", str, description="The channel the end user comes from; `api` by default."
)


ERROR = {
    "type": "object",
    "description": "What went wrong: a sentence for people, a stable word for programs, messages per field.",
    "properties": {
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "errors": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
    },
    "required": ["detail", "code", "errors"],
}
SNAKE = re.compile(r"_([a-z])")
PLACEHOLDER = re.compile(r"\{[a-z_]+\}")


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tenants.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "tenants.authentication.WorkspaceSessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


class WorkspaceSchema(AutoSchema):
    """Adds the acting owner, the refusals and who may call it to every operation."""

    def get_override_parameters(self) -> list[Any]:
        return [END_USER, CHANNEL] if getattr(self.view, "acts_for_others", False) else []

    def get_auth(self) -> list[dict[str, Any]]:
        auth: list[dict[str, Any]] = [] if self._is_public() else super().get_auth()
        return auth

    def get_description(self) -> str:  # type: ignore[override] # as drf-spectacular declares it
        """What the handler says it does, and who may call it; the class behind it is nobody's business."""
        text: str = get_doc(getattr(self.view, self.method.lower()))
        rule = ROUTES.get(getattr(self.view, "route_name", ""), {}).get(self.method)
        if rule is None:
            return text
        needs = f"Role: {rule.role.label}." + (f" Scope: `{rule.scope}`." if rule.scope else "")
        return f"{text}\n\n{needs}".strip()

    def _is_public(self) -> bool:
        return not hasattr(self.view, "acts_for_others")


def finish_schema(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """The last touches to the generated document: how every operation refuses, and placeholders spelt as elsewhere."""
    result["components"]["schemas"]["Error"] = ERROR
    refusal = {
        "description": "Refused.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"] = {**operation["responses"], "4XX": refusal}
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["name"] = _camel(parameter["name"])
    result["paths"] = {
        PLACEHOLDER.sub(lambda match: _camel(match[0]), path): item for path, item in result["paths"].items()
    }
    return result


def _camel(name: str) -> str:
    return SNAKE.sub(lambda match: match[1].upper(), name)
