"""The guide's page about filters is what the table of fields says.

To print it anew: `python manage.py test tests/retrieval/test_filter_guide.py` with UPDATE_SNAPSHOTS=1.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

from memoryapp.retrieval.filters.guide import filter_guide

PAGE = Path(settings.BASE_DIR) / "docs" / "guide" / "filters.md"


def test_the_page_is_up_to_date() -> None:
    if os.environ.get("UPDATE_SNAPSHOTS"):
        PAGE.write_text(filter_guide(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == filter_guide()
