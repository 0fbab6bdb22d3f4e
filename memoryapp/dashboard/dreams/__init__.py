"""Nights: the timeline of dreams, what each changed and why, what may be promoted next, and when."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.dreams import archives, candidates, deeds, reports, schedules

urlpatterns = [
    path("", reports.show_dreams, name="dreams"),
    path("start/", require_POST(deeds.start), name="dreams-start"),
    path("progress/<uuid:event_id>/", reports.show_progress, name="dreams-progress"),
    path("candidates/", candidates.show_candidates, name="dreams-candidates"),
    path("schedule/", schedules.show_schedule, name="dreams-schedule"),
    path("schedule/<slug:kind>/", require_POST(schedules.change), name="dreams-reschedule"),
    path("archives/<slug:month>/", archives.show_archive, name="dreams-archive"),
    path("<uuid:dream_id>/", reports.show_report, name="dreams-report"),
    path("<uuid:dream_id>/decide/", require_POST(deeds.decide), name="dreams-decide"),
    path("<uuid:dream_id>/<uuid:entry_id>/", require_POST(deeds.judge), name="dreams-entry"),
]
