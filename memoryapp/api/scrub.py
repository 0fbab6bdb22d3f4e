"""Purging secrets that were found later, from everything that is kept."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.actions.scrubbing import LONGEST_SECRET, SHORTEST_SECRET, scrub_now
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Flag
from memoryapp.jobs import enqueue_scrub

WAIT = OpenApiParameter("wait", bool, description="Answer with the receipt once it is done.")


class ScrubOrder(serializers.Serializer[Any]):
    dryRun = Flag(required=False, help_text="Count only, change nothing.")
    secret = serializers.CharField(
        required=False,
        min_length=SHORTEST_SECRET,
        max_length=LONGEST_SECRET,
        write_only=True,
        help_text="One secret that is known to have got in, whatever it looks like; it is stored nowhere.",
    )


class ScrubStarted(serializers.Serializer[Any]):
    eventId = serializers.UUIDField()


class ScrubReceipt(serializers.Serializer[Any]):
    dryRun = serializers.BooleanField()
    finishedAt = serializers.DateTimeField()
    by = serializers.CharField()
    textsRead = serializers.IntegerField()
    changed = serializers.DictField(child=serializers.IntegerField(), help_text="Rows by place.")
    credentials = serializers.DictField(child=serializers.IntegerField(), help_text="Findings by kind.")
    left = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Secrets in names by which rows are found; these are not changed.",
    )
    backups = serializers.ListField(
        child=serializers.DictField(), help_text="On disk, with what they held when they were made."
    )
    signature = serializers.CharField()


class ScrubView(WorkspaceAPIView):
    """The whole workspace, or the memory of the agent in the address."""

    acts_for_others = False
    # It works in many short transactions of its own.
    unscoped = frozenset({"post"})

    @extend_schema(
        operation_id="scrub",
        parameters=[WAIT],
        request=ScrubOrder,
        responses={200: ScrubReceipt, 202: ScrubStarted},
    )
    def post(self, request: Request, agent_id: str | None = None) -> Response:
        """Mask every credential that today's patterns find, in every version of everything.

        As a job; with `wait=true`, and always with `secret`, at once.
        """
        order = self.read(ScrubOrder)
        agent: UUID | None = load_agent(self.principal, agent_id).pk if agent_id is not None else None
        dry_run = order.get("dryRun", False)
        if "secret" in order or request.query_params.get("wait") == "true":
            receipt = scrub_now(
                principal=self.principal, agent_id=agent, dry_run=dry_run, secret=order.get("secret")
            )
            return Response(receipt)
        event = enqueue_scrub(principal=self.principal, agent_id=agent, dry_run=dry_run)
        return Response({"eventId": event.pk}, status=202)


class AgentScrubView(ScrubView):
    @extend_schema(
        operation_id="scrub_agent",
        parameters=[WAIT],
        request=ScrubOrder,
        responses={200: ScrubReceipt, 202: ScrubStarted},
    )
    def post(self, request: Request, agent_id: str | None = None) -> Response:
        """The same for the memory of one agent."""
        return super().post(request, agent_id)
