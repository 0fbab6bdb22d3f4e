"""The memory tools a model can call, defined once: chat offers them, MCP serves them, the docs list them."""

from __future__ import annotations

from typing import Any

from memoryapp.tools.base import Tool, ToolContext, ToolResult, call_tool
from memoryapp.tools.files import FILE_TOOLS
from memoryapp.tools.memory import MEMORY_TOOLS

TOOLS: dict[str, Tool[Any]] = {tool.name: tool for tool in (*MEMORY_TOOLS, *FILE_TOOLS)}

__all__ = ["TOOLS", "Tool", "ToolContext", "ToolResult", "call_tool"]
