"""The account page: password and second step, the browsers you are signed in with, preferences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memoryapp.dashboard.account.devices import is_phone, name_of_device
from memoryapp.dashboard.forms import LongSelect, PageForm, time_zones
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from tenants.models import Session, TwoStep
from tenants.profiles import update_profile
from tenants.sessions import end_other_sessions, end_session, handle_of, sessions_of
from tenants.two_step import recovery_codes_left


class PreferencesForm(PageForm):
    """How somebody wants the dashboard."""

    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        required=False,
        widget=LongSelect,
        help_text=gettext_lazy("Times are shown in this zone. Nights follow the workspace’s."),
    )
    shortcuts = forms.BooleanField(label=gettext_lazy("Single-key shortcuts"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [("", _("as the workspace")), *time_zones()]  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Browser:
    """One browser that somebody is signed in with, as the list shows it."""

    session: Session
    is_this: bool

    @property
    def name(self) -> str:
        return name_of_device(self.session.device)

    @property
    def icon(self) -> str:
        return "smartphone" if is_phone(self.session.device) else "monitor"

    @property
    def handle(self) -> str:
        return handle_of(self.session)


@page("account")
def show_account(request: HttpRequest, visit: Visit) -> HttpResponse:
    """One's own account, whichever workspace one looks from."""
    return _account(visit, _preferences(visit))


def _preferences(visit: Visit) -> PreferencesForm:
    known = visit.profile
    initial = {"time_zone": known.time_zone, "shortcuts": known.shortcuts} if known else {"shortcuts": True}
    return PreferencesForm(visit.request.POST or None, initial=initial)


def _account(visit: Visit, form: PreferencesForm) -> HttpResponse:
    user = visit.membership.user
    here = visit.request.session.session_key
    browsers = [Browser(each, each.session_key == here) for each in sessions_of(user)]
    context = {
        "form": form,
        "browsers": sorted(browsers, key=lambda each: not each.is_this),
        "two_step": TwoStep.objects.filter(user=user).exclude(confirmed_at=None).first(),
        "codes_left": recovery_codes_left(user),
    }
    return visit.render("dashboard/account.html", context, status=form.status)


@page("account")
def prefer(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Keep somebody's preferences."""
    form = _preferences(visit)
    if not form.is_valid():
        return _account(visit, form)
    update_profile(user=visit.membership.user, **form.cleaned_data)
    visit.toast(_("Saved."))
    return redirect(visit.url("account"))


@page("account")
def end_sessions(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Sign oneself out of one other browser, or of all of them."""
    user = visit.membership.user
    if "others" in request.POST:
        ended = end_other_sessions(user=user, keep=request.session.session_key)
        told = ngettext(
            "You are signed out of %(count)d other browser.",
            "You are signed out of %(count)d other browsers.",
            ended,
        )
        visit.toast(told % {"count": ended})
    elif end_session(user=user, handle=request.POST.get("session", "")):
        visit.toast(_("You are signed out there."))
    else:
        raise NotFound
    return redirect(visit.url("account"))
