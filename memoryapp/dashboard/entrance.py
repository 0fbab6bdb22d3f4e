"""Coming in: sign-in, the way back to the page you were last on, and the theme that goes with a person."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from memoryapp.dashboard.second_step import enter
from memoryapp.models import Agent
from tenants.authentication import membership_for_session
from tenants.exceptions import InvalidTenantInput, TooManyAttempts, UnknownWorkspace
from tenants.first_account import is_untouched
from tenants.limits import PasswordTries
from tenants.principals import principal_for_member
from tenants.profiles import update_profile
from tenants.scoping import workspace_scope


class SignInForm(AuthenticationForm):
    """One message for a wrong pair, whoever it is."""

    stay = forms.BooleanField(label=_("Stay signed in on this device"), required=False, initial=True)

    error_messages = {
        "invalid_login": _("User name and password don’t match."),
        "inactive": _("User name and password don’t match."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        for name in ("username", "password"):
            self.fields[name].widget.attrs["class"] = "input"

    def clean(self) -> dict[str, Any]:
        """Look at the pair, unless too many were wrong just now; then not even a right one is looked at."""
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        tries = PasswordTries(self.cleaned_data.get("username", ""), address)
        try:
            tries.check()
        except TooManyAttempts as error:
            raise ValidationError(error.detail, code=error.code) from error
        try:
            return super().clean()
        except ValidationError:
            tries.count_wrong()
            raise


class SignIn(LoginView):
    """The sign-in page."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Nobody can sign in where nobody has an account.
        return redirect("welcome") if is_untouched() else super().get(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        further = enter(
            self.request,
            form.get_user(),
            stay=form.cleaned_data["stay"],
            next_url=self.get_redirect_url(),
        )
        return further or redirect(self.get_success_url())

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, TooManyAttempts.code):
            response.status_code = TooManyAttempts.status
        return response


@login_required
def go_home(request: HttpRequest, workspace: str | None = None) -> HttpResponse:
    """The overview of the first agent of the workspace named, else of the one last used."""
    try:
        membership = membership_for_session(request, slug=workspace)
    except UnknownWorkspace as error:
        if workspace is not None:
            raise Http404 from error
        return _homeless(request)
    principal = principal_for_member(membership)
    with workspace_scope(principal.workspace):
        agent = Agent.objects.visible_to(principal).first()
    if agent is None:
        return redirect("dashboard:agents", membership.workspace.slug)
    return redirect("dashboard:overview", membership.workspace.slug, agent.slug)


def _homeless(request: HttpRequest) -> HttpResponse:
    """The last workspace is gone: forget it and try the first one; a person without any is told so."""
    if request.session.pop("workspace", None):
        return redirect("home")
    return render(request, "dashboard/homeless.html")


@login_required
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep a person's theme and go back to where they were."""
    theme = request.POST.get("theme", "")
    try:
        update_profile(user=cast(User, request.user), theme=theme)
    except InvalidTenantInput as error:
        raise Http404 from error
    request.session["theme"] = theme
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if safe else "home")
