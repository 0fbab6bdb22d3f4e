"""A real browser against the real server, streams included, over the suite's database."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright

from memoryapp.handling import make_handler
from tests.conftest import PASSWORD, Person

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.dirname(__file__)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            # A page left while it loads is a request whose connection is closed by the garbage collector.
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))
            # Static files are read whole by the ASGI handler, which says so.
            item.add_marker(
                pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous")
            )
            if CHROMIUM is None:
                item.add_marker(
                    pytest.mark.skip(reason="no chromium: install it with “apt-get install chromium”")
                )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright's synchronous interface runs an event loop in this thread, which Django would take for async code.
    # It ends with each module: whatever runs after it in this process may want a loop of its own.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def site(transactional_db: Any) -> Iterator[str]:
    """The product served over ASGI by a thread of this process; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(make_handler(), lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(timeout=10)
    listener.close()
    with warnings.catch_warnings():
        # Connections of requests that a page left while they ran: collected here, not in somebody else's test.
        warnings.simplefilter("ignore")
        gc.collect()


@dataclass
class Visitor:
    """Somebody in front of a browser; what the console complains about is kept."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        def hear(message: ConsoleMessage) -> None:
            if message.type == "error":
                self.complaints.append(message.text)

        def catch(error: Error) -> None:
            self.complaints.append(str(error))

        self.page.on("console", hear)
        self.page.on("pageerror", catch)

    def sign_in(self, person: Person) -> None:
        self.page.goto("/sign-in/")
        self.page.get_by_label("User name").fill(person.user.get_username())
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/overview/")

    def scrolls_sideways(self) -> bool:
        return bool(
            self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        )


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Visitor]]:
    """Opens a browser of its own for whoever comes: `visit(person, width="phone", theme="dark", script=False)`."""
    contexts = []

    def open_browser(
        person: Person | None = None,
        *,
        width: str = "desk",
        theme: str = "light",
        script: bool = True,
        locale: str = "en-GB",
    ) -> Visitor:
        wide, high = WIDTHS[width]
        context = browser.new_context(
            base_url=site,
            viewport={"width": wide, "height": high},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            java_script_enabled=script,
            locale=locale,
        )
        contexts.append(context)
        visitor = Visitor(context.new_page())
        visitor.page.set_default_timeout(15_000)
        visitor.listen()
        if person is not None:
            visitor.sign_in(person)
        return visitor

    yield open_browser
    for context in contexts:
        context.close()
