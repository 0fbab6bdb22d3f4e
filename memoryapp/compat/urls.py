"""Addresses of other products' APIs."""

from __future__ import annotations

from memoryapp.compat.mem0.accounts import MembersView, ProjectsView, SignUpView
from memoryapp.compat.mem0.adding import AddView
from memoryapp.compat.mem0.entities import EntitiesView, EntityView
from memoryapp.compat.mem0.events import EventsView, EventView
from memoryapp.compat.mem0.memories import BatchView, HistoryView, MemoriesView, MemoryView
from memoryapp.compat.mem0.profiles import (
    ProfileJobsView,
    ProfileJobView,
    ProfileSettingsView,
    ProfileView,
)
from memoryapp.compat.mem0.project import PingView, ProjectView
from memoryapp.compat.mem0.reports import ExportsView, ExportView, FeedbackView, SummaryView
from memoryapp.compat.mem0.searching import ListView, SearchView
from memoryapp.compat.mem0.selfhosted import (
    HostedEntitiesView,
    HostedMemoriesView,
    HostedMemoryView,
    HostedSearchView,
)
from memoryapp.compat.mem0.webhooks import Mem0WebhookView, ProjectWebhooksView
from memoryapp.compat.openai.chat import ChatCompletionsView
from memoryapp.compat.openai.models import EmbeddingsView, ModelsView, ModelView
from memoryapp.compat.routing import foreign

PROJECTS = "api/v1/orgs/organizations/<org_id>/projects"
PROJECT = f"{PROJECTS}/<project_id>"

MEM0_PLATFORM = [
    foreign("v1/ping", PingView, "mem0-ping"),
    foreign("v1/memories/search", SearchView, "mem0-search-v1"),
    foreign("v1/memories", MemoriesView, "mem0-memories"),
    foreign("v1/memories/<memory_id>/history", HistoryView, "mem0-history"),
    foreign("v1/memories/<memory_id>", MemoryView, "mem0-memory"),
    foreign("v2/memories/search", SearchView, "mem0-search"),
    foreign("v2/memories", ListView, "mem0-list-v2"),
    foreign("v3/memories/add", AddView, "mem0-add"),
    foreign("v3/memories/search", SearchView, "mem0-search-v3"),
    foreign("v3/memories", ListView, "mem0-list"),
    foreign("v1/batch", BatchView, "mem0-batch"),
    foreign("v1/entities", EntitiesView, "mem0-entities"),
    foreign("v1/entities/<kind>/<path:name>", EntityView, "mem0-entity-v1"),
    foreign("v2/entities/user/<path:name>/profile", ProfileView, "mem0-profile"),
    foreign("v2/entities/<kind>/<path:name>", EntityView, "mem0-entity"),
    foreign("v1/events", EventsView, "mem0-events"),
    foreign("v1/event/<event_id>", EventView, "mem0-event"),
    foreign("v1/feedback", FeedbackView, "mem0-feedback"),
    foreign("v1/exports", ExportsView, "mem0-exports"),
    foreign("v1/exports/get", ExportView, "mem0-export"),
    foreign("v1/summary", SummaryView, "mem0-summary"),
    foreign("v2/profiles/settings", ProfileSettingsView, "mem0-profile-settings"),
    foreign("v2/profiles/jobs", ProfileJobsView, "mem0-profile-jobs"),
    foreign("v2/profiles/jobs/<job_id>", ProfileJobView, "mem0-profile-job"),
    foreign(PROJECTS, ProjectsView, "mem0-projects"),
    foreign(PROJECT, ProjectView, "mem0-project"),
    foreign(f"{PROJECT}/members", MembersView, "mem0-members"),
    foreign("api/v1/webhooks/projects/<project_id>", ProjectWebhooksView, "mem0-webhooks"),
    foreign("api/v1/webhooks/<webhook_id>/", Mem0WebhookView, "mem0-webhook"),
    foreign("api/v1/auth/email_code", SignUpView, "mem0-sign-up"),
    foreign("api/v1/auth/email_code/verify", SignUpView, "mem0-sign-up-verify"),
    foreign("api/v1/auth/agent_mode", SignUpView, "mem0-sign-up-agent"),
]
MEM0_SELF_HOSTED = [
    foreign("memories", HostedMemoriesView, "mem0-hosted-memories"),
    foreign("memories/search", HostedSearchView, "mem0-hosted-memories-search"),
    foreign("memories/<memory_id>/history", HistoryView, "mem0-hosted-history"),
    foreign("memories/<memory_id>", HostedMemoryView, "mem0-hosted-memory"),
    foreign("search", HostedSearchView, "mem0-hosted-search"),
    foreign("entities", HostedEntitiesView, "mem0-hosted-entities"),
    foreign("entities/<kind>/<path:name>", EntityView, "mem0-hosted-entity"),
]

OPENAI = [
    foreign("v1/chat/completions", ChatCompletionsView, "openai-chat"),
    foreign("v1/models", ModelsView, "openai-models"),
    foreign("v1/models/<path:model>", ModelView, "openai-model"),
    foreign("v1/embeddings", EmbeddingsView, "openai-embeddings"),
]

urlpatterns = [*MEM0_PLATFORM, *MEM0_SELF_HOSTED, *OPENAI]
