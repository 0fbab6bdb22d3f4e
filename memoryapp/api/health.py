"""Whether the installation works, for probes; no token, no details that would help anybody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.api.base import PublicAPIView
from memoryapp.models import Heartbeat

WORKER = "worker"
# A worker beats every minute by a task of its own; three missed ones are a dead or hanging worker.
WORKER_SILENCE = timedelta(minutes=3)


class Liveness(serializers.Serializer[Any]):
    status = serializers.CharField()


class Readiness(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["ready", "not_ready"])
    checks = serializers.DictField(
        child=serializers.CharField(), help_text="`ok`, or what is missing, per part."
    )


class LiveView(PublicAPIView):
    @extend_schema(operation_id="health_live", responses=Liveness)
    def get(self, request: Request) -> Response:
        """This process answers."""
        return Response({"status": "live"})


class ReadyView(PublicAPIView):
    @extend_schema(operation_id="health_ready", responses={200: Readiness, 503: Readiness})
    def get(self, request: Request) -> Response:
        """Whether the database answers, the migrations are applied and a worker is running."""
        checks = check_parts()
        ready = all(state == "ok" for state in checks.values())
        return Response(
            {"status": "ready" if ready else "not_ready", "checks": checks}, status=200 if ready else 503
        )


def check_parts() -> dict[str, str]:
    """The state of each part the installation needs: `ok`, or a word for what is missing."""
    try:
        connection.ensure_connection()
        pending = _has_pending_migrations()
    except (DatabaseError, ImproperlyConfigured):
        return {"database": "unreachable"}
    if pending:
        return {"database": "ok", "migrations": "pending"}
    return {"database": "ok", "migrations": "ok", "worker": _worker_state()}


def _has_pending_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _worker_state() -> str:
    beat = Heartbeat.objects.filter(name=WORKER).first()
    if beat is None:
        return "missing"
    return "ok" if timezone.now() - beat.beat_at < WORKER_SILENCE else "silent"
