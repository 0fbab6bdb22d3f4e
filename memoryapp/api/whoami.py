"""Whose token or session this is."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from tenants.principals import Principal


class WhoAmI(serializers.Serializer[Principal]):
    workspace = serializers.CharField(source="workspace.slug")
    workspaceId = serializers.UUIDField(source="workspace.id")
    workspaceName = serializers.CharField(source="workspace.name")
    timeZone = serializers.CharField(source="workspace.time_zone")
    ownerKey = serializers.CharField(source="owner_key", help_text="Whose memory is read and written.")
    role = serializers.CharField(source="role.label")
    scopes = serializers.SerializerMethodField()
    agentId = serializers.UUIDField(
        source="agent_id", allow_null=True, help_text="The agent the token is bound to."
    )
    endUserId = serializers.CharField(source="end_user_id", allow_null=True)

    def get_scopes(self, principal: Principal) -> list[str]:
        return sorted(principal.scopes)


class WhoAmIView(WorkspaceAPIView):
    @extend_schema(operation_id="whoami", responses=WhoAmI)
    def get(self, request: Request) -> Response:
        body: Any = WhoAmI(self.principal).data
        return Response(body)
