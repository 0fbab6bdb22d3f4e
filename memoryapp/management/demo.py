"""The demo workspace of a first start: a login, an agent and a token, written where only their owner can read them."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from memoryapp.actions.agents import create_agent
from tenants.actions import create_workspace, issue_token
from tenants.models import Workspace

DEMO = "demo"


def ensure_demo(login_file: Path, url: str) -> bool:
    """Make the demo workspace and its login file unless it exists; whether it was made now."""
    if Workspace.objects.filter(slug=DEMO).exists():
        _correct_url(login_file, url)
        return False
    # One transaction, the file inside it: a start that is killed here begins again from nothing.
    with transaction.atomic():
        password = secrets.token_urlsafe(12)
        user = User.objects.create_user(DEMO, password=password)
        principal = create_workspace(name="Demo", slug=DEMO, owner=user)
        create_agent(principal=principal, name="Demo", slug=DEMO)
        _, token = issue_token(principal=principal, name="First start")
        _write(login_file, {"url": url, "username": DEMO, "password": password, "token": token})
    return True


def read_login(login_file: Path) -> dict[str, str] | None:
    """What the first start wrote, or None when somebody has removed it."""
    try:
        return dict(json.loads(login_file.read_text()))
    except (FileNotFoundError, ValueError):
        return None


def _correct_url(login_file: Path, url: str) -> None:
    """A later start may use another port."""
    login = read_login(login_file)
    if login is not None and login.get("url") != url:
        _write(login_file, {**login, "url": url})


def _write(login_file: Path, login: dict[str, str]) -> None:
    partial = login_file.with_suffix(".partial")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(login, file, indent=2)
    partial.replace(login_file)
