"""What somebody typed and was refused: it stands in the form again on the page they come to, and nowhere after."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memoryapp.actions.masking import masked
from memoryapp.dashboard.pages import Visit

KEPT = "fact_draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """The words of a fact that were not saved, and why."""

    text: str
    why: str


def keep_draft(visit: Visit, fact_id: UUID, text: str, why: str) -> None:
    """Keep the words until the next page, without credentials, as everything that is kept."""
    words, _ = masked(text, visit.workspace)
    visit.request.session[KEPT] = {"fact": str(fact_id), "text": words, "why": why}


def take_draft(visit: Visit, fact_id: UUID) -> Draft | None:
    """The words kept for a fact, once."""
    kept = visit.request.session.get(KEPT)
    if not kept or kept["fact"] != str(fact_id):
        return None
    del visit.request.session[KEPT]
    return Draft(kept["text"], kept["why"])
