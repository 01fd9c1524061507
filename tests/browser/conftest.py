"""One server and one Chromium for all browser tests; each test has a tab of its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.serving import PATIENCE, Server, running_app

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # one process for all tabs: each would parse the frontend again
    "--js-flags=--single-threaded",  # compile nothing ahead on another core, which a test needs
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as processors: while one waits for its page, another computes."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_app(tmp_path_factory.mktemp("server") / "streamlit.log") as server:
        yield server


@pytest.fixture(scope="session")
def app_url(app_server: Server) -> str:
    return app_server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail("Chromium is missing: run make chromium, or set CHROMIUM to its path.")
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def context(browser: Browser, app_url: str) -> Iterator[BrowserContext]:
    made = browser.new_context(
        viewport={"width": 1280, "height": 900},
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
        accept_downloads=True,
    )
    made.set_default_timeout(1000 * PATIENCE)
    expect.set_options(timeout=1000 * PATIENCE)
    made.new_page().goto(f"{app_url}/_stcore/health")  # keeps the process between two tests
    yield made
    made.close()


@pytest.fixture
def tab(context: BrowserContext) -> Iterator[Page]:
    """A tab that fails the test on a script error or a request to another host."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.on(
        "request",
        lambda r: (
            errors.append(f"request to {r.url}")
            if not r.url.startswith(("http://127.0.0.1", "data:", "blob:", "ws://127.0.0.1"))
            else None
        ),
    )
    yield page
    page.close()
    assert not errors
