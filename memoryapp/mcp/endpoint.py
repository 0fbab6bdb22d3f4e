"""`/mcp`: streamable HTTP, one request and one answer at a time, for whoever the token and the address say."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from django.db import DatabaseError
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from memoryapp.actions.agents import default_agent, load_agent
from memoryapp.chat.threads import off_loop
from memoryapp.exceptions import MemoryAppError
from memoryapp.mcp.server import calling, make_server
from memoryapp.tools import ToolContext
from tenants.authentication import principal_from_token
from tenants.exceptions import InvalidCredentials, TenancyError

logger = logging.getLogger(__name__)

PATH: Final = "/mcp"
LONGEST_BODY: Final = 1024 * 1024
MISSING: Final = "Send an access token as “Authorization: Bearer …”."

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


def is_for_mcp(scope: Mapping[str, Any], prefix: str = "") -> bool:
    """Whether a request is for this endpoint."""
    path = str(scope.get("path", "")).removeprefix(prefix)
    return scope["type"] == "http" and path.rstrip("/") == PATH


async def answer(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer one request of the protocol, or refuse it."""
    if scope["method"] != "POST":
        # There are no sessions to be listened to or ended: a client that gets this goes on without.
        await _refuse(send, 405, "method_not_allowed", "Send messages of the protocol by POST.", allow="POST")
        return
    try:
        context = await off_loop(context_of, _headers(scope), _query(scope))
    except (TenancyError, MemoryAppError) as error:
        challenge = {"www-authenticate": "Bearer"} if error.status == 401 else {}
        await _refuse(send, error.status, error.code, error.detail, **challenge)
        return
    except DatabaseError:
        logger.exception("The database could not be used.")
        await _refuse(send, 503, "database_unavailable", "Try again in a moment.")
        return
    # A manager of its own for each request: without sessions there is nothing to share, and no task outlives it.
    manager = StreamableHTTPSessionManager(
        make_server(), json_response=True, stateless=True, max_request_body_size=LONGEST_BODY
    )
    token = calling.set(context)
    try:
        async with manager.run():
            await manager.asgi_app({**scope, "path": PATH}, receive, send)
    finally:
        calling.reset(token)


def context_of(headers: Mapping[str, str], query: Mapping[str, str]) -> ToolContext:
    """Whose memory it is and which agent's: by the token, else as the connection declares; a model has no say in it.

    Raises InvalidCredentials, EndUserBound, NotFound for an agent that may not be used.
    """
    principal = principal_from_token(_token(headers))
    declared = (headers.get("x-end-user"), query.get("endUserId"), query.get("user_id"))
    # One that was declared and is empty is refused there, rather than taken for the token's own user.
    acting = principal.acting_as(next((name for name in declared if name is not None), None))
    wanted = headers.get("x-agent") or query.get("agentId") or query.get("agent_id")
    agent = load_agent(acting, wanted) if wanted else default_agent(acting)
    return ToolContext(acting, agent)


def _token(headers: Mapping[str, str]) -> str:
    scheme, _, value = headers.get("authorization", "").partition(" ")
    plain = value.strip() if scheme.lower() in {"bearer", "token"} else headers.get("x-api-key", "")
    if not plain:
        raise InvalidCredentials(MISSING)
    return plain


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    # Names of end users may be in any script, and clients send them as UTF-8.
    return {
        name.decode("latin-1").lower(): value.decode("utf-8", "replace") for name, value in scope["headers"]
    }


def _query(scope: Mapping[str, Any]) -> dict[str, str]:
    given = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    return {name: values[0] for name, values in given.items()}


async def _refuse(send: Send, status: int, code: str, detail: str, **headers: str) -> None:
    body = json.dumps({"detail": detail, "code": code, "errors": {}}, ensure_ascii=False).encode()
    lines = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    lines += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
