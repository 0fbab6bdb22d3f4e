"""The product's web server with one more address: a view that does nothing, to compare with."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from memoryapp.asgi import application
from memoryapp.urls import urlpatterns

__all__ = ["application"]


def do_nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


urlpatterns.insert(0, path("bare", do_nothing))
