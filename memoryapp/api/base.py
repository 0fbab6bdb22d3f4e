"""What every view of the native API shares: who acts, in which workspace, how input is read and pages are written."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp.api.pagination import paginate
from memoryapp.api.schema import WorkspaceSchema
from memoryapp.exceptions import NotPermitted, ValidationFailed
from tenants.models import Role
from tenants.owners import TEST_CHANNEL
from tenants.principals import Principal
from tenants.scoping import workspace_scope

BODY_METHODS = {"POST", "PUT", "PATCH", "DELETE"}


class JSONOnly(BaseContentNegotiation):
    """Answers in JSON whatever the client says it accepts, so that an error is never a page."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        kind = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class PublicAPIView(APIView):
    """A view that needs no token."""

    content_negotiation_class = JSONOnly
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    schema = WorkspaceSchema()
    # The name of the route it stands at, by which the table of permissions and the schema find its rule.
    route_name = ""


class WorkspaceAPIView(PublicAPIView):
    """A view of one workspace: judged by the route table, its handler run inside the workspace's scope.

    Methods that call a model or an embedder stand in `unscoped` and open short scopes themselves. A view that is about
    the workspace rather than somebody's memory sets `acts_for_others = False`: an end user means nothing there.
    """

    unscoped: frozenset[str] = frozenset()
    acts_for_others = True
    principal: Principal

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        method = (request.method or "").lower()
        handler = getattr(self, method, None)
        if handler is None or request.auth is None:
            return
        self.principal = acting_principal(request) if self.acts_for_others else authenticated(request)
        if method not in self.unscoped:
            setattr(self, method, _inside_scope(handler, self.principal))

    def read(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The checked body; raises DRF's ValidationError with an entry per field."""
        return _checked(serializer, self.request.data)

    def read_query(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The checked query string."""
        return _checked(serializer, self.request.query_params)

    def page(self, rows: Any, serializer: type[serializers.BaseSerializer[Any]]) -> Response:
        """One page of rows."""
        return Response(paginate(self.request, rows, serializer))


def _checked(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    reader = serializer(data=data)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = reader.validated_data
    return values


def _inside_scope(handler: Callable[..., Response], principal: Principal) -> Callable[..., Response]:
    @wraps(handler)
    def scoped(*args: Any, **kwargs: Any) -> Response:
        with workspace_scope(principal.workspace):
            return handler(*args, **kwargs)

    return scoped


def authenticated(request: Request) -> Principal:
    """The principal of the token or session itself."""
    return cast("Principal", request.auth)


def acting_principal(request: Request) -> Principal:
    """The principal on whose behalf the request acts: the logged-in person, or the end user that a token names.

    Raises EndUserBound for a token bound to another one, NotPermitted when a session names an end user who is not
    made up for tests.
    """
    principal = authenticated(request)
    end_user, channel = _named(request, "endUserId"), _named(request, "channel")
    if end_user is None:
        return principal
    may_test = channel == TEST_CHANNEL and principal.can(Role.MEMBER)
    if principal.token_id is None and not may_test:
        raise NotPermitted("Only an access token can act for an end user.", code="end_user_needs_token")
    return principal.acting_as(end_user, "api" if channel is None else channel)


def _named(request: Request, field: str) -> Any:
    """A field of the query string or the body; raises ValidationFailed when the two disagree."""
    in_query = request.query_params.get(field)
    body = request.data if request.method in BODY_METHODS else {}
    in_body = body.get(field) if isinstance(body, dict) else None
    if in_query is not None and in_body is not None and in_query != in_body:
        raise ValidationFailed.of(field, "The query string and the body name different ones.")
    return in_body if in_query is None else in_query
