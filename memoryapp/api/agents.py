"""Agents: who talks to people, and how."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import create_agent, delete_agent, load_agent, update_agent
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import JSONObject, Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.models import Agent

MAX_DESCRIPTION = 4000


class AgentBody(serializers.Serializer[Agent]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    slug = serializers.CharField()
    description = serializers.CharField()
    model = serializers.CharField(help_text="The chat model; empty: the workspace's.")
    settings = serializers.JSONField()
    overlay = serializers.ChoiceField(Agent.Overlay.choices)
    overlayRules = serializers.JSONField(source="overlay_rules")
    reviewMode = serializers.ChoiceField(Agent.ReviewMode.choices, source="review_mode")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class AgentChanges(serializers.Serializer[Any]):
    name = Text(max_length=120, required=False)
    slug = Text(max_length=60, required=False)
    description = Text(max_length=MAX_DESCRIPTION, allow_blank=True, required=False)
    model = Text(max_length=160, allow_blank=True, required=False)
    settings = JSONObject(required=False)
    overlay = serializers.ChoiceField(Agent.Overlay.choices, required=False)
    overlayRules = JSONObject(source="overlay_rules", required=False)
    reviewMode = serializers.ChoiceField(Agent.ReviewMode.choices, source="review_mode", required=False)


class NewAgent(AgentChanges):
    name = Text(max_length=120)
    slug = Text(max_length=60)


class AgentsView(WorkspaceAPIView):
    @extend_schema(operation_id="list_agents", parameters=PAGE_PARAMETERS, responses=page_of(AgentBody))
    def get(self, request: Request) -> Response:
        agents = Agent.objects.visible_to(self.principal).order_by("created_at")
        if self.principal.agent_id is not None:
            agents = agents.filter(pk=self.principal.agent_id)
        return self.page(agents, AgentBody)

    @extend_schema(operation_id="create_agent", request=NewAgent, responses={201: AgentBody})
    def post(self, request: Request) -> Response:
        agent = create_agent(principal=self.principal, **self.read(NewAgent))
        return Response(AgentBody(agent).data, status=201)


class AgentView(WorkspaceAPIView):
    @extend_schema(operation_id="read_agent", responses=AgentBody)
    def get(self, request: Request, agent_id: str) -> Response:
        return Response(AgentBody(load_agent(self.principal, agent_id)).data)

    @extend_schema(operation_id="change_agent", request=AgentChanges, responses=AgentBody)
    def patch(self, request: Request, agent_id: str) -> Response:
        agent = load_agent(self.principal, agent_id)
        return Response(
            AgentBody(update_agent(principal=self.principal, agent=agent, **self.read(AgentChanges))).data
        )

    @extend_schema(operation_id="delete_agent", responses={204: None})
    def delete(self, request: Request, agent_id: str) -> Response:
        delete_agent(principal=self.principal, agent=load_agent(self.principal, agent_id))
        return Response(status=204)
