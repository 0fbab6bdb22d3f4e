"""What the model will see for a message: every part with its tokens, what was left out, what was recalled and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.chat.preview import Preview, Recollected, show_turn
from memoryapp.chat.turns import Said
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.dashboard.whose import subject_of, subjects
from memoryapp.wording import say

LONGEST_MESSAGE = 64_000
NAMES = {
    "system": gettext_lazy("System prompt"),
    "summary": gettext_lazy("Summary of the conversation so far"),
    "history": gettext_lazy("Earlier message"),
    "memory": gettext_lazy("Memory of this person, as a quotation"),
    "message": gettext_lazy("The message"),
}
PARTS = {
    "lexical": gettext_lazy("words"),
    "vector": gettext_lazy("meaning"),
    "context": gettext_lazy("context"),
    "speaker": gettext_lazy("speaker"),
    "said_then": gettext_lazy("said then"),
    "happened_then": gettext_lazy("happened then"),
    "importance": gettext_lazy("importance"),
    "trust": gettext_lazy("trust"),
    "recency": gettext_lazy("recency"),
    "from_person": gettext_lazy("said by the person"),
    "directive": gettext_lazy("a rule"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One recalled thing with the parts of its score in words."""

    item: Recollected
    reasons: list[tuple[str, str]]


@page("playground", scoped=False)
def show_preview(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The form, and with a message what a turn would send. Nothing is stored and no model is called."""
    text = request.GET.get("m", "")[:LONGEST_MESSAGE]
    name = request.GET.get("c", "")
    subject = subject_of(visit, request.GET.get("as", ""))
    context: dict[str, Any] = {
        "text": text,
        "name": name,
        "preview": None,
        "refusal": "",
        "subject": subject,
        "subjects": subjects(visit),
    }
    status = 200
    if text.strip():
        try:
            said = Said(str(visit.the_agent.pk), text, name or None, channel="web")
            context.update(_shown(show_turn(principal=subject.principal, said=said)))
        except REFUSALS as error:
            context["refusal"], status = say(error.detail), 400
    return visit.render(
        "dashboard/preview.html", context, crumbs=[Crumb(_("What the model will see"))], status=status
    )


def _shown(preview: Preview) -> dict[str, Any]:
    largest = max([part.tokens for part in preview.parts], default=1) or 1
    return {
        "preview": preview,
        "parts": [
            (part, NAMES.get(part.name, part.name), 100 * part.tokens // largest) for part in preview.parts
        ],
        "recalled": [Shown(item, _reasons(item)) for item in preview.recalled],
        "share": round(100 * preview.tokens / preview.window, 1) if preview.window else 0,
    }


def _reasons(item: Recollected) -> list[tuple[str, str]]:
    """The parts of a score, each with its number."""
    told: list[tuple[str, str]] = []
    for name, value in item.explain.items():
        if isinstance(value, dict) and "score" in value:
            if value["score"] is not None:
                told.append((str(PARTS.get(name, name)), f"{value['score']:.2f}"))
        elif isinstance(value, dict):
            told += [
                (str(PARTS.get(part, part)), f"{number:+.2f}") for part, number in value.items() if number
            ]
    return told
