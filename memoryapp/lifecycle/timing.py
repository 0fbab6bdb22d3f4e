"""Whether a conversation may be read now: the preconditions of an extraction, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from memoryapp.lifecycle.transcripts import Stretch, readable
from memoryapp.llm.language.requests import asks_to_remember
from memoryapp.models import Conversation, Extraction
from tenants.models import Workspace
from tenants.owners import SYSTEM

# A talk that ends on a short "thanks!" is read once it has been quiet for this long.
QUIET = timedelta(minutes=10)
EXTRACTION = "extraction"
COOLDOWN_RUNS = "Another conversation with this person was read just now; the cooldown is running."
READ = (Extraction.Status.SUCCEEDED, Extraction.Status.NO_UPDATE)


@dataclass(frozen=True, slots=True)
class NotNow:
    """Why a conversation is not read now; with `until` it will be read then, if nobody says anything before."""

    reason: str
    until: datetime | None = None

    @property
    def status(self) -> Extraction.Status:
        return Extraction.Status.DEFERRED if self.until else Extraction.Status.SKIPPED


def never_read(conversation: Conversation) -> str:
    """Why this conversation is never read, whatever is said in it; empty when it may be."""
    if conversation.trigger == Conversation.Trigger.JOB and settings.MEMORY_SKIP_CRON_CONVERSATIONS:
        return "A background job held this conversation."
    if conversation.owner_key == SYSTEM:
        return "The system has no memory of its own."
    return ""


def reads_by_itself(workspace: Workspace) -> bool:
    """Whether conversations are read without being asked for."""
    return bool(settings.MEMORY_AUTO_SUMMARIZE and workspace.setting("auto_summarize", True))


def why_not_now(
    stretch: Stretch, workspace: Workspace, *, bypass: bool, cooldown: timedelta
) -> NotNow | None:
    """The first precondition that keeps this stretch from being read now, None when nothing does.

    `bypass` is for whoever asks for the reading: it skips the switch, the minimum and the cooldown, as does a message
    in which the person asks for something to be remembered.
    """
    never = never_read(stretch.conversation)
    if never:
        return NotNow(never)
    if not bypass and not reads_by_itself(workspace):
        return NotNow("Automatic extraction is switched off.")
    if not stretch.user_texts and not stretch.more:
        return NotNow(f"Nothing new was said since message {stretch.conversation.extracted_through}.")
    if bypass or any(asks_to_remember(text) for text in stretch.user_texts):
        return None
    return _too_few(stretch.conversation) or _too_short(stretch) or _too_soon(stretch.conversation, cooldown)


def _too_few(conversation: Conversation) -> NotNow | None:
    said, least = readable(conversation).count(), settings.MEMORY_MIN_MESSAGES_FOR_SUMMARIZE
    return (
        NotNow(f"The conversation has {said} messages; it is read from {least} on.") if said < least else None
    )


def _too_short(stretch: Stretch) -> NotNow | None:
    least = settings.MEMORY_MIN_USER_MESSAGE_LENGTH
    lengths = [len(text.strip()) for text in stretch.user_texts]
    if stretch.more or not lengths or lengths[-1] >= least:
        return None
    if max(lengths) < least:
        return NotNow(
            f"The last message has {lengths[-1]} characters; a conversation is read from {least} on."
        )
    quiet_from = stretch.said_at + QUIET
    if quiet_from <= timezone.now():
        return None
    return NotNow("The last message is short: the conversation may go on.", quiet_from)


def _too_soon(conversation: Conversation, cooldown: timedelta) -> NotNow | None:
    end = cooldown_end(conversation, cooldown)
    return NotNow(COOLDOWN_RUNS, end) if end else None


def cooldown_end(conversation: Conversation, cooldown: timedelta) -> datetime | None:
    """When this owner's conversations with the agent may be read again; None when they may be now.

    A reading that failed or was skipped does not count: it cost nothing, or has to be repeated.
    """
    if not cooldown:
        return None
    readings = Extraction.objects.filter(
        workspace_id=conversation.workspace_id,
        agent_id=conversation.agent_id,
        conversation__owner_key=conversation.owner_key,
        status__in=READ,
    )
    last = readings.order_by("-created_at").values_list("created_at", flat=True).first()
    end = last + cooldown if last else None
    return end if end and end > timezone.now() else None
