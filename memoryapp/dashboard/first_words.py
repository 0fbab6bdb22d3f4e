"""The last steps of the first run: say something to the new agent, and see what is kept of it and what is not."""

from __future__ import annotations

import time
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.dashboard.conversation_memory import account_of
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import is_offline
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.people.marks import mark_message
from memoryapp.dashboard.welcome import SESSION_FIRST_RUN, steps
from memoryapp.exceptions import NotFound, ValidationFailed
from memoryapp.lifecycle.extraction import extract_now
from memoryapp.llm.errors import ModelError
from memoryapp.models import Conversation, FactSource, Message
from tenants.scoping import workspace_scope

LONGEST = 2_000
SESSION_TOOK = "first_words_ms"
EXAMPLE = gettext_lazy(
    "Hi! I’m Mei, I run operations in Rotterdam. From now on send me one summary on Monday at eight. "
    "We decide on the cold-chain pilot by 30 June. The weather is awful today."
)
EXAMPLES = (
    (gettext_lazy("a correction"), gettext_lazy("Correction: send the summary at nine, not at eight.")),
    ("中文", "我在鹿特丹负责运营。请每周一早上八点给我发一份摘要，不要附件。"),
    (
        gettext_lazy("“remember that…”"),
        gettext_lazy("Remember that the crane at quay nine is out until Friday."),
    ),
    (
        gettext_lazy("“don’t remember this”"),
        gettext_lazy("Don’t remember this: I am meeting a competitor on Thursday."),
    ),
)


@page("playground", scoped=False)
def first_words(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Say something and have it read at once; the address names what was said and the fact that is lit."""
    if request.method == "POST":
        return _say(visit, request.POST.get("message", "").strip()[:LONGEST])
    if "done" in request.GET:
        request.session.pop(SESSION_FIRST_RUN, None)
        return visit.render("entrance/first_done.html", {"steps": steps("done")})
    with workspace_scope(visit.workspace):
        return _render(visit, _read(visit))


def _say(visit: Visit, text: str) -> HttpResponse:
    try:
        if not text:
            raise ValidationFailed.of("message", _("Say something first."))
        began = time.perf_counter()
        talk = open_conversation(principal=visit.principal, agent=visit.the_agent, channel="web")
        add_message(principal=visit.principal, conversation=talk, role="user", text=text)
        extract_now(principal=visit.principal, conversation=talk)
    except (*REFUSALS, ModelError) as error:
        with workspace_scope(visit.workspace):
            return _render(visit, {"text": text, "refusal": error.detail}, status=400)
    visit.request.session[SESSION_TOOK] = round((time.perf_counter() - began) * 1000)
    return redirect(f"{visit.url('playground-first')}?c={talk.external_id}#kept")


def _read(visit: Visit) -> dict[str, Any]:
    """What became of the words that the address names."""
    name = visit.request.GET.get("c", "")
    if not name:
        return {"text": "" if "t" in visit.request.GET else EXAMPLE}
    talks = Conversation.objects.owned_by(visit.principal).filter(agent=visit.the_agent)
    talk = talks.filter(external_id=name[:128]).first()
    said = Message.objects.owned_by(visit.principal).filter(conversation=talk, role="user").first()
    if talk is None or said is None:
        raise NotFound
    sources = list(FactSource.objects.visible_to(visit.principal).filter(message=said))
    account = account_of(visit.principal, talk)
    return {
        "text": said.text,
        "talk": talk,
        "marked": mark_message(said, sources, _fact(visit)),
        "fact_id": _fact(visit),
        "account": account,
        "all": len(account.kept) + len(account.refused),
        "took_ms": visit.request.session.get(SESSION_TOOK),
    }


def _fact(visit: Visit) -> UUID | None:
    try:
        return UUID(visit.request.GET.get("fact", ""))
    except ValueError:
        return None


def _render(visit: Visit, context: dict[str, Any], status: int = 200) -> HttpResponse:
    values = {"steps": steps("say"), "examples": EXAMPLES, "offline": is_offline(visit.workspace), **context}
    return visit.render("entrance/first_say.html", values, status=status)


urlpatterns = [path("first/", first_words, name="playground-first")]
