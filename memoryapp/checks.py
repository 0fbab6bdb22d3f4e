"""What must be right before anybody is served: the database holds the app's role to its policies, the times fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections

from memoryapp.embedded import roles


def refuse_unsafe_role() -> None:
    """Raise ImproperlyConfigured unless row-level security binds the role we connect as."""
    problems = find_unsafe_role()
    if problems:
        raise ImproperlyConfigured(f"Refusing to start: {'; '.join(problems)}. {roles.HOW_TO_MAKE_ROLES}")


def find_unsafe_role() -> list[str]:
    """What would let the app's role past row-level security.

    Through a connection of its own: the queue forks after this check, and must not inherit Django's.
    """
    parameters = connections[DEFAULT_DB_ALIAS].get_connection_params()
    for of_django in ("pool", "cursor_factory", "context", "prepare_threshold"):
        parameters.pop(of_django, None)
    with psycopg.connect(**parameters) as connection:
        return roles.find_role_problems(connection)


@register()
def check_timeouts(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """A slow job must not be handed to a second worker, and a slow model must fail before its job is given up."""
    cluster: dict[str, Any] = settings.Q_CLUSTER
    timeout, retry = cluster["timeout"], cluster["retry"]
    problems: list[CheckMessage] = []
    if timeout <= settings.LLM_TIMEOUT_SECONDS:
        problems.append(
            Error(
                f"A model may take {settings.LLM_TIMEOUT_SECONDS} s, but its job only {timeout} s.",
                hint="Set MEMORYAPP_JOB_TIMEOUT above MEMORYAPP_LLM_TIMEOUT.",
                id="memoryapp.E002",
            )
        )
    if timeout >= retry:
        problems.append(
            Error(
                f"The queue hands a job out again after {retry} s, while it may still run for {timeout} s.",
                hint="The queue’s retry must be longer than its timeout.",
                id="memoryapp.E003",
            )
        )
    return problems


@register(Tags.database)
def check_role(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **options: Any
) -> list[CheckMessage]:
    """`manage.py check --database default` says it too."""
    if DEFAULT_DB_ALIAS not in (databases or ()):
        return []
    return [
        Error(problem, hint=roles.HOW_TO_MAKE_ROLES, id="memoryapp.E001") for problem in find_unsafe_role()
    ]
