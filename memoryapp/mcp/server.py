"""The MCP server: the list of tools, and a call of one on behalf of whoever the connection is for."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

import mcp_types as types
from mcp.server.lowlevel import Server

from memoryapp.chat.threads import off_loop
from memoryapp.exceptions import NotPermitted
from memoryapp.mcp.hosted import HOSTED_TOOLS
from memoryapp.tools import TOOLS, Tool, ToolContext, ToolResult, call_tool
from tenants.exceptions import NotAllowed
from tenants.models import Role, TokenScope

INSTRUCTIONS: Final = (
    "Long-term memory of one person. Search it before answering what depends on who they are or what was agreed. "
    "Keep what a new agent would need weeks from now, in the third person and dated; most turns keep nothing. "
    "Update what has changed rather than adding it again. Never store credentials. Whose memory it is was settled "
    "when this connection was made: leave ids of users out."
)
ALL_TOOLS: Final[dict[str, Tool[Any]]] = {**{tool.name: tool for tool in HOSTED_TOOLS}, **TOOLS}

# Whose call this is; set by the endpoint before the protocol sees the request.
calling: ContextVar[ToolContext] = ContextVar("calling")


def described(tool: Tool[Any]) -> types.Tool:
    """A tool as a client lists it."""
    destructive = "delete" in tool.name
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.spec.parameters),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=destructive, open_world_hint=False
        ),
    )


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[described(tool) for tool in ALL_TOOLS.values()])


async def answer_call(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """The tool's answer; what it refuses is an answer too, which the model can act on."""
    result = await off_loop(run_tool, params.name, dict(params.arguments or {}), calling.get())
    return types.CallToolResult(
        content=[types.TextContent(text=result.text)], structured_content=None, is_error=not result.ok
    )


def run_tool(name: str, arguments: dict[str, Any], context: ToolContext) -> ToolResult:
    """Run a tool, if the token may."""
    tool = ALL_TOOLS.get(name)
    if tool is None:
        return _refused(name, "unknown_tool", f"There is no tool {name[:80]}.")
    scope = TokenScope.MEMORY_WRITE if tool.writes else TokenScope.MEMORY_READ
    try:
        context.principal.require(Role.VIEWER, scope)
    except (NotAllowed, NotPermitted) as error:
        return _refused(name, error.code, error.detail)
    return call_tool(tool, arguments, context)


def _refused(name: str, code: str, detail: str) -> ToolResult:
    return ToolResult(name, {"error": code, "detail": detail}, ok=False, wrote=False)


def make_server() -> Server[Any]:
    """A server with all tools; it keeps nothing between requests."""
    return Server("memoryapp", instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=answer_call)
