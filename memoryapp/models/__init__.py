"""The nouns of the product: what is remembered, where it came from, and the work done on it."""

from memoryapp.models.agents import Agent
from memoryapp.models.contradictions import Contradiction, DismissedPair
from memoryapp.models.conversations import Conversation, Extraction, Message
from memoryapp.models.dreams import Dream, DreamEntry
from memoryapp.models.embeddings import Embedding
from memoryapp.models.events import Event, Heartbeat
from memoryapp.models.facts import Fact, FactFeedback, FactRevision, FactSource, Tombstone
from memoryapp.models.files import FileRevision, FileSection, WorkspaceFile
from memoryapp.models.forgetting import Forgetting
from memoryapp.models.nights import Bucket, MorningCard, Schedule
from memoryapp.models.owners import Owner
from memoryapp.models.proposals import DreamArchive, SoulProposal
from memoryapp.models.recalls import Recall
from memoryapp.models.snapshots import Backup, ErasureReceipt, ImportPart, SnapshotImport
from memoryapp.models.usage import UsageDay
from memoryapp.models.webhooks import Webhook, WebhookDelivery

__all__ = [
    "Agent",
    "Backup",
    "Bucket",
    "Contradiction",
    "Conversation",
    "DismissedPair",
    "Dream",
    "DreamArchive",
    "DreamEntry",
    "Embedding",
    "ErasureReceipt",
    "Event",
    "Extraction",
    "Fact",
    "FactFeedback",
    "FactRevision",
    "FactSource",
    "FileRevision",
    "FileSection",
    "Forgetting",
    "Heartbeat",
    "ImportPart",
    "Message",
    "MorningCard",
    "Owner",
    "Recall",
    "Schedule",
    "SnapshotImport",
    "SoulProposal",
    "Tombstone",
    "UsageDay",
    "Webhook",
    "WebhookDelivery",
    "WorkspaceFile",
]
