"""What every view that speaks mem0 shares: who asks, for whom, and how input is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp.compat.mem0.errors import Handler, with_mem0_keys
from memoryapp.compat.mem0.limits import limit_of
from memoryapp.compat.mem0.literals import read_query
from memoryapp.models import Fact
from tenants.authentication import TokenAuthentication
from tenants.owners import end_user_of
from tenants.principals import Principal

OLD_FORMAT = "v1.0"
NEW_FORMAT = "v1.1"


@extend_schema(exclude=True)
class Mem0View(APIView):
    """A view that speaks mem0: an unbound token sees every API end user, one that is bound only its own.

    A logged-in session gets nowhere here: it stands for a person, and an integrator is a program.
    """

    authentication_classes = [TokenAuthentication]
    principal: Principal

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.auth is not None:
            self.principal = cast("Principal", request.auth).as_integrator()
            self.limit = limit_of(self.principal)
            self.limit.count()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        finished = super().finalize_response(request, response, *args, **kwargs)
        if hasattr(self, "limit"):
            for name, value in self.limit.headers.items():
                finished[name] = value
        return finished

    def get_exception_handler(self) -> Handler:
        return with_mem0_keys(super().get_exception_handler())

    def acting(self, user_id: str) -> Principal:
        """The principal on behalf of the one user a call is about; of nobody in particular without one."""
        return self.principal.acting_as(user_id or None)

    def acting_for(self, fact: Fact) -> Principal:
        """The principal on behalf of whoever a memory belongs to, so that the trail says whose it was."""
        return self.principal.acting_as(end_user_of(fact.owner_key) if fact.owner_key else None)

    @property
    def body(self) -> Mapping[str, Any]:
        """The body, which the parser has seen to be an object; empty when there was none."""
        data = self.request.data
        return data if isinstance(data, dict) else {}

    @property
    def query(self) -> dict[str, Any]:
        """The query string, with what is structured in it read as such."""
        return read_query(self.request.query_params)

    def listed(self, results: list[dict[str, Any]]) -> Response:
        """An object with results; the bare list of the first format for who asks for that."""
        wanted = self.body.get("output_format") or self.query.get("output_format")
        if wanted == OLD_FORMAT:
            return Response(results)
        return Response({"results": results, **({"relations": []} if wanted == NEW_FORMAT else {})})
