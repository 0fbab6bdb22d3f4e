"""Clients from npm, unmodified: mem0's SDK, OpenClaw plugin and Vercel provider, and OpenAI's package."""

from __future__ import annotations

import pytest

from tests.clients.conftest import LiveServer

pytestmark = pytest.mark.long


def test_every_method_of_the_sdk(live: LiveServer) -> None:
    assert live.run_node("mem0_js.mjs")["calls"] > 30


def test_every_tool_and_hook_of_the_openclaw_plugin(live: LiveServer) -> None:
    report = live.run_node("openclaw.mjs")
    tools = {name for name in report["methods"] if name.startswith("memory_")}
    assert len(tools) == 8


def test_every_helper_of_the_vercel_provider(live: LiveServer) -> None:
    assert live.run_node("vercel.mjs")["calls"]


def test_openais_own_package(live: LiveServer) -> None:
    assert live.run_node("openai.mjs")["calls"]
