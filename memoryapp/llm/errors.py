"""What can go wrong with a model.

ModelError                     detail (a sentence for people), code (a stable word), retryable
├── ModelTimeout               no answer in time
├── ModelUnavailable           not reachable, or the server failed
├── ModelRateLimited           too many requests; retry_after in seconds if the server said so
├── ModelMisconfigured         wrong key, unknown model, wrong address: trying again does not help
├── ContextTooLong             the request does not fit the model's window
├── StreamBroken               a streamed answer ended before it was complete
└── BadReply                   an answer came and cannot be used; `raw` is for the audit record
    ├── MalformedReply         not the object that was asked for
    └── TruncatedReply         cut off at the token limit

No sentence ever quotes a key, a prompt or an answer: servers echo both in their messages, so those are never passed on.
"""

from __future__ import annotations


class ModelError(Exception):
    """Base of everything a model call raises."""

    code = "model_error"
    retryable = True
    sentence = "The language model could not answer."

    def __init__(self, detail: str | None = None) -> None:
        self.detail = detail or self.sentence
        super().__init__(self.detail)


class ModelTimeout(ModelError):
    code = "model_timeout"
    sentence = "The language model did not answer in time."


class ModelUnavailable(ModelError):
    code = "model_unavailable"
    sentence = "The language model cannot be reached at the moment."


class ModelRateLimited(ModelError):
    code = "model_rate_limited"
    sentence = "The language model is receiving too many requests. Please try again shortly."

    def __init__(self, retry_after: float | None = None, detail: str | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(detail)


class ModelMisconfigured(ModelError):
    code = "model_misconfigured"
    retryable = False
    sentence = "The language model is not set up correctly. Check its address, model name and key."


class ContextTooLong(ModelError):
    code = "context_too_long"
    retryable = False
    sentence = "The conversation is too long for the language model."


class StreamBroken(ModelError):
    """A streamed answer ended early; `started` says whether anything of it was already shown."""

    code = "stream_broken"
    sentence = "The answer broke off before it was complete."

    def __init__(self, *, started: bool, detail: str | None = None) -> None:
        self.started = started
        super().__init__(detail)


class BadReply(ModelError):
    """An answer that cannot be used; `raw` is what the model wrote and must be masked before it is kept."""

    code = "bad_reply"
    sentence = "The language model's answer could not be used."

    def __init__(self, detail: str | None = None, *, raw: str = "") -> None:
        self.raw = raw
        super().__init__(detail)


class MalformedReply(BadReply):
    code = "malformed_reply"
    sentence = "The language model did not answer in the form that was asked for."


class TruncatedReply(BadReply):
    code = "truncated_reply"
    sentence = "The language model's answer was cut off at the token limit, so nothing of it was used."
