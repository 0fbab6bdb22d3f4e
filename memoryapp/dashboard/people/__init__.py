"""The people a workspace's agents have met: the list, a page for each, opening, exporting and erasing."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.people import leaving, listing, opening, person

urlpatterns = [
    path("", listing.show_people, name="people"),
    path("you/", person.show_yourself, name="people-you"),
    path("close/", require_POST(opening.close_person), name="people-close"),
    path("<uuid:owner_id>/", person.show_person, name="people-person"),
    path("<uuid:owner_id>/words/", person.show_words, name="people-words"),
    path("<uuid:owner_id>/open/", require_POST(opening.open_person), name="people-open"),
    path("<uuid:owner_id>/download/", leaving.download, name="people-download"),
    path("<uuid:owner_id>/erase/", leaving.erase, name="people-erase"),
    path("erasures/<uuid:receipt_id>/", leaving.show_receipt, name="people-receipt"),
]
