"""`manage.py test`: the suite, with pytest. The command line runs it before Django; this is its help."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from memoryapp.commandline import run_tests


class Command(BaseCommand):
    help = "Run the suite with pytest, which takes all arguments: manage.py test tests/chat -q -n 2 -m long"

    def handle(self, *args: str, **options: Any) -> None:
        sys.exit(run_tests(list(args)))
