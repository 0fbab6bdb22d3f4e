"""Switching the second step on and off, with a QR code drawn by the server, and recovery codes shown once."""

from __future__ import annotations

from typing import NamedTuple

import segno
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from tenants.two_step import (
    begin_two_step,
    confirm_two_step,
    disable_two_step,
    has_two_step,
    renew_recovery_codes,
    setup_address,
)

QUIET = 4


class QrCode(NamedTuple):
    """A QR code as one path in a square of so many modules, the quiet zone included."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """The QR code of a text, row by row."""
    rows = segno.make(text, error="m", micro=False).matrix
    dark = (
        f"M{x + QUIET} {y + QUIET}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, module in enumerate(row)
        if module
    )
    return QrCode(len(rows) + 2 * QUIET, "".join(dark))


class FirstCodeForm(PageForm):
    """The first code that a new authenticator shows."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
        ),
        help_text=gettext_lazy("The six digits that your authenticator shows now."),
    )


class CodeForm(PageForm):
    """A code that proves oneself."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
        help_text=gettext_lazy("Six digits from your authenticator app, or one of your recovery codes."),
    )


class OffForm(CodeForm):
    """What switching the second step off takes."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ("password", "code")


@sensitive_post_parameters("code")
@page("account", scoped=False)
def set_up(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The QR code; with a right first code, the recovery codes, this once."""
    user = visit.membership.user
    if request.method != "POST" and has_two_step(user):
        return redirect(visit.url("account"))
    form = FirstCodeForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            return _show_codes(visit, confirm_two_step(user=user, code=form.cleaned_data["code"]))
        except REFUSALS as error:
            form.refuse(error)
            status = error.status
    secret = begin_two_step(user=user)
    context = {
        "form": form,
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "qr": qr_code(setup_address(user, secret, f"memoryapp {request.get_host()}")),
    }
    return visit.render("dashboard/account_second_step.html", context, crumbs=_crumbs(), status=status)


@sensitive_post_parameters("code")
@page("account", scoped=False)
def renew_codes(request: HttpRequest, visit: Visit) -> HttpResponse:
    """New recovery codes for whoever has a code, shown this once; the old ones count no more."""
    if not has_two_step(visit.membership.user):
        return redirect(visit.url("account"))
    form = CodeForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            return _show_codes(
                visit, renew_recovery_codes(user=visit.membership.user, code=form.cleaned_data["code"])
            )
        except REFUSALS as error:
            form.refuse(error)
            status = error.status
    context = {
        "form": form,
        "title": _("New recovery codes"),
        "words": _("The old ones stop working as soon as you see the new ones."),
        "act": _("Make new codes"),
    }
    return visit.render("dashboard/account_prove.html", context, crumbs=_crumbs(), status=status)


@sensitive_post_parameters("code", "password")
@page("account", scoped=False)
def switch_off(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Sign in with the password alone again, for whoever knows it and has a code."""
    if not has_two_step(visit.membership.user):
        return redirect(visit.url("account"))
    form = OffForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            disable_two_step(user=visit.membership.user, **form.cleaned_data)
        except REFUSALS as error:
            form.refuse(error)
            status = error.status
        else:
            visit.toast(_("You sign in with your password alone again."))
            return redirect(visit.url("account"))
    context = {
        "form": form,
        "title": _("Switch off the second step"),
        "words": _("Anyone who learns your password can then sign in as you."),
        "act": _("Switch off"),
        "danger": True,
    }
    return visit.render("dashboard/account_prove.html", context, crumbs=_crumbs(), status=status)


def _show_codes(visit: Visit, codes: list[str]) -> HttpResponse:
    return visit.render("dashboard/account_codes.html", {"codes": codes}, crumbs=_crumbs())


def _crumbs() -> list[Crumb]:
    return [Crumb(_("Second step"))]
