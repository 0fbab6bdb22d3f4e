"""Overlays: what an agent keeps in addition, what it never keeps, and trying that before it is saved."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent, update_agent
from memoryapp.actions.overlay_rules import (
    LONGEST_DESCRIPTION,
    LONGEST_RETENTION,
    LONGEST_RULE,
    MOST_RULES,
)
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.lifecycle.trying import LONGEST_TRIAL, try_rules
from memoryapp.models import Agent


class OwnCategoryBody(serializers.Serializer[Any]):
    name = Text(max_length=40, help_text="Lower-case letters, digits and underscores.")
    description = Text(
        max_length=LONGEST_DESCRIPTION, allow_blank=True, required=False, help_text="What belongs in it."
    )
    retentionDays = serializers.IntegerField(
        min_value=1, max_value=LONGEST_RETENTION, allow_null=True, required=False, help_text="null: for ever."
    )
    importance = serializers.FloatField(min_value=0, max_value=1, allow_null=True, required=False)


class OverlayBody(serializers.Serializer[Agent]):
    agentId = serializers.UUIDField(source="pk")
    slug = serializers.CharField()
    overlay = serializers.ChoiceField(Agent.Overlay.choices)
    include = serializers.SerializerMethodField(help_text="Kept in addition.")
    exclude = serializers.SerializerMethodField(help_text="Never kept.")
    categories = serializers.SerializerMethodField(help_text="The agent's own, besides the product's.")

    def get_include(self, agent: Agent) -> list[str]:
        return list(agent.overlay_rules.get("include", []))

    def get_exclude(self, agent: Agent) -> list[str]:
        return list(agent.overlay_rules.get("exclude", []))

    def get_categories(self, agent: Agent) -> list[dict[str, Any]]:
        return list(agent.overlay_rules.get("categories", []))


class OverlayRules(serializers.Serializer[Any]):
    overlay = serializers.ChoiceField(Agent.Overlay.choices, required=False)
    include = serializers.ListField(
        child=Text(max_length=LONGEST_RULE), max_length=MOST_RULES, required=False
    )
    exclude = serializers.ListField(
        child=Text(max_length=LONGEST_RULE), max_length=MOST_RULES, required=False
    )
    categories = OwnCategoryBody(many=True, required=False)


class TrialOrder(OverlayRules):
    conversation = Text(
        max_length=LONGEST_TRIAL, help_text="Plain lines: “User: …”, “Assistant: …”. None of it is stored."
    )


class TrialItemBody(serializers.Serializer[Any]):
    accepted = serializers.BooleanField()
    text = serializers.CharField(help_text="Empty where it must not be shown.")
    op = serializers.CharField()
    category = serializers.CharField()
    quote = serializers.CharField()
    keptDays = serializers.IntegerField(source="kept_days", allow_null=True)
    expires = serializers.DateField(allow_null=True)
    gate = serializers.CharField()
    reason = serializers.CharField()


class TrialBody(serializers.Serializer[Any]):
    messages = serializers.IntegerField()
    candidates = TrialItemBody(many=True, source="items")
    dailyEntry = serializers.CharField(source="daily_entry")
    reason = serializers.CharField()


def rules_in(body: dict[str, Any], agent: Agent) -> dict[str, Any]:
    """The agent's rules with those of the body in their place."""
    return {
        **agent.overlay_rules,
        **{name: body[name] for name in ("include", "exclude", "categories") if name in body},
    }


class OverlaysView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_overlays", parameters=PAGE_PARAMETERS, responses=page_of(OverlayBody))
    def get(self, request: Request) -> Response:
        return self.page(Agent.objects.visible_to(self.principal).order_by("created_at"), OverlayBody)


class OverlayView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="read_overlay", responses=OverlayBody)
    def get(self, request: Request, agent_id: str) -> Response:
        return Response(OverlayBody(load_agent(self.principal, agent_id)).data)

    @extend_schema(operation_id="change_overlay", request=OverlayRules, responses=OverlayBody)
    def patch(self, request: Request, agent_id: str) -> Response:
        """What the body names is replaced, the rest stays."""
        agent, body = load_agent(self.principal, agent_id), self.read(OverlayRules)
        changes: dict[str, Any] = {"overlay_rules": rules_in(body, agent)}
        if "overlay" in body:
            changes["overlay"] = body["overlay"]
        return Response(OverlayBody(update_agent(principal=self.principal, agent=agent, **changes)).data)


class OverlayTrialView(WorkspaceAPIView):
    acts_for_others = False
    # A model may be waited for.
    unscoped = frozenset({"post"})

    @extend_schema(operation_id="try_overlay", request=TrialOrder, responses=TrialBody)
    def post(self, request: Request, agent_id: str) -> Response:
        """Which candidates a conversation gives, which pass, and at which gate the others fall. Nothing is stored."""
        agent, body = load_agent(self.principal, agent_id), self.read(TrialOrder)
        trial = try_rules(
            principal=self.principal,
            agent=agent,
            conversation=body["conversation"],
            overlay=body.get("overlay"),
            rules=rules_in(body, agent),
        )
        return Response(TrialBody(trial).data)
