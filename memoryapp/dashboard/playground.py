"""The playground: talk to an agent as yourself or as a test end user, and see its memory work.

As somebody an admin has opened one may only try what the agent would answer; nothing of that is stored.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from memoryapp.chat.trying import TriedTurn, try_turn
from memoryapp.chat.turns import Said, run_turn
from memoryapp.dashboard import first_words, morning
from memoryapp.dashboard.conversation_memory import account_of, last_recall
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.preview import show_preview
from memoryapp.dashboard.whose import Subject, subject_of, subjects, test_subject
from memoryapp.exceptions import ModelUnavailable, NotFound
from memoryapp.jobs import enqueue_extraction
from memoryapp.models import Conversation, Message
from tenants.models import Role
from tenants.owners import TEST_CHANNEL
from tenants.scoping import workspace_scope

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


def _subject(visit: Visit) -> Subject:
    """As whom the address or the form talks."""
    return subject_of(visit, visit.request.GET.get("as") or visit.request.POST.get("as", ""))


def _address(visit: Visit, subject: Subject, **query: object) -> str:
    """The playground's address for the person it is used as."""
    kept = {
        name: value
        for name, value in {"as": "" if subject.is_self else subject.key, **query}.items()
        if value
    }
    return visit.url("playground") + (f"?{urlencode(kept)}" if kept else "")


def _own(visit: Visit, subject: Subject) -> Any:
    """The person's conversations with the agent, latest first."""
    rows = Conversation.objects.visible_to(subject.principal).filter(
        agent=visit.the_agent, owner_key=subject.key
    )
    return rows.order_by("-last_message_at", "-created_at")


def _wanted(visit: Visit, subject: Subject) -> Conversation | None:
    """The conversation that the address or the form names by the client's own word, None for a new one."""
    name = visit.request.GET.get("c") or visit.request.POST.get("c", "")
    if not name:
        return None
    conversation: Conversation | None = _own(visit, subject).filter(external_id=name[:128]).first()
    if conversation is None:
        raise NotFound
    return conversation


@page("playground")
def show_playground(request: HttpRequest, visit: Visit, conversation_id: UUID | None = None) -> HttpResponse:
    """The conversation the address names, else the latest; `?new=1` begins another, `?as=` talks as somebody else."""
    if name := request.GET.get("test", "").strip():
        return _begin_as_test(visit, name)
    subject = _subject(visit)
    recent = list(_own(visit, subject)[:CONVERSATIONS_SHOWN])
    if conversation_id is not None:
        conversation = _own(visit, subject).filter(pk=conversation_id).first()
        if conversation is None:
            raise NotFound
    elif "new" in request.GET:
        conversation = None
    else:
        conversation = _wanted(visit, subject) or next(iter(recent), None)
    return _rendered(visit, subject, conversation, recent)


def _begin_as_test(visit: Visit, name: str) -> HttpResponse:
    """A new talk as a test end user of this name, whether or not there is one yet."""
    try:
        return redirect(_address(visit, test_subject(visit, name), new=1))
    except NotFound:
        messages.error(visit.request, _("A test end user cannot have this name."))
        return redirect(visit.url("playground"))


def _rendered(
    visit: Visit,
    subject: Subject,
    conversation: Conversation | None,
    recent: list[Conversation],
    tried: TriedTurn | None = None,
) -> HttpResponse:
    part = "#messages" if visit.htmx.target == "messages" else ""
    context = {
        "recent": recent,
        "examples": EXAMPLES,
        "page_shortcuts": SHORTCUTS,
        "stream_url": reverse("api:chat-stream"),
        "subjects": subjects(visit),
        "may_test": visit.principal.can(Role.MEMBER),
        **_talk(subject, conversation),
    }
    if tried is not None:
        context |= {"tried": tried, "recalled": tried.recalled}
    return visit.render(f"dashboard/playground.html{part}", context)


def _as(subject: Subject) -> dict[str, Any]:
    """As whom the page talks, and what links add to keep it so."""
    return {"subject": subject, "as_also": "" if subject.is_self else f"&{urlencode({'as': subject.key})}"}


def _talk(subject: Subject, conversation: Conversation | None) -> dict[str, Any]:
    """What was said, what the last reply rests on, and what was kept."""
    if conversation is None:
        return {**_as(subject), "conversation": None, "said": [], "recalled": [], "account": None}
    rows = Message.objects.visible_to(subject.principal).filter(conversation=conversation).order_by("-number")
    said = list(rows[:MESSAGES_SHOWN])[::-1]
    return {
        **_as(subject),
        "conversation": conversation,
        "said": said,
        "recalled": last_recall(subject.principal, conversation, said),
        "account": account_of(subject.principal, conversation),
    }


@page("playground")
def show_memory(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The panel beside the talk, asked for again while something is still to be read."""
    subject = _subject(visit)
    talk = _talk(subject, _wanted(visit, subject))
    return visit.render("dashboard/playground.html#turn", {"part": True, **talk})


@page("playground")
def say(request: HttpRequest, visit: Visit) -> HttpResponse:
    """A message sent without script: the page comes back with the reply."""
    subject = _subject(visit)
    name = request.POST.get("c") or None
    channel = TEST_CHANNEL if subject.is_test else "web"
    said = Said(str(visit.the_agent.pk), request.POST.get("message", ""), name, channel)
    try:
        if subject.is_read_only:
            return _try(visit, subject, said)
        reply = run_turn(principal=subject.principal, said=said)
    except ModelUnavailable as error:
        # The message is kept; the page shows it with the broken reply.
        visit.complain(error)
        return redirect(_address(visit, subject))
    except REFUSALS as error:
        visit.complain(error)
        return redirect(_address(visit, subject, **({"c": name} if name else {"new": 1})))
    return redirect(_address(visit, subject, c=reply.conversation) + "#last")


def _try(visit: Visit, subject: Subject, said: Said) -> HttpResponse:
    """What the agent would answer somebody whose memory is open: shown once, and kept nowhere."""
    tried = try_turn(principal=subject.principal, said=said)
    with workspace_scope(visit.workspace):
        recent = list(_own(visit, subject)[:CONVERSATIONS_SHOWN])
        return _rendered(visit, subject, _wanted(visit, subject), recent, tried)


@page("playground")
def read_now(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have what was said read at once, whatever the cooldown says."""
    subject = _subject(visit)
    with workspace_scope(visit.workspace):
        conversation = _wanted(visit, subject)
    if conversation is None or subject.is_read_only:
        raise NotFound
    enqueue_extraction(conversation, bypass=True)
    return redirect(_address(visit, subject, c=conversation.external_id))


urlpatterns = [
    *morning.urlpatterns,
    *first_words.urlpatterns,
    path("", show_playground, name="playground"),
    path("memory/", show_memory, name="playground-memory"),
    path("preview/", show_preview, name="playground-preview"),
    path("say/", require_POST(say), name="playground-say"),
    path("read/", require_POST(read_now), name="playground-read"),
    path("<uuid:conversation_id>/", show_playground, name="playground-conversation"),
]
