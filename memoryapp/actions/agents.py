"""Every change to agents. A new one starts with the four files that every agent has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from memoryapp.actions.agent_settings import checked_settings
from memoryapp.actions.files import new_file
from memoryapp.actions.overlay_rules import checked_overlay_rules
from memoryapp.actions.schedules import ensure_agent_schedules
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.models import Agent, WorkspaceFile
from tenants.actions import record_audit
from tenants.models import Role
from tenants.principals import Principal
from tenants.scoping import Scope, workspace_scope

SEEDS = Path(settings.BASE_DIR) / "templates" / "seeds"
SLUG_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CHANGEABLE = ("name", "slug", "description", "model", "settings", "overlay", "overlay_rules", "review_mode")


def load_agent(principal: Principal, id_or_slug: object, **together_with: Any) -> Agent:
    """The agent of that id or slug in the principal's workspace; NotFound when missing, foreign or not its own.

    `together_with` are expressions over the agent that come along as attributes of those names.
    """
    agents = Agent.objects.visible_to(principal)
    if principal.agent_id is not None:
        agents = agents.filter(pk=principal.agent_id)
    with workspace_scope(principal.workspace):
        agent = agents.filter(**_id_or_slug(id_or_slug)).annotate(**together_with).first()
    if agent is None:
        raise NotFound
    return agent


def default_agent(principal: Principal) -> Agent:
    """The token's bound agent, else the workspace's oldest one."""
    with workspace_scope(principal.workspace):
        agents = Agent.objects.visible_to(principal).order_by("created_at")
        agent = agents.filter(pk=principal.agent_id).first() if principal.agent_id else agents.first()
    if agent is None:
        raise NotFound
    return agent


def _id_or_slug(value: object) -> dict[str, Any]:
    try:
        return {"pk": UUID(str(value))}
    except ValueError:
        return {"slug__iexact": str(value)[:120].replace("\x00", "")}


def create_agent(*, principal: Principal, name: str, slug: str, **fields: Any) -> Agent:
    """Create an agent with its four seeded files. Admins only; raises ValidationFailed for bad or taken names."""
    principal.require(Role.ADMIN)
    values = _checked({"name": name, "slug": slug, **fields})
    with workspace_scope(principal.workspace):
        agent = _saved(Agent(workspace=principal.workspace, **values))
        for position, path in enumerate(WorkspaceFile.PROMPT_FILES):
            content = (SEEDS / path).read_text(encoding="utf-8")
            new_file(
                principal=principal,
                agent=agent,
                path=path,
                content=content,
                scope=Scope.TEAM,
                enabled=True,
                sort_order=position,
            )
        ensure_agent_schedules(principal.workspace, agent)
        record_audit(principal=principal, action="agent.created", target=agent.slug)
    return agent


def update_agent(*, principal: Principal, agent: Agent, **changes: Any) -> Agent:
    """Change an agent's fields. Admins only."""
    principal.require(Role.ADMIN)
    for field, value in _checked(changes).items():
        setattr(agent, field, value)
    with workspace_scope(principal.workspace):
        _saved(agent)
        record_audit(principal=principal, action="agent.changed", target=agent.slug, fields=sorted(changes))
    return agent


def delete_agent(*, principal: Principal, agent: Agent) -> None:
    """Remove an agent with all it remembers of everybody. Admins only."""
    principal.require(Role.ADMIN)
    with workspace_scope(principal.workspace):
        record_audit(principal=principal, action="agent.deleted", target=agent.slug)
        agent.delete()


def _saved(agent: Agent) -> Agent:
    try:
        with transaction.atomic():
            agent.save()
    except IntegrityError as error:
        raise ValidationFailed.of(
            "slug", "An agent of this workspace has this slug already.", code="taken"
        ) from error
    return agent


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    unknown = set(fields) - set(CHANGEABLE)
    if unknown:
        raise ValidationFailed.of(sorted(unknown)[0], "This field cannot be set.")
    if "name" in fields and not 0 < len(str(fields["name"]).strip()) <= 120:
        raise ValidationFailed.of("name", "An agent needs a name of at most 120 characters.")
    if "slug" in fields and (not SLUG_PATTERN.fullmatch(str(fields["slug"])) or len(fields["slug"]) > 60):
        raise ValidationFailed.of("slug", "A slug has lower-case letters, digits and single hyphens.")
    for field, choices in (("overlay", Agent.Overlay.values), ("review_mode", Agent.ReviewMode.values)):
        if field in fields and fields[field] not in choices:
            raise ValidationFailed.of(field, f"One of {', '.join(choices)}.")
    if "settings" in fields:
        checked_settings(fields["settings"])
    if "overlay_rules" in fields:
        fields["overlay_rules"] = checked_overlay_rules(fields["overlay_rules"])
    return fields
