"""Figures of the installation in the text format of Prometheus, for admins or from the machine itself."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from memoryapp.api.base import PublicAPIView, authenticated
from memoryapp.models import Event, Heartbeat
from tenants.exceptions import InvalidCredentials
from tenants.models import GLOBAL_WORKSPACE_ID, Role, TokenScope, Workspace

LOOPBACK = {"127.0.0.1", "::1"}


class MetricsView(PublicAPIView):
    @extend_schema(operation_id="metrics", responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request) -> HttpResponse:
        """The state of the backlog and of the worker."""
        require_operator(request)
        return HttpResponse(render_metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")


def require_operator(request: Request) -> None:
    """Raise unless an admin asks, or somebody on this machine without a proxy in between."""
    if request.META.get("REMOTE_ADDR") in LOOPBACK and "X-Forwarded-For" not in request.headers:
        return
    if request.auth is None:
        raise InvalidCredentials("The figures are for admins.")
    principal = authenticated(request)
    principal.require(Role.ADMIN, TokenScope.ADMIN if principal.token_id else None)


def render_metrics() -> str:
    """One line per figure; none of them names a tenant."""
    lines = [_line("memoryapp_workspaces", Workspace.objects.exclude(pk=GLOBAL_WORKSPACE_ID).count())]
    for row in Event.objects.values("kind", "status").annotate(count=Count("pk")).order_by("kind", "status"):
        lines.append(_line("memoryapp_events", row["count"], kind=row["kind"], status=row["status"]))
    oldest = Event.objects.due().aggregate(oldest=Min("run_after"))["oldest"]
    lines.append(_line("memoryapp_backlog_age_seconds", _age(oldest)))
    for beat in Heartbeat.objects.order_by("name"):
        lines.append(_line("memoryapp_heartbeat_age_seconds", _age(beat.beat_at), part=beat.name))
    return "\n".join(lines) + "\n"


def _age(moment: Any) -> float:
    return round((timezone.now() - moment).total_seconds(), 1) if moment else 0


def _line(name: str, value: float, **labels: str) -> str:
    pairs = ",".join(f'{key}="{text}"' for key, text in labels.items())
    return f"{name}{{{pairs}}} {value}" if pairs else f"{name} {value}"
