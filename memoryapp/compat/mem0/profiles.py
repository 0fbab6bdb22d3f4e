"""mem0's profiles: what is known of a user at a glance. Nothing is generated, so a profile is as fresh as its memories.

Clients start a job and poll it. Here a job has nothing to do: its id says whom it was about, and it is done at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.entities import Entity, entities_of
from memoryapp.compat.mem0.project import SETTING, project_of
from memoryapp.compat.mem0.reports import by_category, memories_of, shaped
from memoryapp.compat.mem0.rules import MAX_TEXT, read_text
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import WorkspaceFile
from tenants.actions import update_workspace
from tenants.owners import end_user_owner_key
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

PROFILES: Final = "profiles"
MOST_MEMORIES: Final = 1_000
MOST_SAMPLED: Final = 10
SALT: Final = "mem0-profile-job"
STATUS_PATH: Final = "/v2/profiles/jobs/{}/"


def settings_of(principal: Principal) -> dict[str, Any]:
    """What the project has set for profiles, in the shape in which clients read and write it."""
    kept = project_of(principal).kept.get(PROFILES, {})
    return {
        "enabled": kept.get("enabled", True),
        "capabilities": {"user": True, "agent": False},
        "entities": {"user": {name: kept.get(name) for name in ("schema", "custom_instructions")}},
    }


def profile_of(principal: Principal, name: str) -> dict[str, Any]:
    """A user's profile: their memories by the schema's properties, or by category; NotFound for nobody one knows."""
    entity = _user(principal, name)
    settings = settings_of(principal)
    about = {"entity_type": "user", "entity_id": name, "updated_at": entity.last.isoformat()}
    if not settings["enabled"]:
        return {**about, "profile": {}, "status": "not_enabled", "generation_count": 0}
    memories = memories_of(principal, {"filters": {"user_id": name}}, MOST_MEMORIES)
    schema = settings["entities"]["user"]["schema"]
    profile = shaped(memories, schema) if schema else {**_written(principal, name), **by_category(memories)}
    status = "succeeded" if memories else "insufficient_data"
    return {**about, "profile": profile, "status": status, "generation_count": int(bool(memories))}


def _user(principal: Principal, name: str) -> Entity:
    found = next((each for each in _users(principal) if each.name == name), None)
    if found is None:
        raise NotFound
    return found


def _users(principal: Principal) -> list[Entity]:
    return [each for each in entities_of(principal) if each.kind == "user"]


def _written(principal: Principal, name: str) -> dict[str, str]:
    """What agents have written down about the person themselves."""
    acting = principal.acting_as(name)
    with workspace_scope(principal.workspace):
        files = WorkspaceFile.objects.visible_to(acting).filter(
            path="PROFILE.md", scope=Scope.PERSONAL, owner_key=end_user_owner_key(name)
        )
        text = "\n\n".join(files.order_by("created_at").values_list("content", flat=True)).strip()
    return {"summary": text} if text else {}


class ProfileView(Mem0View):
    def get(self, request: Request, name: str) -> Response:
        """What is known of a user at a glance."""
        return Response(profile_of(self.principal, name))


class ProfileSettingsView(Mem0View):
    def get(self, request: Request) -> Response:
        """Whether there are profiles, and of which shape."""
        return Response(settings_of(self.principal))

    def post(self, request: Request) -> Response:
        """Change that; what is not given stays, null clears."""
        kept = project_of(self.principal).kept
        profiles = {**kept.get(PROFILES, {}), **_read_changes(self.body)}
        settings = {SETTING: {**kept, PROFILES: profiles}}
        update_workspace(principal=self.principal, settings=settings)
        self.principal.workspace.settings.update(settings)
        return Response(settings_of(self.principal))


def _read_changes(body: Mapping[str, Any]) -> dict[str, Any]:
    entities = {} if body.get("entities") is None else body["entities"]
    of_users = entities.get("user") or {} if isinstance(entities, Mapping) else None
    if not isinstance(of_users, Mapping) or set(body) - {"enabled", "entities", "org_id", "project_id"}:
        raise ValidationFailed(
            "Unsupported settings: give enabled, and schema and instructions of entities.user."
        )
    changes: dict[str, Any] = {}
    if body.get("enabled") is not None:
        if not isinstance(body["enabled"], bool):
            raise ValidationFailed.of("enabled", "enabled is true or false.")
        changes["enabled"] = body["enabled"]
    if "schema" in of_users:
        changes["schema"] = _schema(of_users["schema"])
    if "custom_instructions" in of_users:
        given = of_users["custom_instructions"]
        changes["custom_instructions"] = None if given is None else read_text(of_users, "custom_instructions")
    return changes


def _schema(given: object) -> Mapping[str, Any] | None:
    if given is None:
        return None
    schema = given if isinstance(given, Mapping) else {}
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties or len(str(schema)) > MAX_TEXT:
        raise ValidationFailed.of("schema", "schema is a JSON schema with properties.")
    if not all(isinstance(each, Mapping) and each.get("description") for each in properties.values()):
        raise ValidationFailed.of("schema", "Every property of the schema needs a description.")
    return schema


class ProfileJobsView(Mem0View):
    def post(self, request: Request) -> Response:
        """Have profiles made, of one user or of some; they always are."""
        operation = self.body.get("operation")
        if operation not in ("trigger", "sample") or self.body.get("entity_type", "user") != "user":
            raise ValidationFailed.of("operation", "operation is trigger or sample, and entity_type user.")
        if not settings_of(self.principal)["enabled"]:
            raise ValidationFailed("Profiles are not enabled for this project.")
        if operation == "trigger":
            names = [_user(self.principal, str(self.body.get("entity_id", ""))).name]
        else:
            names = [each.name for each in _users(self.principal)[: _sampled(self.body.get("limit"))]]
        workspace = str(self.principal.workspace.pk)
        job_id = signing.dumps({"workspace": workspace, "users": len(names)}, salt=SALT)
        told = {"sampled": len(names), "entity_ids": names} if operation == "sample" else {"replayed": False}
        return Response(
            {
                "job_id": job_id,
                "status": "succeeded",
                "status_url": STATUS_PATH.format(job_id),
                "operation": operation,
                "entity_type": "user",
                "entity_count_reserved": len(names),
                "event_id": None,
                **told,
            },
            status=202,
        )


def _sampled(given: object) -> int:
    if given is None:
        return MOST_SAMPLED // 2
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_SAMPLED:
        raise ValidationFailed.of("limit", f"limit is a whole number from 1 to {MOST_SAMPLED}.")
    return given


class ProfileJobView(Mem0View):
    def get(self, request: Request, job_id: str) -> Response:
        """A job, which was done when it was asked for."""
        try:
            job = signing.loads(job_id, salt=SALT)
        except signing.BadSignature as error:
            raise NotFound from error
        if job["workspace"] != str(self.principal.workspace.pk):
            raise NotFound
        done = job["users"]
        counts = {"total": done, "completed": done, "succeeded": done, "failed": 0, "skipped": 0}
        return Response(
            {"job": {"id": job_id, "status": "succeeded", "enumeration_complete": True, **counts}}
        )
