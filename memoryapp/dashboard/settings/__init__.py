"""Settings of a workspace: its name and zone, its model, who has access, and the audit log."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.settings import access, general, secrets

urlpatterns = [
    path("", general.show_general, name="settings"),
    path("model/", general.show_model, name="settings-model"),
    path("secrets/", secrets.show_secrets, name="settings-secrets"),
    path("secrets/scrub/", require_POST(secrets.start_scrub), name="settings-scrub"),
    path("access/", access.show_access, name="settings-access"),
    path("access/revoke/", require_POST(access.revoke), name="settings-revoke"),
    path("audit/", access.show_audit, name="settings-audit"),
]
