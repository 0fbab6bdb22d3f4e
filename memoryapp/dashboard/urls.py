"""Every page's address: `/w/<workspace>/a/<agent>/<tab>/…`, or `/w/<workspace>/<tab>/…` for the workspace's own."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path

from memoryapp.dashboard.entrance import SignIn, choose_theme, go_home
from memoryapp.dashboard.joining import ChangePassword, ResetPassword, join, new_workspace
from memoryapp.dashboard.languages import choose_language
from memoryapp.dashboard.second_step import SecondStep
from memoryapp.dashboard.tabs import TABS, Concern

PREFIXES = {Concern.AGENT: "a/<slug:agent>/", Concern.WORKSPACE: ""}

pages: list[URLPattern | URLResolver] = [path("", go_home, name="workspace")]
pages += [
    path(f"{PREFIXES[tab.concern]}{tab.name}/", include(f"memoryapp.dashboard.{tab.name}")) for tab in TABS
]

urlpatterns = [
    path("", go_home, name="home"),
    path("welcome/", include("memoryapp.dashboard.welcome")),
    path("sign-in/", SignIn.as_view(), name="login"),
    path("sign-in/code/", SecondStep.as_view(), name="login-code"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("join/<str:secret>/", join, name="join"),
    path("password/", ChangePassword.as_view(), name="password"),
    path("password/<uidb64>/<token>/", ResetPassword.as_view(), name="password-reset"),
    path("workspaces/new/", new_workspace, name="new-workspace"),
    path("theme/", choose_theme, name="theme"),
    path("language/", choose_language, name="language"),
    path("w/<slug:workspace>/", include((pages, "dashboard"))),
]
