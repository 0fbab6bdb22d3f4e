"""Dream reports: what each night changed, with before and after; their archives, the morning card, the persona."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import Case, IntegerField, Value, When
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.dreams import (
    accept_dream,
    confirm_entry,
    decline_dream,
    edit_entry,
    forget_entry,
    load_dream,
    load_entry,
    revert_entry,
)
from memoryapp.actions.forget_texts import unpacked
from memoryapp.actions.soul import accept_proposal, decline_proposal, load_proposal, proposals_of
from memoryapp.api.dream_bodies import (
    ArchiveBody,
    ArchiveLine,
    EntryBody,
    Morning,
    NewWords,
    Report,
    ReportLine,
    ReportQuery,
    SoulProposalBody,
)
from memoryapp.api.dreaming import AgentDreamsView
from memoryapp.api.forgetting import ForgettingReceipt
from memoryapp.api.pagination import PAGE_PARAMETERS, page_of
from memoryapp.exceptions import NotFound
from memoryapp.lifecycle.morning import morning_card, note_seen
from memoryapp.models import Dream, DreamArchive, DreamEntry

# What was changed comes before what was only considered.
KEPT_LAST = Case(
    When(operation=DreamEntry.Operation.KEEP, then=Value(1)), default=Value(0), output_field=IntegerField()
)


class ReportsView(AgentDreamsView):
    @extend_schema(
        operation_id="list_dream_reports",
        parameters=[ReportQuery, *PAGE_PARAMETERS],
        responses=page_of(ReportLine),
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """The nights of the shared memory and the acting owner's own, the newest first."""
        query = self.read_query(ReportQuery)
        dreams = Dream.objects.visible_to(self.principal).filter(agent=self.agent(agent_id))
        dreams = dreams.filter(dry_run=query.pop("dryRun"), **query)
        if "status" not in query:
            dreams = dreams.exclude(status=Dream.Status.SKIPPED)
        return self.page(dreams.order_by("-created_at", "-id"), ReportLine)


class OneReportView(AgentDreamsView):
    """A view of the report its address names."""

    def dream(self, agent_id: str, report_id: UUID) -> Dream:
        return load_dream(self.principal, self.agent(agent_id), report_id)

    def entry(self, agent_id: str, report_id: UUID, entry_id: UUID) -> DreamEntry:
        return load_entry(self.principal, self.dream(agent_id, report_id), entry_id)

    def told(self, dream: Dream) -> Response:
        entries = DreamEntry.objects.visible_to(self.principal).filter(dream=dream)
        told = [EntryBody(entry).data for entry in entries.order_by(KEPT_LAST, "position")]
        return Response({**ReportLine(dream).data, "diary": dream.diary, "entries": told})


class ReportView(OneReportView):
    @extend_schema(operation_id="read_dream_report", responses=Report)
    def get(self, request: Request, agent_id: str, report_id: UUID) -> Response:
        return self.told(self.dream(agent_id, report_id))


class AcceptDreamView(OneReportView):
    @extend_schema(operation_id="accept_dream", request=None, responses=Report)
    def post(self, request: Request, agent_id: str, report_id: UUID) -> Response:
        """Apply what a dream proposed, as far as it still fits."""
        return self.told(accept_dream(principal=self.principal, dream=self.dream(agent_id, report_id)))


class DeclineDreamView(OneReportView):
    @extend_schema(operation_id="decline_dream", request=None, responses=Report)
    def post(self, request: Request, agent_id: str, report_id: UUID) -> Response:
        """Decline a proposed dream: nothing is changed."""
        return self.told(decline_dream(principal=self.principal, dream=self.dream(agent_id, report_id)))


class ConfirmEntryView(OneReportView):
    @extend_schema(operation_id="confirm_dream_entry", request=None, responses=EntryBody)
    def post(self, request: Request, agent_id: str, report_id: UUID, entry_id: UUID) -> Response:
        """Confirm what an entry says."""
        entry = self.entry(agent_id, report_id, entry_id)
        return Response(EntryBody(confirm_entry(principal=self.principal, entry=entry)).data)


class EditEntryView(OneReportView):
    @extend_schema(operation_id="edit_dream_entry", request=NewWords, responses=EntryBody)
    def post(self, request: Request, agent_id: str, report_id: UUID, entry_id: UUID) -> Response:
        """Put better words in place of an entry's line."""
        text = self.read(NewWords)["text"]
        entry = self.entry(agent_id, report_id, entry_id)
        return Response(EntryBody(edit_entry(principal=self.principal, entry=entry, text=text)).data)


