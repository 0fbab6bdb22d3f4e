"""Turns what the openai package raises into our errors, without a word of what the server said."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from http import HTTPStatus

import openai

from memoryapp.llm.errors import (
    ContextTooLong,
    ModelError,
    ModelMisconfigured,
    ModelRateLimited,
    ModelTimeout,
    ModelUnavailable,
)

# How OpenAI, Azure, Anthropic, Bedrock, Vertex, Mistral, xAI, vLLM, SGLang, TGI, llama.cpp, Ollama, LM Studio, Gemini,
# DashScope and Moonshot say "too long".
TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window|limit|overflow)|string_above_max_length|model_max_prompt_tokens"
    r"|tokens_limit_reached|exceed\w*_context"
    r"|max(?:imum)? (?:context|input|prompt)"
    r"|(?:prompt|input|message|request|string)s? (?:(?:is|are) )?too (?:long|large)"
    r"|(?:body|entity) too large|too many (?:input )?tokens|reduce (?:the )?(?:length|size) of"
    r"|tokens? (?:count |length |limit )?(?:of \d+ )?exceed|token count is \d+ but|more tokens than"
    r"|exceed\w* (?:the )?(?:model'?s? )?(?:max|token|context|input|limit)|must have less than \d+ tokens"
    r"|max_new_tokens`? must be|input length|token limit|(?:上下文|输入)(?:窗口)?(?:长度|过长)|超长",
    re.IGNORECASE,
)
QUOTA = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE)


def model_error(failure: openai.OpenAIError) -> ModelError:
    """Our error for the package's."""
    if isinstance(failure, openai.APITimeoutError):
        return ModelTimeout()
    if isinstance(failure, openai.APIConnectionError):
        return ModelUnavailable()
    if is_too_long(failure):
        return ContextTooLong()
    if isinstance(failure, openai.APIStatusError):
        return _status_error(failure)
    if isinstance(failure, openai.APIError):
        return ModelUnavailable("The language model's server reported an error.")
    return ModelMisconfigured()


def _status_error(failure: openai.APIStatusError) -> ModelError:
    status = failure.status_code
    if status == 429:
        if QUOTA.search(said_by(failure)):
            return ModelMisconfigured("The language model's quota is used up.")
        return ModelRateLimited(retry_after(failure.response.headers))
    if status in (401, 403):
        return ModelMisconfigured("The language model's server refused the key.")
    if status == 404:
        return ModelMisconfigured("The language model's server does not know this address or model.")
    if status in (408, 409) or status >= 500:
        return ModelUnavailable(f"The language model's server failed (status {status}).")
    return ModelMisconfigured(f"The language model's server did not accept the request (status {status}).")


def is_too_long(failure: openai.OpenAIError) -> bool:
    """Whether the server says that the request does not fit the model's window, or is too large for itself."""
    status = failure.status_code if isinstance(failure, openai.APIStatusError) else None
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return True
    if status not in (None, 400, 422, 500):
        return False
    return isinstance(failure, openai.APIError) and says_too_long(said_by(failure))


def says_too_long(said: str) -> bool:
    """Whether a server's words say that the request was too long."""
    return bool(TOO_LONG.search(said))


def said_by(failure: openai.APIError) -> str:
    """Everything the server said about the failure, to be searched and never shown."""
    return f"{failure.code} {failure.type} {failure.param} {failure.message} {failure.body}"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks us to wait, from any of the forms in use."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        told = headers.get(name, "")
        if re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", told.strip()):
            return float(told) / unit
    moment = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return max(0.0, email.utils.mktime_tz(moment) - time.time()) if moment else None
