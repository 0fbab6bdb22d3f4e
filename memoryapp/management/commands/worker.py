"""`manage.py worker`: the queue's worker processes, over a database whose roles have been checked."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from memoryapp.checks import refuse_unsafe_role
from memoryapp.jobs import run_cluster
from memoryapp.management.leash import follow_supervisor
from memoryapp.retrieval.vectors.checking import refuse_wrong_dimensions


class Command(BaseCommand):
    help = "Run the queue's workers."

    def handle(self, *args: str, **options: Any) -> None:
        follow_supervisor()
        try:
            refuse_unsafe_role()
            refuse_wrong_dimensions()
        except ImproperlyConfigured as refusal:
            raise CommandError(str(refusal)) from refusal
        run_cluster()
