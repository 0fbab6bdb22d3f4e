"""The native API's addresses. Each name is the one by which `tenants.permissions.ROUTES` knows the route."""

from __future__ import annotations

from django.urls import URLPattern, path

from memoryapp.api.agents import AgentsView, AgentView
from memoryapp.api.audit import AuditView
from memoryapp.api.base import PublicAPIView
from memoryapp.api.chat import ChatStreamView, ChatView
from memoryapp.api.context import ContextView
from memoryapp.api.contradictions import (
    ContradictionsView,
    ResolveContradictionView,
    UndoResolutionView,
)
from memoryapp.api.conversations import (
    ConversationMemoryView,
    ConversationMessagesView,
    ConversationsView,
    ConversationView,
)
from memoryapp.api.dreaming import (
    CandidatesView,
    ConsolidationView,
    DreamingStatusView,
    EmergenceView,
    FocusedDreamView,
    SchedulesView,
    ScheduleView,
)
from memoryapp.api.dreams import (
    AcceptDreamView,
    AcceptProposalView,
    ArchivesView,
    ArchiveView,
    ConfirmEntryView,
    DeclineDreamView,
    DeclineProposalView,
    EditEntryView,
    ForgetEntryView,
    MorningCardView,
    MorningSeenView,
    ReportsView,
    ReportView,
    RevertEntryView,
    SoulProposalsView,
)
from memoryapp.api.events import EventRetryView, EventsView, EventView
from memoryapp.api.fact_details import (
    FactConfirmView,
    FactFeedbackView,
    FactHistoryView,
    FactPinView,
    FactProvenanceView,
    FactSearchView,
)
from memoryapp.api.facts import FactsView, FactView
from memoryapp.api.file_search import FileSearchView
from memoryapp.api.files import (
    FileRestoreView,
    FileRevisionsView,
    FileRevisionView,
    FilesView,
    FileView,
    FileWriteMemoryView,
    PromptFilesView,
)
from memoryapp.api.forgetting import ForgetFactView, UndoForgetView
from memoryapp.api.health import LiveView, ReadyView
from memoryapp.api.members import InvitationsView, InvitationView, MembersView, MemberView
from memoryapp.api.metrics import MetricsView
from memoryapp.api.overlays import OverlaysView, OverlayTrialView, OverlayView
from memoryapp.api.owners import (
    ErasuresView,
    OwnEraseView,
    OwnerEraseView,
    OwnerExportView,
    OwnersView,
    OwnerView,
    OwnExportView,
)
from memoryapp.api.providers import Mem0View, ProvidersView
from memoryapp.api.readings import SummarizeView
from memoryapp.api.reviews import ReviewsView, ReviewView
from memoryapp.api.scrub import AgentScrubView, ScrubView
from memoryapp.api.settings import SettingsView
from memoryapp.api.snapshots import ExportView, ImportPreviewView, ImportUndoView, ImportView
from memoryapp.api.tokens import TokensView, TokenView
from memoryapp.api.webhooks import DeliveriesView, ReplayView, WebhooksView, WebhookView
from memoryapp.api.whoami import WhoAmIView

app_name = "api"


def route(pattern: str, view: type[PublicAPIView], name: str) -> URLPattern:
    """A path whose view knows the name under which its rule stands."""
    return path(pattern, view.as_view(route_name=name), name=name)


AGENT = "agents/<str:agent_id>"
WORKSPACE = f"{AGENT}/workspace"
MEMORY = f"{WORKSPACE}/memory"
FILE = f"{WORKSPACE}/files/<path:path>"
FACTS = "memory/<str:agent_id>/facts"
FACT = f"{FACTS}/<uuid:fact_id>"
AGENT_MEMORY = "memory/<str:agent_id>"
REPORTS = f"{AGENT_MEMORY}/dream/reports"
REPORT = f"{REPORTS}/<uuid:report_id>"
ENTRY = f"{REPORT}/entries/<uuid:entry_id>"
CONTRADICTIONS = f"{AGENT_MEMORY}/contradictions"
CONTRADICTION = f"{CONTRADICTIONS}/<uuid:contradiction_id>"
SOUL = f"{AGENT_MEMORY}/soul-proposals"
# A caller's own conversation ids may have slashes.
CONVERSATION = "conversations/<path:conversation_id>"

