"""Owners: whom the workspace's agents have met. What is known of them stays theirs; admins see counts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.erasure import erase_owner, is_genuine
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.models import Conversation, ErasureReceipt, Fact, Owner, WorkspaceFile
from memoryapp.snapshots.export import export_owner
from memoryapp.snapshots.sending import file_response
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


class ReceiptBody(serializers.Serializer[ErasureReceipt]):
    id = serializers.UUIDField()
    createdAt = serializers.DateTimeField(source="created_at")
    receipt = serializers.JSONField(
        source="body", help_text="Counts per place before and after; no name, no word."
    )
    signature = serializers.CharField(help_text="The receipt's signature by this installation.")
    genuine = serializers.SerializerMethodField()

    def get_genuine(self, receipt: ErasureReceipt) -> bool:
        return is_genuine(receipt)


class OwnerEraseView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="erase_owner", request=None, responses=ReceiptBody)
    def post(self, request: Request, owner_id: UUID) -> Response:
        """Erase everything of an owner, at once and for good."""
        owner = _load(self.principal.workspace, owner_id)
        return Response(ReceiptBody(erase_owner(principal=self.principal, owner_key=owner.owner_key)).data)


class OwnerExportView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="export_owner", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, owner_id: UUID) -> StreamingHttpResponse:
        """Everything kept of an owner, as an archive; reading it is audited."""
        owner = _load(self.principal.workspace, owner_id)
        file = export_owner(principal=self.principal, owner_key=owner.owner_key)
        return file_response(request._request, file, f"owner-{owner.pk}.zip")


class OwnEraseView(WorkspaceAPIView):
    @extend_schema(operation_id="erase_me", request=None, responses=ReceiptBody)
    def post(self, request: Request) -> Response:
        """Erase everything of the acting owner, at once and for good."""
        receipt = erase_owner(principal=self.principal, owner_key=self.principal.owner_key)
        return Response(ReceiptBody(receipt).data)


class OwnExportView(WorkspaceAPIView):
    @extend_schema(operation_id="export_me", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Everything kept of the acting owner, as an archive."""
        file = export_owner(principal=self.principal, owner_key=self.principal.owner_key)
        return file_response(request._request, file, "my-memory.zip")


class ErasuresView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_erasures", parameters=PAGE_PARAMETERS, responses=page_of(ReceiptBody))
    def get(self, request: Request) -> Response:
        """Receipts of erasure, newest first."""
        receipts = ErasureReceipt.objects.visible_to(self.principal).order_by("-created_at")
        return self.page(receipts, ReceiptBody)


def _load(workspace: Workspace, owner_id: UUID) -> Owner:
    owner: Owner | None = Owner.objects.filter(workspace=workspace, pk=owner_id).first()
    if owner is None:
        raise NotFound
    return owner
