"""Settings of a workspace: its name and zone, its model, who has access, who is notified, backups, audit log."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.settings import access, audit, backups, general, memory, secrets, sources, webhooks

urlpatterns = [
    path("", general.show_general, name="settings"),
    path("model/", general.show_model, name="settings-model"),
    path("model/embeddings/", require_POST(general.try_embeddings), name="settings-try-embeddings"),
    path("memory/", memory.show_memory, name="settings-memory"),
    path("memory/agents/", require_POST(memory.change_reviews), name="settings-reviews"),
    path("sources/", sources.show_sources, name="settings-sources"),
    path("secrets/", secrets.show_secrets, name="settings-secrets"),
    path("secrets/scrub/", require_POST(secrets.start_scrub), name="settings-scrub"),
    path("access/", access.show_access, name="settings-access"),
    path("access/invite/", require_POST(access.invite_somebody), name="settings-invite"),
    path("access/invitations/<uuid:invitation_id>/", require_POST(access.withdraw), name="settings-withdraw"),
    path("access/members/<uuid:membership_id>/", require_POST(access.change_member), name="settings-member"),
    path("access/revoke/", require_POST(access.revoke), name="settings-revoke"),
    path("webhooks/", webhooks.show_webhooks, name="settings-webhooks"),
    path("webhooks/do/", require_POST(webhooks.change_webhook), name="settings-webhook-do"),
    path("backups/", backups.show_backups, name="settings-backups"),
    path("backups/new/", require_POST(backups.back_up), name="settings-back-up"),
    path("backups/<uuid:backup_id>/", backups.download, name="settings-backup"),
    path("backups/<uuid:backup_id>/prove/", require_POST(backups.prove), name="settings-backup-prove"),
    path("audit/", audit.show_audit, name="settings-audit"),
]
