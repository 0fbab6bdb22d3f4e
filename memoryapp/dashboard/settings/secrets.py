"""What counts as a secret here, and purging what got in before it was known to be one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.masking import CREDENTIAL_PATTERNS, checked_patterns, credential_patterns
from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.jobs import enqueue_scrub, last_scrub
from memoryapp.models import Event
from tenants.actions import update_workspace
from tenants.models import Role

POLL = "every 2s"


class PatternsForm(PageForm):
    """The workspace's own patterns, one a line."""

    credential_patterns = forms.CharField(
        label=gettext_lazy("Patterns of your own"),
        required=False,
        max_length=16_000,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "class": "input mono"}),
        help_text=gettext_lazy(
            "Regular expressions, one per line, such as HARB-KEY-[0-9]{8}. The usual kinds of keys, tokens "
            "and passwords are known already."
        ),
    )


@dataclass(frozen=True, slots=True)
class ScrubState:
    """How the latest scrub stands, for the page."""

    event: Event
    dry_run: bool
    percent: int
    changed: list[tuple[str, int]]
    left: list[tuple[str, int]]
    backups: int

    @property
    def runs(self) -> bool:
        return self.event.status in {Event.Status.PENDING, Event.Status.RUNNING}

    @property
    def poll(self) -> str:
        return POLL if self.runs else ""


def scrub_state(event: Event | None) -> ScrubState | None:
    """The latest scrub as the page tells it; None when there never was one."""
    if event is None:
        return None
    progress, result = event.payload.get("progress", {}), event.result
    told: dict[str, Any] = result or progress
    total = max(int(progress.get("total", 0)), 1)
    return ScrubState(
        event,
        bool(told.get("dryRun")),
        min(100, 100 * int(progress.get("read", 0)) // total),
        _counted(told.get("changed", {})),
        _counted(told.get("left", {})),
        len(result.get("backups", [])),
    )


def _counted(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


@page("settings", role=Role.ADMIN)
def show_secrets(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The patterns, and how the latest scrub stands; that part is asked for again while one runs."""
    state = scrub_state(last_scrub(visit.workspace))
    if visit.htmx.target == "scrub":
        return visit.render("dashboard/settings_secrets.html#scrub", {"state": state})
    known = "\n".join(credential_patterns(visit.workspace))
    form = PatternsForm(request.POST or None, initial={CREDENTIAL_PATTERNS: known})
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            patterns = checked_patterns(form.cleaned_data[CREDENTIAL_PATTERNS].splitlines())
            update_workspace(principal=visit.principal, settings={CREDENTIAL_PATTERNS: patterns})
            visit.toast(
                _(
                    "Saved. They apply to everything from now on; purge to apply them to what is already stored."
                )
            )
            return redirect(visit.url("settings-secrets"))
    return visit.render(
        "dashboard/settings_secrets.html",
        {"form": form, "state": state},
        crumbs=[Crumb(_("Secrets"))],
        status=form.status,
    )


@page("settings", role=Role.ADMIN)
def start_scrub(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Have everything read again, to count or to purge."""
    try:
        enqueue_scrub(principal=visit.principal, dry_run=request.POST.get("count") == "yes")
    except REFUSALS as error:
        visit.complain(error)
    return redirect(visit.url("settings-secrets") + "#scrub")
