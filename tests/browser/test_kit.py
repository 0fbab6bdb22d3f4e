"""The components by themselves, also those that no page shows yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.template import engines

from tests.browser.conftest import Visitor
from tests.browser.test_views import faults

KIT = (Path(__file__).parent / "kit.html").read_text(encoding="utf-8")
BEFORE = "## Preferences\n- Summary on Monday at 8\n"
AFTER = "## Preferences\n- Summary on Monday at 08:00, 不要附件\n"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", ["desk", "phone"])
def test_the_components_are_sound(visit: Callable[..., Visitor], width: str, theme: str) -> None:
    html = engines["django"].from_string(KIT).render({"before": BEFORE, "after": AFTER})
    visitor = visit(width=width, theme=theme)
    visitor.page.route(
        "**/kit/", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8")
    )
    visitor.page.goto("/kit/")
    assert faults(visitor.page) == []
    assert not visitor.scrolls_sideways()
    assert visitor.complaints == []
