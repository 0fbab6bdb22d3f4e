"""mem0's project, which here is the workspace: who one is, and what is asked of every reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib.auth.models import User
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.rules import read_categories, read_text
from memoryapp.exceptions import NotFound, ValidationFailed
from tenants.actions import update_workspace
from tenants.models import Workspace
from tenants.principals import Principal

SETTING: Final = "mem0"
TEXTS: Final = ("custom_instructions", "agent_custom_instructions")
FLAGS: Final = ("multilingual", "decay", "async_mode")
MOST_DAYS: Final = 36_500
ONE_WORKSPACE: Final = (
    "A token is for one workspace and can neither make nor delete any, so that a lost one cannot either. "
    "Do this in the dashboard."
)


@dataclass(frozen=True, slots=True)
class Project:
    """What a workspace has set for calls that come in mem0's shape."""

    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def rules(self) -> dict[str, Any]:
        """What every reading is asked, under the names in which a reading knows it."""
        instructions = str(self.kept.get("custom_instructions", ""))
        if self.kept.get("agent_custom_instructions"):
            of_agents = self.kept["agent_custom_instructions"]
            instructions = f"{instructions}\nOf what the assistant itself says: {of_agents}".strip()
        rules = {"instructions": instructions, "categories": self.kept.get("custom_categories", [])}
        return {name: value for name, value in rules.items() if value}

    @property
    def retention(self) -> dict[str, int]:
        """How many days memories of a category are kept, where that differs from the product's own table."""
        return dict(self.kept.get("retention", {}))

    @property
    def waits(self) -> bool:
        """Whether adding waits for the reading, where the caller does not say."""
        return self.kept.get("async_mode") is False


def project_of(principal: Principal) -> Project:
    kept = principal.workspace.setting(SETTING, {})
    return Project(kept if isinstance(kept, dict) else {})


def require_project(principal: Principal, *ids: str) -> None:
    """Raise NotFound unless the ids are those of the principal's own workspace."""
    if any(each != str(principal.workspace.pk) for each in ids):
        raise NotFound


class PingView(Mem0View):
    def get(self, request: Request) -> Response:
        """Who the token is; every client asks this first."""
        workspace = self.principal.workspace
        email = User.objects.filter(pk=self.principal.user_id or 0).values_list("email", flat=True).first()
        return Response(
            {
                "status": "ok",
                "message": "pong",
                "org_id": str(workspace.pk),
                "project_id": str(workspace.pk),
                "user_email": email or "",
            }
        )


class ProjectView(Mem0View):
    def get(self, request: Request, org_id: str, project_id: str) -> Response:
        """The project's settings, or those of them that are asked for."""
        require_project(self.principal, org_id, project_id)
        body = _described(self.principal.workspace)
        wanted = self.query.get("fields")
        return Response({name: body[name] for name in body if not wanted or name in wanted})

    def patch(self, request: Request, org_id: str, project_id: str) -> Response:
        """Change what is asked of every reading and how long memories are kept."""
        require_project(self.principal, org_id, project_id)
        kept = {**project_of(self.principal).kept, **_read_changes(self.body)}
        workspace = update_workspace(principal=self.principal, settings={SETTING: kept})
        return Response({"message": "Updated the project.", **_described(workspace)})

    def delete(self, request: Request, org_id: str, project_id: str) -> Response:
        """Refuse to delete the project, and say where that is done."""
        require_project(self.principal, org_id, project_id)
        raise ValidationFailed(ONE_WORKSPACE, code="one_workspace")


def _described(workspace: Workspace) -> dict[str, Any]:
    kept = workspace.setting(SETTING, {})
    return {
        "id": str(workspace.pk),
        "project_id": str(workspace.pk),
        "org_id": str(workspace.pk),
        "name": workspace.name,
        "description": "",
        "custom_instructions": kept.get("custom_instructions", ""),
        "agent_custom_instructions": kept.get("agent_custom_instructions", ""),
        "custom_categories": [
            {each["name"]: each["description"]} for each in kept.get("custom_categories", [])
        ],
        "retention": kept.get("retention", {}),
        "multilingual": kept.get("multilingual", True),
        "decay": kept.get("decay", True),
        "async_mode": kept.get("async_mode", True),
        "is_default": True,
    }


def _read_changes(body: Mapping[str, Any]) -> dict[str, Any]:
    """The known settings of a body, checked; others are the platform's own and mean nothing here."""
    changes: dict[str, Any] = {}
    for name in TEXTS:
        if name in body:
            changes[name] = "" if body[name] is None else read_text(body, name)
    for name in FLAGS:
        if body.get(name) is not None:
            if not isinstance(body[name], bool):
                raise ValidationFailed.of(name, f"{name} is true or false.")
            changes[name] = body[name]
    if "custom_categories" in body:
        changes["custom_categories"] = read_categories(body["custom_categories"] or [], by_name=True)
    if "retention" in body:
        changes["retention"] = _read_retention(body["retention"])
    return changes


def _read_retention(given: object) -> dict[str, int]:
    """Days by category; a category without days has the product's own retention again."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise _refused()
    return {name.strip().lower(): _days(name, days) for name, days in given.items() if days}


def _days(name: str, days: object) -> int:
    if not isinstance(days, int) or isinstance(days, bool):
        raise _refused()
    if not 1 <= days <= MOST_DAYS or not 0 < len(name.strip()) <= 64:
        raise _refused()
    return days


def _refused() -> ValidationFailed:
    return ValidationFailed.of(
        "retention", f"retention is an object: a category and its days, from 1 to {MOST_DAYS}."
    )
