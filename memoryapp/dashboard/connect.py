"""Connecting a program: its exact lines, a token made for it, and a light that turns green with its first call."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path

from memoryapp.dashboard.connections import CONNECTIONS, connection_of
from memoryapp.dashboard.forms import REFUSALS
from memoryapp.dashboard.pages import Visit, page
from tenants.actions import issue_token, tokens_visible_to
from tenants.models import AccessToken

PLACEHOLDER = "YOUR_TOKEN"


@page("connect")
def show_connect(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The lines of one program; after the form, with a fresh token in them, which is shown this once."""
    given = request.POST if request.method == "POST" else request.GET
    connection = connection_of(given.get("client", ""))
    end_user = given.get("end_user", "").strip()[:128]
    fresh: tuple[AccessToken, str] | None = None
    error = ""
    if request.method == "POST":
        try:
            fresh = issue_token(
                principal=visit.principal,
                name=connection.label,
                scopes=connection.scopes,
                end_user=end_user if "bind" in given and end_user else None,
            )
        except REFUSALS as refusal:
            error = refusal.detail
    context = {
        "connections": CONNECTIONS,
        "connection": connection,
        "end_user": end_user,
        "error": error,
        "lines": _lines(request, visit, connection.name, fresh[1] if fresh else PLACEHOLDER, end_user),
        **_light(fresh[0] if fresh else None),
    }
    return visit.render("dashboard/connect.html", context, status=400 if error else 200)


def _lines(request: HttpRequest, visit: Visit, name: str, token: str, end_user: str) -> str:
    prefix = settings.FORCE_SCRIPT_NAME or ""
    address = f"{request.scheme}://{request.get_host()}{prefix.rstrip('/')}"
    agent = visit.agent.slug if visit.agent else "AGENT"
    return connection_of(name).filled(address, token, end_user).replace("AGENT", agent)


def _light(token: AccessToken | None) -> dict[str, Any]:
    """Whether the token was made here and whether anything has called with it yet."""
    called = token is not None and token.last_used_at is not None
    return {"token": token, "called": called, "poll": "every 3s" if token and not called else ""}


@page("connect")
def show_light(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The light of one token of one's own, looked at again and again until its first call."""
    try:
        key = UUID(request.GET.get("token", ""))
    except ValueError:
        token = None
    else:
        token = tokens_visible_to(visit.principal).filter(pk=key).first()
    return visit.render("dashboard/connect.html#light", _light(token))


urlpatterns = [
    path("", show_connect, name="connect"),
    path("light/", show_light, name="connect-light"),
]
