"""The members of the workspace, and the invitations by which others join."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Text
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from tenants.memberships import (
    change_role,
    invite,
    load_member,
    open_invitations,
    remove_member,
    revoke_invitation,
)
from tenants.models import Invitation, Membership, Role
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


ROLES = [(role.label, role.label) for role in Role]


class RoleField(serializers.ChoiceField):
    """A role by its name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=ROLES, **kwargs)

    def to_internal_value(self, data: Any) -> Role:  # type: ignore[override] # a role, not its name
        label = super().to_internal_value(data)
        return next(role for role in Role if role.label == label)


class NewRole(serializers.Serializer[Any]):
    role = RoleField()


class MemberView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="change_role", request=NewRole, responses=MemberBody)
    def patch(self, request: Request, member_id: UUID) -> Response:
        role = self.read(NewRole)["role"]
        member = load_member(self.principal, member_id)
        return Response(MemberBody(change_role(principal=self.principal, membership=member, role=role)).data)

    @extend_schema(operation_id="remove_member", responses={204: None})
    def delete(self, request: Request, member_id: UUID) -> Response:
        remove_member(principal=self.principal, membership=load_member(self.principal, member_id))
        return Response(status=204)


class InvitationBody(serializers.Serializer[Invitation]):
    id = serializers.UUIDField()
    role = serializers.CharField(source="get_role_display")
    note = serializers.CharField()
    expiresAt = serializers.DateTimeField(source="expires_at")


class MadeInvitation(InvitationBody):
    url = serializers.CharField(help_text="The link, to be passed on; it cannot be shown again.")


class NewInvitation(serializers.Serializer[Any]):
    role = RoleField(default=Role.MEMBER)
    note = Text(max_length=120, required=False, allow_blank=True, default="")


class InvitationsView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(
        operation_id="list_invitations", parameters=PAGE_PARAMETERS, responses=page_of(InvitationBody)
    )
    def get(self, request: Request) -> Response:
        return self.page(open_invitations(self.principal), InvitationBody)

    @extend_schema(operation_id="invite", request=NewInvitation, responses={201: MadeInvitation})
    def post(self, request: Request) -> Response:
        wanted = self.read(NewInvitation)
        invitation, secret = invite(principal=self.principal, role=wanted["role"], note=wanted["note"])
        url = request.build_absolute_uri(reverse("join", args=[secret]))
        return Response({**InvitationBody(invitation).data, "url": url}, status=201)


class InvitationView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="revoke_invitation", responses={204: None})
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        revoke_invitation(principal=self.principal, invitation_id=invitation_id)
        return Response(status=204)
