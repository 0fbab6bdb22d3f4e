"""No page in Chinese says anything in English that the catalogue can say, wherever the words come from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.catalogue import messages, texts_of, translated
from tests.dashboard.conftest import Pages
from tests.dashboard.test_marked import Reader
from tests.dashboard.test_pages import DOWNLOADS, READS, address, personal_file  # noqa: F401  fixtures


@pytest.mark.long
def test_every_page_speaks_chinese_throughout(
    pages: Pages,
    address: Any,  # noqa: F811
    personal_file: None,  # noqa: F811
) -> None:
    english = {
        str(message.id)
        for message in messages(translated())
        if " " in message.id and message.id not in texts_of(message)
    }
    found = {}
    for name in READS:
        if name not in DOWNLOADS:
            html = pages.client.get(address(name), headers={"accept-language": "zh-CN"}).content.decode()
            reader = Reader()
            reader.feed(html)
            found[name] = {text.strip() for text in reader.words} & english
    assert {name: words for name, words in found.items() if words} == {}
