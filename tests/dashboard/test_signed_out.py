"""Whoever is signed out while a page stands open loses nothing but the way back, and is told."""

from __future__ import annotations

from urllib.parse import quote

from tests.conftest import PASSWORD, Person
from tests.dashboard.conftest import Pages


def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(pages: Pages, alice: Person) -> None:
    page = pages.agent("dreams/?topic=x")
    pages.client.logout()
    sent = pages.client.post(pages.agent("dreams/start/"), headers={"referer": f"http://testserver{page}"})
    assert sent.headers["Location"] == f"/sign-in/?next={quote(page)}"
    form = {"username": alice.user.get_username(), "password": PASSWORD}
    back = pages.client.post(sent.headers["Location"], form, follow=True)
    assert back.redirect_chain[-1][0] == page
    assert "Nothing was changed; please do it again." in back.content.decode()
    pages.client.logout()
    for foreign in ("https://evil.example/w/x/", ""):
        sent = pages.client.post(pages.agent("dreams/start/"), headers={"referer": foreign})
        assert sent.headers["Location"] == "/sign-in/?next=/"
