"""Programs that can be connected, each with the lines that do it; shown with an address and a token filled in."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from django.utils.translation import gettext_noop as _

from tenants.models import TokenScope

MEMORY = (TokenScope.MEMORY_READ.value, TokenScope.MEMORY_WRITE.value)
TALKING = (*MEMORY, TokenScope.CHAT.value)


@dataclass(frozen=True, slots=True)
class Connection:
    """One program: what its token may do, where its lines belong, and the lines, with places for what is filled in."""

    name: str
    label: str
    where: str
    lines: str
    scopes: tuple[str, ...] = MEMORY

    def filled(self, address: str, token: str, end_user: str) -> str:
        """The lines as they are to be copied."""
        user = end_user or "ana"
        lines = self.lines.replace("?user_id=ENDUSER", f"?user_id={quote(user, safe='')}")
        return lines.replace("ADDRESS", address).replace("TOKEN", token).replace("ENDUSER", user)


CONNECTIONS = (
    Connection(
        "mem0-python", _("mem0 for Python"), "app.py",
        'from mem0 import MemoryClient\n\nclient = MemoryClient(api_key="TOKEN", host="ADDRESS")\n'
        'client.add("I drink oat milk.", user_id="ENDUSER")\n'
        'client.search("Which milk?", filters={"user_id": "ENDUSER"})\n',
    ),
    Connection(
        "mem0-js", _("mem0 for JavaScript"), "app.js",
        'import { MemoryClient } from "mem0ai";\n\n'
        'const client = new MemoryClient({ apiKey: "TOKEN", host: "ADDRESS" });\n'
        'await client.search("Which milk?", { filters: { user_id: "ENDUSER" } });\n',
    ),
    Connection(
        "mem0-cli", _("mem0's command line"), "shell",
        'export MEM0_BASE_URL="ADDRESS" MEM0_API_KEY="TOKEN"\nmem0 search "Which milk?" --user-id ENDUSER\n',
    ),
    Connection(
        "openclaw", "OpenClaw", "~/.openclaw/openclaw.json",
        '{"plugins": {"entries": {"openclaw-mem0": {"enabled": true, "config": {\n'
        '  "mode": "platform", "baseUrl": "ADDRESS", "apiKey": "TOKEN", "userId": "ENDUSER"\n}}}}}\n',
    ),
    Connection(
        "mateclaw", "MateClaw", "mateclaw-plugin-mem0",
        "baseUrl: ADDRESS/v1\napiKey: TOKEN\nsearchEnabled: true\nsyncEnabled: true\n",
    ),
    Connection(
        "vercel", "Vercel AI SDK", "app.js",
        'import { retrieveMemories } from "@mem0/vercel-ai-provider";\n\n'
        'const memory = { host: "ADDRESS", mem0ApiKey: "TOKEN", user_id: "ENDUSER" };\n'
        'const system = await retrieveMemories("Which milk?", memory);\n',
    ),
    Connection(
        "claude-code", "Claude Code", "shell",
        'claude mcp add --transport http memory "ADDRESS/mcp?user_id=ENDUSER" --header "Authorization: Bearer TOKEN"\n',
    ),
    Connection(
        "cursor", "Cursor", ".cursor/mcp.json",
        '{"mcpServers": {"memory": {\n  "url": "ADDRESS/mcp?user_id=ENDUSER",\n'
        '  "headers": {"Authorization": "Bearer TOKEN"}\n}}}\n',
    ),
    Connection(
        "vscode", "VS Code", ".vscode/mcp.json",
        '{"servers": {"memory": {\n  "type": "http",\n  "url": "ADDRESS/mcp?user_id=ENDUSER",\n'
        '  "headers": {"Authorization": "Bearer TOKEN"}\n}}}\n',
    ),
    Connection(
        "claude-desktop", "Claude Desktop", "claude_desktop_config.json",
        '{"mcpServers": {"memory": {\n  "command": "python3",\n'
        '  "args": ["/path/to/memoryapp/manage.py", "mcp", "--url", "ADDRESS/mcp", "--end-user", "ENDUSER"],\n'
        '  "env": {"MEMORYAPP_TOKEN": "TOKEN"}\n}}}\n',
    ),
    Connection(
        "openai", _("OpenAI's package"), "app.py",
        'from openai import OpenAI\n\nclient = OpenAI(base_url="ADDRESS/v1", api_key="TOKEN")\n'
        'client.chat.completions.create(\n    model="AGENT", user="ENDUSER", '
        'messages=[{"role": "user", "content": "Hello again."}]\n)\n',
        TALKING,
    ),
    Connection(
        "curl", _("The native API"), "shell",
        'curl ADDRESS/api/v1/chat -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\\n'
        '  -d \'{"agentId": "AGENT", "endUserId": "ENDUSER", "message": "Hello again."}\'\n',
        TALKING,
    ),
)  # fmt: skip


def connection_of(name: str) -> Connection:
    """The connection of that name, else the first."""
    return next((each for each in CONNECTIONS if each.name == name), CONNECTIONS[0])
