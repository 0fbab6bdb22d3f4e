"""What waits for a decision: pairs of facts that disagree, facts to review, a new persona."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.inbox import deeds, listing

urlpatterns = [
    path("", listing.show_inbox, name="inbox"),
    path("reviews/decide/", require_POST(deeds.decide_selected), name="inbox-selected"),
    path("contradictions/<uuid:pair_id>/", listing.show_contradiction, name="inbox-contradiction"),
    path("contradictions/<uuid:pair_id>/resolve/", require_POST(deeds.resolve), name="inbox-resolve"),
    path("contradictions/<uuid:pair_id>/undo/", require_POST(deeds.undo), name="inbox-undo"),
    path("reviews/<uuid:fact_id>/", listing.show_review, name="inbox-review"),
    path("reviews/<uuid:fact_id>/decide/", require_POST(deeds.decide), name="inbox-decide"),
    path("personas/<uuid:proposal_id>/", listing.show_persona, name="inbox-persona"),
    path("personas/<uuid:proposal_id>/decide/", require_POST(deeds.decide_persona), name="inbox-settle"),
]
