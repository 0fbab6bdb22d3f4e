"""Issue an access token from the operator's shell and print it, alone on its line."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryapp.actions.agents import load_agent
from memoryapp.exceptions import MemoryAppError
from tenants.actions import issue_token
from tenants.exceptions import TenancyError
from tenants.models import Membership, Role, TokenScope
from tenants.principals import Principal, principal_for_member


class Command(BaseCommand):
    help = "Issue an access token for a member of a workspace: by default its owner, with all scopes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--workspace", required=True, metavar="SLUG")
        parser.add_argument(
            "--user", help="user name of the member the token belongs to (default: the workspace's owner)"
        )
        parser.add_argument("--agent", metavar="ID-or-slug", help="bind the token to one agent")
        parser.add_argument("--end-user", metavar="E", help="bind the token to one end user")
        parser.add_argument(
            "--scopes",
            nargs="+",
            metavar="SCOPE",
            help=f"any of {', '.join(TokenScope.values)}; spaces or commas between",
        )
        parser.add_argument("--name", default="command line", help="what the token list calls it")

    def handle(self, *args: Any, **options: Any) -> None:
        principal = principal_for_member(find_member(options["workspace"], options["user"]))
        try:
            _, plain = issue_token(
                principal=principal,
                name=options["name"],
                scopes=_split(options["scopes"]),
                agent_id=_agent_id(principal, options["agent"]),
                end_user=options["end_user"],
            )
        except TenancyError as error:
            reasons = [reason for reasons in error.errors.values() for reason in reasons]
            raise CommandError(" ".join(reasons) or error.detail) from error
        self.stdout.write(plain)


def find_member(workspace: str, user: str | None) -> Membership:
    """The named member of a workspace, else its longest-standing owner; CommandError when there is none."""
    members = Membership.objects.select_related("workspace").filter(
        workspace__slug=workspace, user__is_active=True
    )
    chosen = members.filter(user__username=user) if user else members.filter(role=Role.OWNER)
    member = chosen.order_by("created_at").first()
    if member is None:
        who = f"a member {user!r}" if user else "an owner"
        raise CommandError(f"There is no workspace {workspace!r} with {who}.")
    return member


def _split(scopes: list[str] | None) -> list[str] | None:
    return [scope for words in scopes for scope in words.split(",") if scope] if scopes is not None else None


def _agent_id(principal: Principal, id_or_slug: str | None) -> Any:
    if id_or_slug is None:
        return None
    try:
        return load_agent(principal, id_or_slug).pk
    except MemoryAppError as error:
        raise CommandError(f"There is no agent {id_or_slug!r} in this workspace.") from error
