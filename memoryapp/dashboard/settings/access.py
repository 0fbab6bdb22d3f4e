"""Who has access: members, invitations, tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memoryapp.dashboard.forms import REFUSALS, PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from memoryapp.exceptions import NotFound
from memoryapp.wording import say
from tenants.actions import issue_token, revoke_token, tokens_visible_to
from tenants.memberships import (
    change_role,
    invite,
    load_member,
    open_invitations,
    remove_member,
    revoke_invitation,
)
from tenants.models import Membership, Role, TokenScope
from tenants.principals import Principal

FRESH_LINK = "fresh_invitation"
LIFETIMES = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("1 year"),
    "": gettext_lazy("never"),
}


class InvitationForm(PageForm):
    """Whom an invitation is for, and as what they join."""

    note = forms.CharField(
        label=gettext_lazy("For"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Only for you, to recognise the link."),
    )
    role = forms.TypedChoiceField(label=gettext_lazy("As"), coerce=int, initial=Role.MEMBER)

    def __init__(self, *args: Any, principal: Principal, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = roles_up_to(principal)  # type: ignore[attr-defined]


def roles_up_to(principal: Principal) -> list[tuple[int, str]]:
    """The roles that a principal may give."""
    return [(role.value, say(role.label)) for role in Role if role <= principal.role]


class TokenForm(PageForm):
    """What a new token is for, what it may do, and how long."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=120, help_text=gettext_lazy("What uses it.")
    )
    scopes = forms.MultipleChoiceField(
        label=pgettext_lazy("permissions", "May"),
        choices=TokenScope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[TokenScope.CHAT, TokenScope.MEMORY_READ, TokenScope.MEMORY_WRITE],
    )
    agent = forms.ChoiceField(label=gettext_lazy("Agent"), required=False)
    end_user = forms.CharField(
        label=gettext_lazy("Bound to end user"),
        required=False,
        max_length=128,
        help_text=gettext_lazy("Left empty, it may name any."),
    )
    expires = forms.ChoiceField(
        label=gettext_lazy("Expires"), required=False, choices=list(LIFETIMES.items()), initial="90"
    )

    def __init__(self, *args: Any, agents: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["agent"].choices = [("", _("all agents")), *agents]  # type: ignore[attr-defined]
        # A scope is written as the API writes it.
        self.fields["scopes"].choices = [(scope, scope) for scope in TokenScope.values]  # type: ignore[attr-defined]


@page("settings")
def show_access(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Members and tokens; a new token appears once, in the page."""
    agents = [(str(agent.pk), agent.name) for agent in visit.agents]
    form = TokenForm(request.POST or None, agents=agents)
    fresh: tuple[Any, str] | None = None
    if request.method == "POST" and form.is_valid():
        with form.showing_refusals():
            fresh = _issue(visit, form.cleaned_data)
            form = TokenForm(agents=agents)
    names = {agent.pk: agent.name for agent in visit.agents}
    tokens = [
        (token, names.get(token.agent_id, _("all agents")))
        for token in tokens_visible_to(visit.principal).order_by("-created_at")
    ]
    context = {
        "form": form,
        "fresh": fresh,
        **_members(visit),
        "tokens": tokens,
        "soon": timezone.now() + timedelta(days=7),
        "now": timezone.now(),
    }
    crumbs = [Crumb(_("People and access"))]
    return visit.render("dashboard/settings_access.html", context, crumbs=crumbs, status=form.status)


def _members(visit: Visit) -> dict[str, Any]:
    """Who belongs to the workspace, and for admins who is invited and what they may change."""
    rows = Membership.objects.filter(workspace=visit.workspace).select_related("user")
    belonging = list(rows.order_by("-role", "created_at"))
    owners = sum(member.role == Role.OWNER for member in belonging)
    members = [
        (
            member,
            say(Role(member.role).label),
            visit.principal.role >= member.role and not _is_last(member, owners),
            _is_last(member, owners),
        )
        for member in belonging
    ]
    if not visit.principal.can(Role.ADMIN):
        return {"members": members}
    return {
        "members": members,
        "roles": roles_up_to(visit.principal),
        "invitations": open_invitations(visit.principal),
        "invitation_form": InvitationForm(principal=visit.principal),
        # Shown once, right after it was made; the session forgets it with the first look.
        "join_url": visit.request.session.pop(FRESH_LINK, ""),
    }


def _is_last(member: Membership, owners: int) -> bool:
    """Whether nobody would own the workspace without this member."""
    return member.role == Role.OWNER and owners == 1


@page("settings", role=Role.ADMIN)
def invite_somebody(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make a link by which somebody joins."""
    form = InvitationForm(request.POST, principal=visit.principal)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect(visit.url("settings-access"))
    values = form.cleaned_data
    _invitation, secret = invite(principal=visit.principal, role=Role(values["role"]), note=values["note"])
    request.session[FRESH_LINK] = request.build_absolute_uri(reverse("join", args=[secret]))
    return redirect(visit.url("settings-access"))


@page("settings", role=Role.ADMIN)
def withdraw(request: HttpRequest, visit: Visit, invitation_id: UUID) -> HttpResponse:
    """Make an invitation unusable."""
    revoke_invitation(principal=visit.principal, invitation_id=invitation_id)
    visit.toast(_("The invitation is taken back."))
    return redirect(visit.url("settings-access"))


@page("settings", role=Role.ADMIN)
def change_member(request: HttpRequest, visit: Visit, membership_id: UUID) -> HttpResponse:
    """Give a member another role, or take their access away."""
    member = load_member(visit.principal, membership_id)
    name = member.user.get_username()
    try:
        if "remove" in request.POST:
            remove_member(principal=visit.principal, membership=member)
            visit.toast(_("%(name)s has no access any more.") % {"name": name})
        else:
            role = Role(int(request.POST.get("role", "")))
            change_role(principal=visit.principal, membership=member, role=role)
            visit.toast(_("%(name)s is now %(role)s.") % {"name": name, "role": say(role.label)})
    except REFUSALS as error:
        visit.complain(error)
    except ValueError as error:
        raise NotFound from error
    gone = member.user_id == visit.principal.user_id and "remove" in request.POST
    return redirect("home" if gone else visit.url("settings-access"))


def _issue(visit: Visit, values: dict[str, Any]) -> tuple[Any, str]:
    days = values["expires"]
    return issue_token(
        principal=visit.principal,
        name=values["name"],
        scopes=values["scopes"],
        agent_id=UUID(values["agent"]) if values["agent"] else None,
        end_user=values["end_user"] or None,
        expires_at=timezone.now() + timedelta(days=int(days)) if days else None,
    )


@page("settings")
def revoke(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Make a token unusable at once."""
    try:
        key = UUID(request.POST.get("token", ""))
    except ValueError as error:
        raise NotFound from error
    token = tokens_visible_to(visit.principal).filter(pk=key).first()
    if token is None:
        raise NotFound
    revoke_token(principal=visit.principal, token=token)
    visit.toast(
        _("Token “%(name)s” is revoked; calls with it are refused from now on.") % {"name": token.name}
    )
    return redirect(visit.url("settings-access"))
