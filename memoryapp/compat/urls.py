"""Addresses of other products' APIs; each is served with and without the closing slash, and never redirects."""

from __future__ import annotations

from django.urls import re_path

from memoryapp.compat.mem0.views import AddView, SearchView

urlpatterns = [
    re_path(r"^v1/memories/?$", AddView.as_view(), name="mem0-add"),
    re_path(r"^v2/memories/search/?$", SearchView.as_view(), name="mem0-search"),
]
