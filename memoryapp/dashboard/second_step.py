"""The door behind the password: anybody who signs in in two steps enters a code first, everybody else is in."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from memoryapp.dashboard.forms import PageForm
from tenants.exceptions import TooManyAttempts
from tenants.models import Profile
from tenants.sessions import describe_session
from tenants.two_step import has_two_step, pass_second_step

WAITING = "second_step"
LASTS = timedelta(minutes=10)


def enter(request: HttpRequest, user: User, *, stay: bool = True, next_url: str = "") -> HttpResponse | None:
    """Let somebody in whose password was right; or the way to the second step, when they have one."""
    if not has_two_step(user):
        _sign_in(request, user, stay)
        return None
    request.session.cycle_key()
    request.session[WAITING] = {
        "user": user.pk,
        "stay": stay,
        "since": timezone.now().isoformat(),
        # A password changed in the meantime ends the wait.
        "proof": user.get_session_auth_hash(),
    }
    address = reverse("login-code")
    return redirect(f"{address}?{urlencode({'next': next_url})}" if next_url else address)


def _sign_in(request: HttpRequest, user: User, stay: bool) -> None:
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.pop(WAITING, None)
    describe_session(request.session, request.headers.get("User-Agent", ""))
    if not stay:
        request.session.set_expiry(0)
    profile = Profile.objects.filter(user=user).first()
    request.session["theme"] = profile.theme if profile else "system"


def _who_waits(request: HttpRequest) -> tuple[User, bool] | None:
    """Who gave the right password here a few minutes ago, and whether they wish to stay signed in."""
    waiting: dict[str, Any] = request.session.get(WAITING) or {}
    if not waiting or timezone.now() - datetime.fromisoformat(waiting["since"]) > LASTS:
        return None
    user = User.objects.filter(pk=waiting["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), waiting["proof"]):
        return None
    return user, bool(waiting["stay"])


class CodeForm(PageForm):
    """A code of the authenticator, or one on paper."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
        ),
        help_text=gettext_lazy("Six digits from your authenticator app, or one of your recovery codes."),
    )


@method_decorator(sensitive_post_parameters("code"), name="dispatch")
class SecondStep(RedirectURLMixin, FormView):  # type: ignore[type-arg] # no class parameters at run time
    """Asks whoever gave the right password for a code."""

    form_class = CodeForm
    template_name = "entrance/code.html"
    next_page = "home"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        self.waiting = _who_waits(request)
        return super().dispatch(request, *args, **kwargs) if self.waiting else redirect("login")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(next=self.get_redirect_url(), **kwargs)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        user, stay = cast("tuple[User, bool]", self.waiting)
        try:
            if pass_second_step(user=user, code=form.cleaned_data["code"]):
                _sign_in(self.request, user, stay)
                return redirect(self.get_success_url())
            form.add_error("code", _("This code is wrong, or has been used already."))
        except TooManyAttempts as error:
            form.refuse(error)
            return self.render_to_response(self.get_context_data(form=form), status=error.status)
        return self.form_invalid(form)

    def form_invalid(self, form: CodeForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)
