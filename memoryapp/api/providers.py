"""Memory sources: which there are, how they are doing, and where the workspace's Mem0 server is."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Flag, Text
from memoryapp.providers.breaker import BreakerState
from memoryapp.providers.mem0 import (
    API_KEY,
    LONGEST_TIMEOUT_MS,
    MOST_RESULTS,
    SETTING,
    checked_mem0_settings,
    mem0_settings,
)
from memoryapp.providers.status import provider_statuses
from tenants.actions import update_workspace
from tenants.models import Workspace


class ProviderBody(serializers.Serializer[Any]):
    name = serializers.CharField()
    builtIn = serializers.BooleanField(source="built_in")
    inUse = serializers.BooleanField(source="in_use", help_text="Named in MEMORY_PROVIDERS.")
    isSetUp = serializers.BooleanField(source="is_set_up")
    waits = serializers.BooleanField(help_text="Whether it may wait on a network, under the time limits.")
    hooks = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField([state.value for state in BreakerState], help_text="In this process.")
    calls = serializers.IntegerField()
    failedCalls = serializers.IntegerField(source="failed_calls")
    lastError = serializers.CharField(
        source="last_error", help_text="The type of the error; never its words."
    )
    lastFailedAt = serializers.DateTimeField(source="last_failed_at", allow_null=True)
    lastMs = serializers.FloatField(source="last_ms")


class ProvidersBody(serializers.Serializer[Any]):
    results = ProviderBody(many=True)


class Mem0Body(serializers.Serializer[Any]):
    baseUrl = serializers.CharField(source="base_url")
    apiKeySet = serializers.SerializerMethodField(help_text="Whether there is a key; it is never shown.")
    searchEnabled = serializers.BooleanField(source="search_enabled")
    syncEnabled = serializers.BooleanField(source="sync_enabled")
    maxResults = serializers.IntegerField(source="max_results")
    timeoutMs = serializers.IntegerField(source="timeout_ms")

    def get_apiKeySet(self, known: Any) -> bool:
        return bool(known.api_key)


class Mem0Changes(serializers.Serializer[Any]):
    baseUrl = Text(source="base_url", max_length=500, allow_blank=True, required=False)
    apiKey = Text(max_length=2000, allow_blank=True, required=False, help_text="Empty: remove the key.")
    searchEnabled = Flag(source="search_enabled", required=False)
    syncEnabled = Flag(source="sync_enabled", required=False)
    maxResults = serializers.IntegerField(
        source="max_results", min_value=1, max_value=MOST_RESULTS, required=False
    )
    timeoutMs = serializers.IntegerField(
        source="timeout_ms", min_value=1, max_value=LONGEST_TIMEOUT_MS, required=False
    )


class ProvidersView(WorkspaceAPIView):
    acts_for_others = False

    @extend_schema(operation_id="list_providers", responses=ProvidersBody)
    def get(self, request: Request) -> Response:
        """Every memory source there is, those in use first, in order."""
        return Response(ProvidersBody({"results": provider_statuses(self.principal.workspace)}).data)


class Mem0View(WorkspaceAPIView):
    acts_for_others = False
    # Judging an address may ask a name server.
    unscoped = frozenset({"patch"})

    @extend_schema(operation_id="read_mem0_settings", responses=Mem0Body)
    def get(self, request: Request) -> Response:
        return self.shown(self.principal.workspace)

    @extend_schema(operation_id="change_mem0_settings", request=Mem0Changes, responses=Mem0Body)
    def patch(self, request: Request) -> Response:
        changes = self.read(Mem0Changes)
        secrets = {API_KEY: changes.pop("apiKey")} if "apiKey" in changes else None
        own = {**self.principal.workspace.setting(SETTING, {}), **checked_mem0_settings(changes)}
        return self.shown(
            update_workspace(principal=self.principal, secrets=secrets, settings={SETTING: own})
        )

    def shown(self, workspace: Workspace) -> Response:
        return Response(Mem0Body(mem0_settings(workspace)).data)
