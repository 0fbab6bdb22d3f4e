"""The very first account of an installation, which nobody can vouch for: made once, while there is none at all."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import connection, transaction

from tenants.exceptions import UnknownWorkspace
from tenants.models import GLOBAL_WORKSPACE_ID, Workspace

# Any number that nobody else locks by: it holds back a second browser that makes the first account too.
FIRST_ACCOUNT_LOCK = 0x6D656D0001


def is_untouched() -> bool:
    """Whether nobody has an account here yet."""
    return not User.objects.exists()


def make_first_account(make: Callable[[], User]) -> User:
    """The account that `make` makes, unless there is any by now, whoever made it; then raises UnknownWorkspace."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FIRST_ACCOUNT_LOCK])
        if not is_untouched():
            raise UnknownWorkspace
        return make()


def has_no_workspace() -> bool:
    """Whether no workspace of people exists yet."""
    return not Workspace.objects.exclude(pk=GLOBAL_WORKSPACE_ID).exists()
