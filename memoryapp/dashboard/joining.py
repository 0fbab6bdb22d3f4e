"""Getting in: joining by a link, a new workspace, your password."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.dashboard.forms import PageForm, dress
from memoryapp.dashboard.second_step import enter
from memoryapp.dashboard.slugs import slug_of
from tenants.accounts import audit_account
from tenants.actions import create_workspace
from tenants.authentication import SESSION_WORKSPACE
from tenants.exceptions import UnknownWorkspace
from tenants.memberships import accept_invitation, find_invitation, may_create_workspace
from tenants.models import Invitation
from tenants.sessions import end_other_sessions

PASSWORD_HINT = gettext_lazy("At least ten characters, and not one that everybody uses.")


class AccountForm(BaseUserCreationForm):  # type: ignore[type-arg] # no class parameters at run time
    """A new person's user name and password."""

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("User name")
        self.fields["username"].help_text = ""
        self.fields["password1"].help_text = PASSWORD_HINT
        dress(self)


def join(request: HttpRequest, secret: str) -> HttpResponse:
    """What a link invites to; who has no account makes one here, and joining uses the link up."""
    try:
        invitation = find_invitation(secret)
        if request.method == "POST":
            return _join(request, secret, invitation)
    except UnknownWorkspace:
        return render(request, "entrance/used_up.html", status=404)
    form = None if request.user.is_authenticated else AccountForm()
    return render(request, "entrance/join.html", {"invitation": invitation, "form": form})


def _join(request: HttpRequest, secret: str, invitation: Invitation) -> HttpResponse:
    if request.user.is_authenticated:
        membership = accept_invitation(secret=secret, user=request.user)
    else:
        form = AccountForm(request.POST)
        if not form.is_valid():
            context = {"invitation": invitation, "form": form}
            return render(request, "entrance/join.html", context, status=400)
        # No account without a workspace when somebody else has just used the link.
        with transaction.atomic():
            user = form.save()
            membership = accept_invitation(secret=secret, user=user)
        enter(request, user)
    request.session[SESSION_WORKSPACE] = membership.workspace.slug
    return redirect("dashboard:workspace", membership.workspace.slug)


class WorkspaceForm(PageForm):
    """What a new workspace needs."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    slug = forms.CharField(
        label=gettext_lazy("Short name in addresses"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Left empty, it is made from the name."),
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=64,
        required=False,
        help_text=gettext_lazy("Such as Europe/Amsterdam: dreaming happens during its nights."),
    )


@login_required
def new_workspace(request: HttpRequest) -> HttpResponse:
    """Make a workspace of one's own, for the operator and whoever owns one already."""
    user = cast(User, request.user)
    if not may_create_workspace(user):
        raise Http404
    form = WorkspaceForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with form.showing_refusals():
            principal = create_workspace(
                name=values["name"],
                slug=values["slug"] or slug_of(values["name"], otherwise="workspace"),
                owner=user,
                time_zone=values["time_zone"] or None,
            )
            return redirect("dashboard:agents", principal.workspace.slug)
    return render(request, "entrance/new_workspace.html", {"form": form}, status=form.status)


class Dressed:
    """A view whose form wears the dashboard's classes."""

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)  # type: ignore[misc]
        form.fields["new_password1"].help_text = PASSWORD_HINT
        dress(form)
        return form


class ChangePassword(Dressed, PasswordChangeView):
    """One's own password, by whoever knows the present one."""

    template_name = "entrance/password.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed; other devices are signed out."))
        response = super().form_valid(form)
        _after_new_password(cast(User, self.request.user), keep=self.request.session.session_key)
        return response


class ResetPassword(Dressed, PasswordResetConfirmView):
    """A new password by a link that `manage.py reset_link` made; a second step stays between it and the pages."""

    template_name = "entrance/password.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        user = cast(User, self.user)
        _after_new_password(user, keep=None)
        return enter(self.request, user) or response


def _after_new_password(user: User, keep: str | None) -> None:
    """Whoever has come in with the old password is out."""
    end_other_sessions(user=user, keep=keep)
    audit_account(user, "password.changed")
