"""The operator issues tokens from the shell: one line, nothing else on it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tenants.authentication import principal_from_token
from tenants.models import Role, TokenScope
from tenants.principals import ALL_SCOPES
from tests.conftest import Person

pytestmark = pytest.mark.django_db


def issue(*arguments: str) -> str:
    out = StringIO()
    call_command("issue_token", *arguments, stdout=out)
    return out.getvalue()


def test_by_default_the_owner_with_all_scopes(alice: Person, bob: Person) -> None:
    line = issue("--workspace", "harbour")
    assert line.count("\n") == 1
    principal = principal_from_token(line.strip())
    assert (principal.user_id, principal.role, principal.scopes) == (alice.user.pk, Role.OWNER, ALL_SCOPES)
    assert not principal.agent_id
    assert not principal.end_user


def test_bound_to_a_member_an_agent_an_end_user_and_scopes(alice: Person, bob: Person) -> None:
    bindings = ["--user", "bob", "--agent", "juno", "--end-user", "u-1", "--scopes", "chat,memory:read"]
    principal = principal_from_token(issue("--workspace", "harbour", *bindings).strip())
    assert (principal.user_id, principal.role) == (bob.user.pk, Role.MEMBER)
    assert (principal.agent_id, principal.owner_key) == (alice.agent.pk, "api:u-1")
    assert principal.scopes == {TokenScope.CHAT, TokenScope.MEMORY_READ}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--workspace", "nowhere"],
        ["--workspace", "harbour", "--user", "charlie"],
        ["--workspace", "harbour", "--agent", "stranger"],
        ["--workspace", "harbour", "--scopes", "everything"],
        ["--workspace", "harbour", "--end-user", "system"],
    ],
)
def test_what_does_not_exist_is_said_and_issues_nothing(
    alice: Person, charlie: Person, arguments: list[str]
) -> None:
    with pytest.raises(CommandError) as refusal:
        issue(*arguments)
    assert len(str(refusal.value)) > 10
