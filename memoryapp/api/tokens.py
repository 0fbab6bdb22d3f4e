"""Access tokens: one's own, or the whole workspace's for an admin. The plain text is shown once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from tenants.actions import issue_token, revoke_token, tokens_visible_to
from tenants.models import AccessToken, TokenScope


class TokenBody(serializers.Serializer[AccessToken]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    username = serializers.CharField(source="user.username")
    scopes = serializers.ListField(child=serializers.ChoiceField(TokenScope.choices))
    agentId = serializers.UUIDField(source="agent_id", allow_null=True)
    endUserId = serializers.CharField(source="end_user", help_text="The end user it is bound to; empty: any.")
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    lastUsedAt = serializers.DateTimeField(source="last_used_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class IssuedToken(TokenBody):
    token = serializers.CharField(help_text="The plain text; it cannot be shown again.")


class NewToken(serializers.Serializer[Any]):
    name = Text(max_length=120)
    scopes = serializers.ListField(child=Text(), required=False, allow_empty=False)
    agentId = Text(max_length=120, required=False, allow_null=True)
    endUserId = Text(max_length=128, required=False, allow_null=True)
    expiresAt = serializers.DateTimeField(required=False, allow_null=True)


class TokensView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_tokens", parameters=PAGE_PARAMETERS, responses=page_of(TokenBody))
    def get(self, request: Request) -> Response:
        return self.page(tokens_visible_to(self.principal).order_by("-created_at"), TokenBody)

    @extend_schema(operation_id="issue_token", request=NewToken, responses={201: IssuedToken})
    def post(self, request: Request) -> Response:
        wanted = self.read(NewToken)
        agent = load_agent(self.principal, wanted["agentId"]) if wanted.get("agentId") else None
        token, plain = issue_token(
            principal=self.principal,
            name=wanted["name"],
            scopes=wanted.get("scopes"),
            agent_id=agent.pk if agent else None,
            end_user=wanted.get("endUserId"),
            expires_at=wanted.get("expiresAt"),
        )
        return Response({**TokenBody(token).data, "token": plain}, status=201)


class TokenView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        token = tokens_visible_to(self.principal).filter(pk=token_id).first()
        if token is None:
            raise NotFound
        revoke_token(principal=self.principal, token=token)
        return Response(status=204)