urlpatterns = [
    route("health/live", LiveView, "health-live"),
    route("health/ready", ReadyView, "health-ready"),
    route("metrics", MetricsView, "metrics"),
    route("whoami", WhoAmIView, "whoami"),
    route("chat", ChatView, "chat"),
    route("chat/stream", ChatStreamView, "chat-stream"),
    route("agents", AgentsView, "agents"),
    route(AGENT, AgentView, "agent"),
    route(f"{WORKSPACE}/files", FilesView, "files"),
    route(f"{FILE}/revisions", FileRevisionsView, "file-revisions"),
    route(f"{FILE}/revisions/<int:number>", FileRevisionView, "file-revision"),
    route(f"{FILE}/revisions/<int:number>/restore", FileRestoreView, "file-restore"),
    route(f"{FILE}/write-memory", FileWriteMemoryView, "file-write-memory"),
    route(FILE, FileView, "file"),
    route(f"{WORKSPACE}/prompt-files", PromptFilesView, "prompt-files"),
    route(f"{MEMORY}/export", ExportView, "memory-export"),
    route(f"{MEMORY}/import/preview", ImportPreviewView, "memory-import-preview"),
    route(f"{MEMORY}/import", ImportView, "memory-import"),
    route(f"{MEMORY}/import/<uuid:import_id>/undo", ImportUndoView, "memory-import-undo"),
    route(f"{WORKSPACE}/search", FileSearchView, "file-search"),
    route(f"{WORKSPACE}/scrub", AgentScrubView, "agent-scrub"),
    route("scrub", ScrubView, "scrub"),
    route(f"{AGENT}/context", ContextView, "context"),
    route("conversations", ConversationsView, "conversations"),
    route(f"{CONVERSATION}/messages", ConversationMessagesView, "conversation-messages"),
    route(f"{CONVERSATION}/memory", ConversationMemoryView, "conversation-memory"),
    route(CONVERSATION, ConversationView, "conversation"),
    route(FACTS, FactsView, "facts"),
    route(f"{FACTS}/search", FactSearchView, "facts-search"),
    route(FACT, FactView, "fact"),
    route(f"{FACT}/history", FactHistoryView, "fact-history"),
    route(f"{FACT}/provenance", FactProvenanceView, "fact-provenance"),
    route(f"{FACT}/feedback", FactFeedbackView, "fact-feedback"),
    route(f"{FACT}/confirm", FactConfirmView, "fact-confirm"),
    route(f"{FACT}/pin", FactPinView, "fact-pin"),
    route(f"{FACT}/forget", ForgetFactView, "fact-forget"),
    route(f"{FACT}/undo-forget", UndoForgetView, "fact-undo-forget"),
    route(CONTRADICTIONS, ContradictionsView, "contradictions"),
    route(f"{CONTRADICTION}/resolve", ResolveContradictionView, "contradiction-resolve"),
    route(f"{CONTRADICTION}/undo", UndoResolutionView, "contradiction-undo"),
    route(f"{AGENT_MEMORY}/review", ReviewsView, "reviews"),
    route(f"{AGENT_MEMORY}/review/<uuid:fact_id>", ReviewView, "review"),
    route(f"{AGENT_MEMORY}/emergence", EmergenceView, "emergence"),
    route(f"{AGENT_MEMORY}/dreaming/focused", FocusedDreamView, "focused-dream"),
    route(f"{AGENT_MEMORY}/dreaming/status", DreamingStatusView, "dreaming-status"),
    route(f"{AGENT_MEMORY}/dreaming/candidates", CandidatesView, "dream-candidates"),
    route(f"{AGENT_MEMORY}/structured-consolidation", ConsolidationView, "consolidation"),
    route(f"{AGENT_MEMORY}/schedules", SchedulesView, "schedules"),
    route(f"{AGENT_MEMORY}/schedules/<slug:kind>", ScheduleView, "schedule"),
    route(REPORTS, ReportsView, "dream-reports"),
    route(REPORT, ReportView, "dream-report"),
    route(f"{REPORT}/accept", AcceptDreamView, "dream-accept"),
    route(f"{REPORT}/decline", DeclineDreamView, "dream-decline"),
    route(f"{ENTRY}/confirm", ConfirmEntryView, "dream-entry-confirm"),
    route(f"{ENTRY}/edit", EditEntryView, "dream-entry-edit"),
    route(f"{ENTRY}/forget", ForgetEntryView, "dream-entry-forget"),
    route(f"{ENTRY}/revert", RevertEntryView, "dream-entry-revert"),
    route(f"{AGENT_MEMORY}/dream/archives", ArchivesView, "dream-archives"),
    route(f"{AGENT_MEMORY}/dream/archives/<slug:month>", ArchiveView, "dream-archive"),
    route(f"{AGENT_MEMORY}/dream/morning-card", MorningCardView, "morning-card"),
    route(f"{AGENT_MEMORY}/dream/morning-card/seen", MorningSeenView, "morning-card-seen"),
    route(SOUL, SoulProposalsView, "soul-proposals"),
    route(f"{SOUL}/<uuid:proposal_id>/accept", AcceptProposalView, "soul-proposal-accept"),
    route(f"{SOUL}/<uuid:proposal_id>/decline", DeclineProposalView, "soul-proposal-decline"),
    route("memory/<str:agent_id>/summarize/<path:conversation_id>", SummarizeView, "summarize"),
    route("events", EventsView, "events"),
    route("events/<uuid:event_id>", EventView, "event"),
    route("events/<uuid:event_id>/retry", EventRetryView, "event-retry"),
    route("owners", OwnersView, "owners"),
    route("owners/erasures", ErasuresView, "erasures"),
    route("owners/<uuid:owner_id>", OwnerView, "owner"),
    route("owners/<uuid:owner_id>/erase", OwnerEraseView, "owner-erase"),
    route("owners/<uuid:owner_id>/export", OwnerExportView, "owner-export"),
    route("me/erase", OwnEraseView, "me-erase"),
    route("me/export", OwnExportView, "me-export"),
    route("tokens", TokensView, "tokens"),
    route("tokens/<uuid:token_id>", TokenView, "token"),
    route("members", MembersView, "members"),
    route("providers", ProvidersView, "providers"),
    route("providers/mem0", Mem0View, "provider-mem0"),
    route("overlays", OverlaysView, "overlays"),
    route("overlays/<str:agent_id>", OverlayView, "overlay"),
    route("overlays/<str:agent_id>/try", OverlayTrialView, "overlay-try"),
    route("members/<uuid:member_id>", MemberView, "member"),
    route("invitations", InvitationsView, "invitations"),
    route("invitations/<uuid:invitation_id>", InvitationView, "invitation"),
    route("settings", SettingsView, "settings"),
    route("audit", AuditView, "audit"),
    route("webhooks", WebhooksView, "webhooks"),
    route("webhooks/<uuid:webhook_id>", WebhookView, "webhook"),
    route("webhooks/<uuid:webhook_id>/deliveries", DeliveriesView, "webhook-deliveries"),
    route("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/replay", ReplayView, "webhook-replay"),
]
