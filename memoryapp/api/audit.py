"""The workspace's audit trail, newest first."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from tenants.models import AuditEvent


class AuditBody(serializers.Serializer[AuditEvent]):
    id = serializers.UUIDField()
    actor = serializers.CharField()
    action = serializers.CharField()
    target = serializers.CharField()
    detail = serializers.JSONField()
    at = serializers.DateTimeField()


class AuditView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_audit", parameters=PAGE_PARAMETERS, responses=page_of(AuditBody))
    def get(self, request: Request) -> Response:
        trail = AuditEvent.objects.filter(workspace=self.principal.workspace)
        return self.page(trail.order_by("-at", "-id"), AuditBody)
