"""The model's turn at wording a search: what is asked of it, and what it answers."""

from __future__ import annotations

import json
from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from memoryapp.llm.tasks import Day
from memoryapp.llm.types import ChatMessage, ChatRequest
from memoryapp.prompts import render_prompt

MOST_TOKENS = 200


class RewrittenQuery(BaseModel):
    """A message as a search over memory; `search` is false when it needs none."""

    model_config = ConfigDict(extra="ignore")

    search: bool = True
    query: str = Field("", description="three to six keywords")
    categories: list[str] = Field(default_factory=list, description="only if a kind of note is asked for")
    since: Day = Field(None, description="only if the message names a time")
    until: Day = Field(None, description="the last day of that time")


def build_rewrite_request(message: str, today: date) -> ChatRequest:
    """The request for a message, which is quoted as JSON so that it stays material."""
    schema = json.dumps(RewrittenQuery.model_json_schema(), ensure_ascii=False)
    prompt = render_prompt(
        "rewrite_query",
        today=today.isoformat(),
        message=json.dumps(message, ensure_ascii=False),
        schema=schema,
    )
    return ChatRequest((ChatMessage("user", prompt),), task="rewrite_query", max_tokens=MOST_TOKENS)
