"""Gate 4, looked at first: no credential passes, only the note that one was configured."""

from __future__ import annotations

import regex

from memoryapp.lifecycle.gates.context import Context, Stopped
from memoryapp.llm.backends.offline.credential_notes import note_credential
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.tasks import Candidate, Operation
from memoryapp.safety.credentials import MARKER, redact

_LOGIN = regex.compile(rf"(?<=://)[^\s/@]*{regex.escape(MARKER)}[^\s/@]*@")
SECRET = Stopped("safe", "It holds a credential, and nothing says what that was configured for.")


def make_safe(candidate: Candidate, context: Context) -> Candidate | Stopped:
    """The candidate without a credential; stopped when nothing worth keeping is left of it."""
    quote = redact(candidate.quote, context.secrets).text
    masked = redact(candidate.text, context.secrets).text
    candidate = candidate.model_copy(update={"quote": quote})
    if MARKER not in masked or candidate.op is Operation.DELETE:
        return candidate.model_copy(update={"text": masked})
    without_login = _LOGIN.sub("", masked)
    if MARKER not in without_login:
        return candidate.model_copy(update={"text": without_login})
    said = "\n".join(message.text for message in context.evidence(candidate) if message.role == "user")
    note = note_credential(masked, detect_language(masked), context.day_of(candidate), around=said or masked)
    if note is None or MARKER in note.text:
        return SECRET
    return candidate.model_copy(update={"text": note.text, "category": "configuration"})