class ForgetEntryView(OneReportView):
    @extend_schema(operation_id="forget_dream_entry", request=None, responses=ForgettingReceipt)
    def post(self, request: Request, agent_id: str, report_id: UUID, entry_id: UUID) -> Response:
        """Forget what an entry says, everywhere; it can be taken back for ten minutes."""
        entry = self.entry(agent_id, report_id, entry_id)
        return Response(ForgettingReceipt(forget_entry(principal=self.principal, entry=entry)).data)


class RevertEntryView(OneReportView):
    @extend_schema(operation_id="revert_dream_entry", request=None, responses=EntryBody)
    def post(self, request: Request, agent_id: str, report_id: UUID, entry_id: UUID) -> Response:
        """Take one change of a dream back; a `keep` changed nothing."""
        entry = self.entry(agent_id, report_id, entry_id)
        return Response(EntryBody(revert_entry(principal=self.principal, entry=entry)).data)


class ArchivesView(AgentDreamsView):
    @extend_schema(
        operation_id="list_dream_archives", parameters=PAGE_PARAMETERS, responses=page_of(ArchiveLine)
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """The months whose reports have been archived."""
        archives = DreamArchive.objects.visible_to(self.principal).filter(agent=self.agent(agent_id))
        return self.page(archives.order_by("-month", "scope"), ArchiveLine)


class ArchiveView(AgentDreamsView):
    @extend_schema(operation_id="read_dream_archive", responses=ArchiveBody)
    def get(self, request: Request, agent_id: str, month: str) -> Response:
        """The reports of a month, as they were."""
        archives = DreamArchive.objects.visible_to(self.principal).filter(
            agent=self.agent(agent_id), month=month
        )
        packed = list(archives.values_list("packed", flat=True))
        if not packed:
            raise NotFound
        reports = [report for data in packed for report in unpacked(data)]
        body = {
            "month": month,
            "reports": sorted(reports, key=lambda report: report["startedAt"], reverse=True),
        }
        return Response(ArchiveBody(body).data)


class MorningCardView(AgentDreamsView):
    @extend_schema(operation_id="read_morning_card", responses=Morning)
    def get(self, request: Request, agent_id: str) -> Response:
        """What the nights changed for the acting owner since they last looked, and what waits for their decision."""
        card = morning_card(self.principal, self.agent(agent_id))
        return Response({"card": card.as_json() if card else None})


class MorningSeenView(AgentDreamsView):
    @extend_schema(operation_id="mark_morning_card_seen", request=None, responses={204: None})
    def post(self, request: Request, agent_id: str) -> Response:
        """Note that the card was seen: from now on only later changes are news."""
        note_seen(self.principal, self.agent(agent_id))
        return Response(status=204)


class SoulProposalsView(AgentDreamsView):
    @extend_schema(
        operation_id="list_soul_proposals", parameters=PAGE_PARAMETERS, responses=page_of(SoulProposalBody)
    )
    def get(self, request: Request, agent_id: str) -> Response:
        """New personas that were proposed, newest first."""
        return self.page(proposals_of(self.principal, self.agent(agent_id)), SoulProposalBody)


class DecideProposalView(AgentDreamsView):
    """A view that decides a proposed persona."""

    def decide(self, decision: Callable[..., Any], agent_id: str, proposal_id: UUID) -> Response:
        agent = self.agent(agent_id)
        proposal = load_proposal(self.principal, agent, proposal_id)
        decided = decision(principal=self.principal, agent=agent, proposal=proposal)
        return Response(SoulProposalBody(decided).data)


class AcceptProposalView(DecideProposalView):
    # That it came too late stays on record although the request is refused.
    unscoped = frozenset({"post"})

    @extend_schema(operation_id="accept_soul_proposal", request=None, responses=SoulProposalBody)
    def post(self, request: Request, agent_id: str, proposal_id: UUID) -> Response:
        """Make the proposal the agent's SOUL.md; 409 when that has changed since."""
        return self.decide(accept_proposal, agent_id, proposal_id)


class DeclineProposalView(DecideProposalView):
    @extend_schema(operation_id="decline_soul_proposal", request=None, responses=SoulProposalBody)
    def post(self, request: Request, agent_id: str, proposal_id: UUID) -> Response:
        """Leave SOUL.md as it is."""
        return self.decide(decline_proposal, agent_id, proposal_id)
