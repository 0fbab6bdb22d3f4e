"""Your own account: how you sign in, where you are signed in, and how the dashboard treats you."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_POST

from memoryapp.dashboard.account import overview, two_step

urlpatterns = [
    path("", overview.show_account, name="account"),
    path("preferences/", require_POST(overview.prefer), name="account-preferences"),
    path("sessions/", require_POST(overview.end_sessions), name="account-sessions"),
    path("second-step/", two_step.set_up, name="account-second-step"),
    path("second-step/off/", two_step.switch_off, name="account-second-step-off"),
    path("second-step/codes/", two_step.renew_codes, name="account-codes"),
]
