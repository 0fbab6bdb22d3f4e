"""Owners: whom the workspace's agents have met. What is known of them stays theirs; admins see counts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Conversation, Fact, Owner, WorkspaceFile
from tenants.models import Workspace
from tenants.owners import end_user_of


class OwnerBody(serializers.Serializer[Owner]):
    id = serializers.UUIDField()
    ownerKey = serializers.CharField(source="owner_key")
    endUserId = serializers.SerializerMethodField()
    displayName = serializers.CharField(source="display_name")
    facts = serializers.IntegerField(help_text="How many facts of theirs are kept.")
    files = serializers.IntegerField()
    conversations = serializers.IntegerField()
    firstSeenAt = serializers.DateTimeField(source="first_seen_at")
    lastSeenAt = serializers.DateTimeField(source="last_seen_at")

    def get_endUserId(self, owner: Owner) -> str | None:
        return end_user_of(owner.owner_key)


class OwnerQuery(serializers.Serializer[Any]):
    ownerKey = serializers.CharField(max_length=170, required=False, trim_whitespace=False)


def owners_of(workspace: Workspace) -> QuerySet[Owner]:
    """The workspace's owners with how much is kept of each; never a word of it."""
    return Owner.objects.filter(workspace=workspace).annotate(
        facts=_count(Fact.objects.active()),
        files=_count(WorkspaceFile.objects),
        conversations=_count(Conversation.objects),
    )


def _count(rows: Any) -> Coalesce:
    theirs = rows.filter(workspace_id=OuterRef("workspace_id"), owner_key=OuterRef("owner_key"))
    return Coalesce(
        Subquery(theirs.order_by().values("owner_key").annotate(count=Count("pk")).values("count")), 0
    )


class OwnersView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(
        operation_id="list_owners", parameters=[OwnerQuery, *PAGE_PARAMETERS], responses=page_of(OwnerBody)
    )
    def get(self, request: Request) -> Response:
        owners = owners_of(self.principal.workspace)
        query = self.read_query(OwnerQuery)
        if "ownerKey" in query:
            owners = owners.filter(owner_key=query["ownerKey"])
        return self.page(owners.order_by("-last_seen_at", "id"), OwnerBody)


class OwnerView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="read_owner", responses=OwnerBody)
    def get(self, request: Request, owner_id: UUID) -> Response:
        owner = owners_of(self.principal.workspace).filter(pk=owner_id).first()
        if owner is None:
            raise NotFound
        return Response(OwnerBody(owner).data)
