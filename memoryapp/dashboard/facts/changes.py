"""What you can do to facts from the list: add, edit, take an edit back, pin, judge, review."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.fact_lifecycle import give_feedback, pin_fact
from memoryapp.actions.facts import NewFact, add_fact, load_fact, update_fact
from memoryapp.actions.reviews import REVIEW_ACTIONS, load_reviewed
from memoryapp.dashboard.facts.drafts import keep_draft
from memoryapp.dashboard.facts.listing import addresses, as_rows, visible_facts
from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.models import Fact, FactRevision
from memoryapp.models.categories import FactCategory
from memoryapp.wording import say
from tenants.models import Role
from tenants.scoping import Scope, workspace_scope

DECISIONS = {
    "approve": gettext_lazy("Approved. It counts from now on."),
    "decline": gettext_lazy("Declined. It will not be proposed again."),
    "undo": gettext_lazy("It is waiting for review again."),
}


class FactForm(PageForm):
    """A fact in the words of the person who writes it."""

    text = forms.CharField(
        label=gettext_lazy("Fact"),
        help_text=gettext_lazy("One sentence that stands alone: who, what, and why if it matters."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    category = forms.ChoiceField(label=gettext_lazy("Category"), required=False)
    scope = forms.ChoiceField(label=gettext_lazy("Who sees it"))

    def __init__(self, *args: Any, may_share: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes = [
            (Scope.PERSONAL.value, _("Only you")),
            *([(Scope.TEAM.value, _("Team"))] if may_share else []),
        ]
        words = [(slug, say(word)) for slug, word in FactCategory.choices()]
        self.fields["category"].choices = [("", _("None")), *words]  # type: ignore[attr-defined]
        self.fields["scope"].choices = scopes  # type: ignore[attr-defined]


def back_to_list(visit: Visit) -> HttpResponse:
    """To the list as it was, filters and page included."""
    wanted = visit.request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, {visit.request.get_host()}, require_https=visit.request.is_secure()
    )
    return redirect(wanted if safe else visit.url("facts"))


@page("facts")
def review(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Approve or decline a fact that waits, or take the decision back."""
    wanted = request.POST.get("do") or request.GET.get("do", "")
    if wanted not in DECISIONS:
        raise NotFound
    fact = load_reviewed(visit.principal, visit.the_agent, fact_id)
    try:
        REVIEW_ACTIONS[wanted](principal=visit.principal, fact=fact)
    except REFUSALS as error:
        visit.complain(error)
    else:
        undo = "" if wanted == "undo" else visit.url("facts-review", fact.pk) + "?do=undo"
        visit.toast(str(DECISIONS[wanted]), undo=undo)
    return back_to_list(visit)


def _after_change(visit: Visit, fact: Fact) -> HttpResponse:
    """The changed row for HTMX, the list for everybody else."""
    if not visit.htmx:
        return back_to_list(visit)
    with workspace_scope(visit.workspace):
        fresh = visible_facts(visit).get(pk=fact.pk)
        return visit.render(
            "dashboard/facts.html#row", {"row": as_rows(visit, [fresh])[0], **addresses(visit)}
        )


@page("facts")
def add(request: HttpRequest, visit: Visit) -> HttpResponse:
    """A fact written by hand."""
    form = FactForm(request.POST or None, may_share=visit.principal.can(Role.MEMBER))
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            # Written here on purpose by the person themselves: what they once forgot may come back.
            added = add_fact(
                principal=visit.principal,
                agent=visit.the_agent,
                new=NewFact(**form.cleaned_data),
                lift_tombstone=True,
            )
            visit.toast(_added_words(added.created, added.masked))
            return redirect(f"{visit.url('facts')}?open={added.fact.pk}")
    part = "#form" if visit.htmx else ""
    return visit.render(f"dashboard/fact_add.html{part}", {"form": form}, status=form.status)


def _added_words(created: bool, masked: bool) -> str:
    if masked:
        return _("Added. A credential in it was masked and not stored.")
    return _("Added.") if created else _("Known already; this counts as another mention.")


@page("facts")
def edit(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Save new words of a fact; the toast takes them back. What is refused stands in the form again."""
    text = request.POST.get("text", "")
    fact = load_fact(visit.principal, visit.the_agent, fact_id)
    try:
        changed = update_fact(
            principal=visit.principal,
            fact=fact,
            if_version=_number(request.POST.get("version")),
            text=text,
            category=request.POST.get("category", fact.category),
            reason=_("edited in the dashboard"),
        )
    except REFUSALS as error:
        keep_draft(visit, fact.pk, text, say(error.detail))
        return redirect(f"{visit.url('facts')}?open={fact.pk}")
    with workspace_scope(visit.workspace):
        last = (
            FactRevision.objects.visible_to(visit.principal)
            .filter(fact_id=fact.pk)
            .order_by("-created_at")
            .first()
        )
    undo = visit.url("facts-undo", fact.pk, last.pk) if last and changed.version != fact.version else ""
    visit.toast(_("Saved.") if undo else _("Nothing was changed."), undo=undo)
    return back_to_list(visit)


def _number(value: str | None) -> int | None:
    return int(value) if value and value.isdecimal() else None


@page("facts")
def undo_edit(request: HttpRequest, visit: Visit, fact_id: UUID, revision_id: UUID) -> HttpResponse:
    """Give a fact the words back that it had before a change."""
    fact = load_fact(visit.principal, visit.the_agent, fact_id)
    with workspace_scope(visit.workspace):
        revision = (
            FactRevision.objects.visible_to(visit.principal).filter(fact_id=fact.pk, pk=revision_id).first()
        )
    if revision is None or not revision.before:
        raise NotFound
    before = revision.before
    try:
        update_fact(
            principal=visit.principal,
            fact=fact,
            text=before["text"],
            category=before["category"],
            reason=_("undone"),
        )
    except REFUSALS as error:
        visit.complain(error)
    else:
        visit.toast(_("The earlier words are back."))
    return redirect(f"{visit.url('facts')}?open={fact.pk}")


@page("facts")
def pin(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Pin a fact, or let it go."""
    fact = load_fact(visit.principal, visit.the_agent, fact_id)
    pin_fact(principal=visit.principal, fact=fact, pinned=request.POST.get("pinned") == "1")
    return _after_change(visit, fact)


@page("facts")
def judge(request: HttpRequest, visit: Visit, fact_id: UUID) -> HttpResponse:
    """Helpful, not helpful, or neither again."""
    fact = load_fact(visit.principal, visit.the_agent, fact_id)
    give_feedback(principal=visit.principal, fact=fact, kind=request.POST.get("kind") or None)
    return _after_change(visit, fact)
