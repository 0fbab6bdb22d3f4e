"""The workspace's settings. Secrets go in and never come out."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.access import PER_OWNER
from memoryapp.actions.masking import CREDENTIAL_PATTERNS, checked_patterns, credential_patterns
from memoryapp.actions.quotas import CONVERSATION_DAYS, checked_quotas, quotas_of
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Count, Flag, Text
from memoryapp.model_settings import API_KEY, BASE_URL, MODEL, checked_model_url
from tenants.actions import update_workspace
from tenants.limits import QUOTAS
from tenants.models import Workspace

# What is kept in the workspace's settings, by its name on the wire.
KEPT = {
    "llmBaseUrl": BASE_URL,
    "llmModel": MODEL,
    "perOwner": PER_OWNER,
    "credentialPatterns": CREDENTIAL_PATTERNS,
    "conversationDays": CONVERSATION_DAYS,
    "quotas": QUOTAS,
}
COLUMNS = {"name": "name", "timeZone": "time_zone", "language": "language"}


class QuotasBody(serializers.Serializer[Any]):
    """Limits of a workspace, each 0 for none; beyond one a call is answered with 429."""

    callsPerMinute = Count(source="calls_per_minute", default=0, help_text="For all tokens together.")
    turnsPerDay = Count(source="turns_per_day", default=0)
    facts = Count(default=0, help_text="Active ones, everybody's together.")


class SettingsBody(serializers.Serializer[Workspace]):
    name = serializers.CharField()
    slug = serializers.CharField()
    timeZone = serializers.CharField(source="time_zone")
    language = serializers.CharField()
    llmBaseUrl = serializers.SerializerMethodField(
        help_text="The address of the chat model; empty for the installation's."
    )
    llmModel = serializers.SerializerMethodField()
    llmApiKeySet = serializers.SerializerMethodField(
        help_text="Whether a key is kept; the key itself is never shown."
    )
    perOwner = serializers.SerializerMethodField(
        help_text="Whether everybody's personal memory is kept separate."
    )
    credentialPatterns = serializers.SerializerMethodField(
        help_text="Further patterns of what counts as a credential: regular expressions. POST /scrub applies them to"
        " what is kept already."
    )
    conversationDays = serializers.SerializerMethodField(
        help_text="How long conversations are kept after their last message; 0: for ever."
    )
    quotas = serializers.SerializerMethodField()

    def get_conversationDays(self, workspace: Workspace) -> int:
        return int(workspace.setting(CONVERSATION_DAYS, 0))

    @extend_schema_field(QuotasBody)
    def get_quotas(self, workspace: Workspace) -> Any:
        return QuotasBody(quotas_of(workspace)).data

    def get_llmBaseUrl(self, workspace: Workspace) -> str:
        return str(workspace.setting(BASE_URL, ""))

    def get_llmModel(self, workspace: Workspace) -> str:
        return str(workspace.setting(MODEL, ""))

    def get_llmApiKeySet(self, workspace: Workspace) -> bool:
        return bool(workspace.unseal(API_KEY))

    def get_perOwner(self, workspace: Workspace) -> bool:
        return bool(workspace.setting(PER_OWNER, True))

    def get_credentialPatterns(self, workspace: Workspace) -> list[str]:
        return list(credential_patterns(workspace))


class SettingsChanges(serializers.Serializer[Any]):
    name = Text(max_length=120, required=False)
    timeZone = Text(max_length=64, required=False)
    language = Text(max_length=16, required=False)
    llmBaseUrl = Text(max_length=500, allow_blank=True, required=False)
    llmModel = Text(max_length=160, allow_blank=True, required=False)
    llmApiKey = Text(max_length=2000, allow_blank=True, required=False, help_text="Empty: remove the key.")
    perOwner = Flag(required=False)
    credentialPatterns = serializers.ListField(child=Text(max_length=500), max_length=50, required=False)
    conversationDays = Count(max_value=36_500, required=False)
    quotas = QuotasBody(required=False)

    def validate_quotas(self, quotas: dict[str, Any]) -> dict[str, int]:
        return checked_quotas(quotas)

    def validate_credentialPatterns(self, patterns: list[str]) -> list[str]:
        return checked_patterns(patterns)

    def validate_llmBaseUrl(self, url: str) -> str:
        return checked_model_url(url) if url else ""


class SettingsView(WorkspaceAPIView):
    acts_for_others = False
    # Judging an address may ask a name server, which must not happen inside a transaction.
    unscoped = frozenset({"patch"})

    @extend_schema(operation_id="read_settings", responses=SettingsBody)
    def get(self, request: Request) -> Response:
        return Response(SettingsBody(self.principal.workspace).data)

    @extend_schema(operation_id="change_settings", request=SettingsChanges, responses=SettingsBody)
    def patch(self, request: Request) -> Response:
        wanted = self.read(SettingsChanges)
        workspace = update_workspace(
            principal=self.principal,
            secrets={API_KEY: wanted["llmApiKey"]} if "llmApiKey" in wanted else None,
            settings={kept: wanted[name] for name, kept in KEPT.items() if name in wanted},
            **{column: wanted[name] for name, column in COLUMNS.items() if name in wanted},
        )
        return Response(SettingsBody(workspace).data)
