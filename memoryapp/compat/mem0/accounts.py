"""What people do in the dashboard and mem0's clients over the wire: members, projects, signing up."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp.compat.mem0.base import Mem0View
from memoryapp.compat.mem0.errors import Handler, with_mem0_keys
from memoryapp.compat.mem0.project import ONE_WORKSPACE, require_project
from memoryapp.exceptions import NotFound, ValidationFailed
from tenants.memberships import change_role, invite, remove_member
from tenants.models import Membership, Role
from tenants.principals import Principal

ROLES: Final = {"READER": Role.VIEWER, "OWNER": Role.ADMIN}
BY_INVITATION: Final = (
    "Nobody signs up by e-mail here: members are invited. Make a token on the dashboard's page Connect and use it as "
    "your API key."
)


class MembersView(Mem0View):
    def get(self, request: Request, org_id: str, project_id: str) -> Response:
        """The workspace's members."""
        require_project(self.principal, org_id, project_id)
        members = Membership.objects.filter(workspace=self.principal.workspace).select_related("user")
        return Response({"members": [_described(member) for member in members.order_by("created_at")]})

    def post(self, request: Request, org_id: str, project_id: str) -> Response:
        """Invite somebody: the answer has the link to pass on, since no e-mail is sent."""
        require_project(self.principal, org_id, project_id)
        email = _read_email(self.body.get("email"))
        role = _read_role(self.body.get("role", "READER"))
        _, secret = invite(principal=self.principal, role=role, note=email[:120])
        url = request.build_absolute_uri(reverse("join", args=[secret]))
        message = f"Pass this link on to {email}, who joins by it: {url}"
        return Response({"message": message, "email": email, "role": _named(role), "url": url}, status=201)

    def put(self, request: Request, org_id: str, project_id: str) -> Response:
        """Give a member another role."""
        require_project(self.principal, org_id, project_id)
        member = _load(self.principal, _read_email(self.body.get("email")))
        role = _read_role(self.body.get("role"))
        change_role(principal=self.principal, membership=member, role=role)
        return Response({"message": "Updated the member.", **_described(member)})

    def delete(self, request: Request, org_id: str, project_id: str) -> Response:
        """Take a member's access away."""
        require_project(self.principal, org_id, project_id)
        given = self.query.get("email") or self.body.get("email")
        member = _load(self.principal, _read_email(given))
        remove_member(principal=self.principal, membership=member)
        return Response({"message": "Removed the member."})


class ProjectsView(Mem0View):
    def post(self, request: Request, org_id: str) -> Response:
        """Refuse to make a project, and say where that is done."""
        require_project(self.principal, org_id)
        raise ValidationFailed(ONE_WORKSPACE, code="one_workspace")


@extend_schema(exclude=True)
class SignUpView(APIView):
    """What the command line and the OpenClaw plugin ask for without a token."""

    authentication_classes: Any = []

    def get_exception_handler(self) -> Handler:
        return with_mem0_keys(super().get_exception_handler())

    def post(self, request: Request) -> Response:
        """Say how one gets a token here."""
        raise ValidationFailed(BY_INVITATION, code="by_invitation")


def _described(member: Membership) -> dict[str, Any]:
    user = member.user
    return {"username": user.get_username(), "email": user.email, "role": _named(Role(member.role))}


def _named(role: Role) -> str:
    return "OWNER" if role >= Role.ADMIN else "READER"


def _read_email(given: object) -> str:
    if not isinstance(given, str) or not given.strip() or len(given) > 254:
        raise ValidationFailed.of("email", "email is the address of a member.")
    return given.strip()


def _read_role(given: object) -> Role:
    if not isinstance(given, str) or given not in ROLES:
        raise ValidationFailed.of("role", f"role is one of {', '.join(ROLES)}.")
    return ROLES[given]


def _load(principal: Principal, email: str) -> Membership:
    members = Membership.objects.filter(workspace=principal.workspace).select_related("user", "workspace")
    found = (
        members.filter(Q(user__email__iexact=email) | Q(user__username=email)).order_by("created_at").first()
    )
    if found is None:
        raise NotFound
    return found
