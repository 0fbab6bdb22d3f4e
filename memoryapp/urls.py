"""Every address of the product: the native API, other products' shapes, the dashboard."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

urlpatterns = [
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("api/v1/", include("memoryapp.api.urls")),
    path("", include("memoryapp.compat.urls")),
    path("", include("memoryapp.dashboard.urls")),
]

handler400 = "memoryapp.api.errors.bad_request"
handler403 = "memoryapp.api.errors.permission_denied"
handler404 = "memoryapp.api.errors.not_found"
handler500 = "memoryapp.api.errors.server_error"
