"""The workspace file tools: an agent reads and writes the Markdown it is given, shared or the person's own."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from memoryapp.actions.files import edit_file, load_file, write_file
from memoryapp.actions.merging import Strategy
from memoryapp.actions.write_memory import write_memory
from memoryapp.exceptions import Conflict, NotFound, NotPermitted
from memoryapp.models import Agent, WorkspaceFile
from memoryapp.retrieval.keyword import search_files
from memoryapp.tools.base import OwnerArguments, Tool, ToolContext
from tenants.scoping import Scope, workspace_scope

FileScope = Literal["shared", "personal"]
SCOPES = {"shared": Scope.TEAM, "personal": Scope.PERSONAL}
LISTED = 1_000


class FileListArguments(OwnerArguments):
    filenamePrefix: str = Field("", description="Only files whose name starts so, such as memory/.")
    scope: FileScope = "personal"


class FileArguments(OwnerArguments):
    filename: str = Field(description="Such as MEMORY.md or memory/2026-04-09.md.")
    scope: FileScope = "personal"


class FileWriteArguments(FileArguments):
    content: str = Field(description="The whole new content: it replaces what stands there.")


class FileEditArguments(FileArguments):
    oldText: str
    newText: str
    replaceAll: bool = False


class MemoryWriteArguments(FileArguments):
    strategy: Strategy = Field(
        description="append; replace_section; upsert_kv, lines of “key: value”; overwrite."
    )
    content: str = Field(min_length=1)
    section: str = Field("", description="The ## heading that is meant.")


class FileSearchArguments(OwnerArguments):
    query: str = Field(min_length=1, max_length=1_000, description="Keywords.")
    limit: int = Field(10, ge=1, le=50)


def _described(file: WorkspaceFile) -> dict[str, Any]:
    return {"filename": file.path, "enabled": file.enabled, "fileSize": len(file.content.encode())}


def _list(context: ToolContext, given: FileListArguments) -> dict[str, Any]:
    agent = context.agent_for(given)
    with workspace_scope(context.principal.workspace):
        files = WorkspaceFile.objects.visible_to(context.principal).filter(
            agent=agent, scope=SCOPES[given.scope], path__startswith=given.filenamePrefix
        )
        rows = list(files.order_by("sort_order", "path")[:LISTED])
    return {"agentId": str(agent.pk), "count": len(rows), "files": [_described(file) for file in rows]}


def _read(context: ToolContext, given: FileArguments) -> dict[str, Any]:
    agent = context.agent_for(given)
    file = load_file(principal=context.principal, agent=agent, path=given.filename, scope=SCOPES[given.scope])
    return {"agentId": str(agent.pk), **_described(file), "content": file.content}


def _agent_to_write(context: ToolContext, given: FileArguments) -> Agent:
    """The agent meant; raises NotPermitted where a person reviews everything, since files are read every turn."""
    agent = context.agent_for(given)
    if agent.review_mode == Agent.ReviewMode.ALL:
        raise NotPermitted("A person reviews all memory here: keep it as a fact instead.", code="review_mode")
    return agent


def _write(context: ToolContext, given: FileWriteArguments) -> dict[str, Any]:
    agent = _agent_to_write(context, given)
    _spare_notes(context, given)
    written = write_file(
        principal=context.principal,
        agent=agent,
        path=given.filename,
        content=given.content,
        scope=SCOPES[given.scope],
        origin="tool",
    )
    flags = {"created": written.created, "truncated": written.truncated, "masked": written.masked}
    return {"agentId": str(agent.pk), **_described(written.file), **flags}


def _spare_notes(context: ToolContext, given: FileArguments) -> None:
    """A model that means “note this” must not erase the day: a note that exists is edited, not overwritten."""
    if not given.filename.startswith("memory/"):
        return
    try:
        _read(context, FileArguments(filename=given.filename, scope=given.scope, agentId=given.agentId))
    except NotFound:
        return
    raise Conflict(
        "This day's note exists already. Add to it with edit_workspace_memory_file.", code="note_exists"
    )


def _edit(context: ToolContext, given: FileEditArguments) -> dict[str, Any]:
    agent = _agent_to_write(context, given)
    written, replacements = edit_file(
        principal=context.principal,
        agent=agent,
        path=given.filename,
        old_text=given.oldText,
        new_text=given.newText,
        replace_all=given.replaceAll,
        scope=SCOPES[given.scope],
        origin="tool",
    )
    # What went otherwise than it was asked for is said, and only then.
    flags = {"truncated": written.truncated, "masked": written.masked}
    told = {"agentId": str(agent.pk), "filename": written.file.path, "replacements": replacements}
    return {**told, **{name: True for name, happened in flags.items() if happened}}


def _write_memory(context: ToolContext, given: MemoryWriteArguments) -> dict[str, Any]:
    agent = _agent_to_write(context, given)
    if given.strategy is Strategy.OVERWRITE:
        _spare_notes(context, given)
    written = write_memory(
        principal=context.principal,
        agent=agent,
        path=given.filename,
        strategy=given.strategy,
        content=given.content,
        section=given.section,
        scope=SCOPES[given.scope],
        origin="tool",
    )
    flags = {"changed": written.changed, "truncated": written.truncated, "masked": written.masked}
    return {"agentId": str(agent.pk), **_described(written.file), "created": written.created, **flags}


def _search(context: ToolContext, given: FileSearchArguments) -> dict[str, Any]:
    found = search_files(
        given.query, principal=context.principal, agent=context.agent_for(given), limit=given.limit
    )
    hits = [
        {"filename": hit.path, "line": hit.line, "snippet": hit.snippet, "score": round(hit.score, 3)}
        for hit in found.items
    ]
    return {"count": len(hits), "hits": hits}


FILE_TOOLS: tuple[Tool[Any], ...] = (
    Tool("list_workspace_memory_files", "List memory files.", FileListArguments, _list),
    Tool("read_workspace_memory_file", "Read a memory file.", FileArguments, _read),
    Tool(
        "write_workspace_memory_file",
        "Create or overwrite a memory file. Read it first if its content matters.",
        FileWriteArguments,
        _write,
        writes=True,
    ),
    Tool(
        "edit_workspace_memory_file",
        "Replace a piece of text in a memory file; it must occur once unless replaceAll is true.",
        FileEditArguments,
        _edit,
        writes=True,
    ),
    Tool(
        "write_memory",
        "Put text into a memory file without sending the whole of it: append, replace one section, or set values.",
        MemoryWriteArguments,
        _write_memory,
        writes=True,
    ),
    Tool("search_workspace_memory", "Search all memory files by keywords.", FileSearchArguments, _search),
)
