"""The members of the workspace."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from tenants.models import Membership
from tenants.owners import user_owner_key


class MemberBody(serializers.Serializer[Membership]):
    id = serializers.UUIDField()
    username = serializers.CharField(source="user.username")
    role = serializers.CharField(source="get_role_display")
    ownerKey = serializers.SerializerMethodField()
    since = serializers.DateTimeField(source="created_at")

    def get_ownerKey(self, membership: Membership) -> str:
        return user_owner_key(membership.user_id)


class MembersView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_members", parameters=PAGE_PARAMETERS, responses=page_of(MemberBody))
    def get(self, request: Request) -> Response:
        members = Membership.objects.select_related("user").filter(workspace=self.principal.workspace)
        return self.page(members.order_by("created_at"), MemberBody)
