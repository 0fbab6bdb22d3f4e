"""The product's settings with one more address: a view that does nothing, to compare with."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from memoryapp.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare_urls"


def do_nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")
