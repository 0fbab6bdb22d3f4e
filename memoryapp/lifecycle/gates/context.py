"""What the gates look at beside the candidate itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.tasks import Candidate, KnownFact, Overlay, TranscriptMessage


@dataclass(frozen=True, slots=True)
class Context:
    """What is known, what was said, when, and under which rules."""

    known: Sequence[KnownFact]
    transcript: Sequence[TranscriptMessage]
    today: date
    overlay: Overlay
    secrets: Sequence[str] = ()

    def fact(self, number: int | None) -> KnownFact | None:
        """The known fact under a number; none for a number that was never given."""
        return next((fact for fact in self.known if fact.number == number), None)

    def said_by(self, role: str) -> str:
        """Everything one side said."""
        return "\n".join(message.text for message in self.transcript if message.role == role)

    def evidence(self, candidate: Candidate) -> list[TranscriptMessage]:
        """The messages a candidate rests on; unknown numbers are passed over."""
        return [message for message in self.transcript if message.number in candidate.evidence]

    def day_of(self, candidate: Candidate) -> date:
        """The date on which the candidate's latest evidence was said."""
        dated = [message.at for message in self.evidence(candidate) if message.at]
        return max(dated).date() if dated else self.today

    def language_of(self, candidate: Candidate) -> str:
        """The language in which the person said it."""
        said = [message.text for message in self.evidence(candidate) if message.role == "user"]
        return detect_language(
            candidate.quote or " ".join(said) or candidate.text, detect_language(candidate.text)
        )


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a candidate does not pass a gate."""

    gate: str
    reason: str
