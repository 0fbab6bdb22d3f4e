"""The playground: talk to an agent as oneself and see its memory work."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from memoryapp.chat.turns import Said, run_turn
from memoryapp.dashboard import morning
from memoryapp.dashboard.conversation_memory import account_of, last_recall
from memoryapp.dashboard.pages import REFUSALS, Visit, page
from memoryapp.dashboard.preview import show_preview
from memoryapp.exceptions import ModelUnavailable, NotFound
from memoryapp.jobs import enqueue_extraction
from memoryapp.models import Conversation, Message

CONVERSATIONS_SHOWN = 30
MESSAGES_SHOWN = 200
EXAMPLES = (
    _(
        "I run operations in Rotterdam. Please send me one summary on Monday at eight, because I read it on the train."
    ),
    _("Correction: send the summary at nine, not at eight."),
    _("What do you know about me?"),
)
SHORTCUTS = (
    (("Enter",), _("send")),
    (("Shift", "Enter"), _("new line")),
    (("Esc",), _("stop")),
)


def _own(visit: Visit) -> Any:
    """The person's conversations with the agent, latest first."""
    rows = Conversation.objects.visible_to(visit.principal).filter(
        agent=visit.the_agent, owner_key=visit.principal.owner_key
    )
    return rows.order_by("-last_message_at", "-created_at")


def _wanted(visit: Visit) -> Conversation | None:
    """The conversation that the address or the form names by the client's own word, None for a new one."""
    name = visit.request.GET.get("c") or visit.request.POST.get("c", "")
    if not name:
        return None
    conversation: Conversation | None = _own(visit).filter(external_id=name[:128]).first()
    if conversation is None:
        raise NotFound
    return conversation


@page("playground")
def show_playground(request: HttpRequest, visit: Visit, conversation_id: UUID | None = None) -> HttpResponse:
    """The conversation the address names, else the latest; `?new=1` begins another."""
    recent = list(_own(visit)[:CONVERSATIONS_SHOWN])
    if conversation_id is not None:
        conversation = _own(visit).filter(pk=conversation_id).first()
        if conversation is None:
            raise NotFound
    elif "new" in request.GET:
        conversation = None
    else:
        conversation = _wanted(visit) or next(iter(recent), None)
    part = "#messages" if visit.htmx.target == "messages" else ""
    context = {
        "recent": recent,
        "examples": EXAMPLES,
        "page_shortcuts": SHORTCUTS,
        "stream_url": reverse("api:chat-stream"),
        **_talk(visit, conversation),
    }
    return visit.render(f"dashboard/playground.html{part}", context)


def _talk(visit: Visit, conversation: Conversation | None) -> dict[str, Any]:
    """What was said, what the last reply rests on, and what was kept."""
    if conversation is None:
        return {"conversation": None, "said": [], "recalled": [], "account": None}
    rows = Message.objects.visible_to(visit.principal).filter(conversation=conversation).order_by("-number")
    said = list(rows[:MESSAGES_SHOWN])[::-1]
    return {
        "conversation": conversation,
        "said": said,
        "recalled": last_recall(visit.principal, conversation, said),
        "account": account_of(visit.principal, conversation),
    }


@page("playground")
def show_memory(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The panel beside the talk, asked for again while something is still to be read."""
    return visit.render("dashboard/playground.html#turn", {"part": True, **_talk(visit, _wanted(visit))})


@page("playground")
def say(request: HttpRequest, visit: Visit) -> HttpResponse:
    """A message sent without script: the page comes back with the reply."""
    name = request.POST.get("c") or None
    said = Said(
        agent=str(visit.the_agent.pk), text=request.POST.get("message", ""), conversation=name, channel="web"
    )
    try:
        reply = run_turn(principal=visit.principal, said=said)
    except ModelUnavailable as error:
        # The message is kept; the page shows it with the broken reply.
        visit.complain(error)
        return redirect(visit.url("playground"))
    except REFUSALS as error:
        visit.complain(error)
        return redirect(visit.url("playground") + (f"?{urlencode({'c': name})}" if name else "?new=1"))
    return redirect(f"{visit.url('playground')}?{urlencode({'c': reply.conversation})}#last")


@page("playground")
def read_now(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have what was said read at once, whatever the cooldown says."""
    conversation = _wanted(visit)
    if conversation is None:
        raise NotFound
    enqueue_extraction(conversation, bypass=True)
    return redirect(f"{visit.url('playground')}?{urlencode({'c': conversation.external_id})}")


urlpatterns = [
    *morning.urlpatterns,
    path("", show_playground, name="playground"),
    path("memory/", show_memory, name="playground-memory"),
    path("preview/", show_preview, name="playground-preview"),
    path("say/", require_POST(say), name="playground-say"),
    path("read/", require_POST(read_now), name="playground-read"),
    path("<uuid:conversation_id>/", show_playground, name="playground-conversation"),
]
