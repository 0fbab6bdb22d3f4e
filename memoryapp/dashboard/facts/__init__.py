"""The memory browser: find what is known, see why, correct it."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.facts import changes, forgetting, listing, trusted

urlpatterns = [
    path("", listing.show_facts, name="facts"),
    path("add/", changes.add, name="facts-add"),
    path("selected/", require_POST(forgetting.do_to_selected), name="facts-selected"),
    path("foresee/", require_POST(forgetting.foresee), name="facts-foresee"),
    path("trust/", trusted.show_trust, name="facts-trust"),
    path("remember/", require_POST(forgetting.remember), name="facts-remember"),
    path("palette/", listing.search_from_palette, name="facts-palette"),
    path("<uuid:fact_id>/", listing.show_row, name="facts-row"),
    path("<uuid:fact_id>/edit/", require_POST(changes.edit), name="facts-edit"),
    path("<uuid:fact_id>/undo/<uuid:revision_id>/", require_POST(changes.undo_edit), name="facts-undo"),
    path("<uuid:fact_id>/pin/", require_POST(changes.pin), name="facts-pin"),
    path("<uuid:fact_id>/judge/", require_POST(changes.judge), name="facts-judge"),
    path("<uuid:fact_id>/review/", require_POST(changes.review), name="facts-review"),
    path("<uuid:fact_id>/forget/", forgetting.forget, name="facts-forget"),
]
