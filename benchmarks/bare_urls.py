"""The product's addresses and a bare one."""

from __future__ import annotations

from django.urls import path

from benchmarks.bare import do_nothing
from memoryapp.urls import handler400, handler403, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler403", "handler404", "handler500"]

urlpatterns = [path("bare", do_nothing, name="bare"), *urlpatterns]
