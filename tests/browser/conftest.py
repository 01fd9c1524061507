"""One server and one Chromium for all browser tests; each test has a tab of its own."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@contextmanager
def running_app(log: Path, before: str = "") -> Iterator[str]:
    """A cold server on a free port; fails if anything was logged as a traceback.

    Args:
        log: where the server writes.
        before: Python that the server's process runs first, to slow something down.
    """
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    options = [f"--server.port={port}", "--server.fileWatcherType=none"]
    start = f"{before}\nfrom streamlit.web.cli import main\nmain({['run', 'app.py', *options]})"
    with log.open("wb") as sink:
        server = subprocess.Popen([sys.executable, "-c", start], cwd=ROOT, stdout=sink, stderr=sink)
        try:
            _wait_until_healthy(server, url, log)
            yield url
        finally:
            _stop(server)
    assert "Traceback" not in log.read_text()


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Ask it to end; a busy machine may need it forced, which decides no test."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _wait_until_healthy(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text()}")


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_app(tmp_path_factory.mktemp("server") / "streamlit.log") as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail("Chromium is missing: run make chromium, or set CHROMIUM to its path.")
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(
        viewport={"width": 1280, "height": 900},
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
        accept_downloads=True,
    )
    made.set_default_timeout(15_000)
    expect.set_options(timeout=15_000)  # a busy machine decides no test
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
