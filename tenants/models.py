"""Who is asking: workspaces, their members, access tokens and the audit trail."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from tenants.ids import new_id
from tenants.secrets import decrypt, encrypt

# Rows that every workspace may read live here (scope GLOBAL); only the instance operator writes them.
GLOBAL_WORKSPACE_ID = UUID("00000000-0000-7000-8000-000000000001")


class Role(models.IntegerChoices):
    """What a member may do; each role may do all that the lower ones may."""

    VIEWER = 10, "viewer"
    MEMBER = 20, "member"
    ADMIN = 30, "admin"
    OWNER = 40, "owner"


class TokenScope(models.TextChoices):
    """What a token may be used for, whatever its user's role."""

    MEMORY_READ = "memory:read"
    MEMORY_WRITE = "memory:write"
    CHAT = "chat"
    SNAPSHOT = "snapshot"
    ADMIN = "admin"


class Workspace(models.Model):
    """A tenant: one organisation whose agents, people and memories nobody else can see."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60)
    time_zone = models.CharField(max_length=64, default="UTC")
    language = models.CharField(max_length=16, default="en")
    settings = models.JSONField(default=dict, blank=True)
    sealed_secrets = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(Lower("slug"), name="tenants_workspace_slug_unique")]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def setting(self, name: str, default: Any = None) -> Any:
        return self.settings.get(name, default)

    def seal(self, name: str, secret: str) -> None:
        """Keep a secret such as a model key encrypted; an empty one is removed."""
        if secret:
            self.sealed_secrets[name] = encrypt(secret).decode()
        else:
            self.sealed_secrets.pop(name, None)

    def unseal(self, name: str) -> str:
        sealed = self.sealed_secrets.get(name)
        return decrypt(sealed.encode()) if sealed else ""


class Membership(models.Model):
    """That a person belongs to a workspace, and with which role."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="tenants_membership_unique")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace}"


class Invitation(models.Model):
    """A link by which one person may join a workspace, once; only a digest of its secret is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="invitations")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    note = models.CharField(max_length=120, blank=True)
    digest = models.CharField(max_length=64)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["digest"], name="tenants_invitation_digest_unique")]

    def __str__(self) -> str:
        return f"invitation to {self.workspace}"

    @property
    def is_open(self) -> bool:
        return self.expires_at > timezone.now()


class Profile(models.Model):
    """How a person wants the dashboard: theme, zone, language, single-key shortcuts."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="profile"
    )
    theme = models.CharField(
        max_length=8, default="system", choices=[(word, word) for word in ("system", "light", "dark")]
    )
    time_zone = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=16, blank=True)
    shortcuts = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"profile of {self.user}"


class Session(AbstractBaseSession):
    """A browser that somebody is signed in with: Django's session, with whose it is and when it was last seen."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="sessions"
    )
    # What the browser says it is. No address: it would tell where somebody was.
    device = models.CharField(max_length=300, blank=True)
    first_seen_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"session of {self.user}"

    @classmethod
    def get_session_store_class(cls) -> Any:
        from tenants.sessions import SessionStore

        return SessionStore


class TwoStep(models.Model):
    """That somebody signs in with a code of their authenticator besides the password, once it is confirmed."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="two_step"
    )
    sealed_secret = models.CharField(max_length=400)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # The half minute of the last code taken: no code counts twice.
    last_step = models.BigIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"second step of {self.user}"


class RecoveryCode(models.Model):
    """A code that replaces an authenticator once; only a digest of it is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    two_step = models.ForeignKey(TwoStep, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["two_step", "digest"], name="tenants_recovery_code_unique")
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.two_step.user}"


class AccessToken(models.Model):
    """A key of a program: found by its prefix, checked against a digest, never stored itself."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="tokens")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64)
    scopes = ArrayField(models.CharField(max_length=24, choices=TokenScope.choices), default=list)
    agent_id = models.UUIDField(null=True, blank=True)
    end_user = models.CharField(max_length=160, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["prefix"], name="tenants_token_prefix_unique")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @staticmethod
    def digest_of(plain: str) -> str:
        return hashlib.sha256(plain.encode()).hexdigest()

    @property
    def usable(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


class AuditEvent(models.Model):
    """One thing that somebody did and that an admin may want to know of later."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="audit_events")
    actor = models.CharField(max_length=200)
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=240, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["workspace", "-at"], name="tenants_audit_recent")]

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.target}"
