"""The dashboard as a person feels it: start, first page, page to page, memory.

Run by `make bench`. Timings are of one headless Chromium on this machine. The floor of the first
page is an app of one chart and nothing else, in the same run: Streamlit's own start, its files on
their way to the browser, and Plotly's first picture.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.table import heading, line
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.driving import HEADINGS, menu_link, settled
from tests.serving import ROOT, Server, free_port, running

STARTS = 3  # of each server, in turn
READY, PAGE, MEMORY = 3.0, 0.7, 400.0  # seconds, seconds, megabytes
FIRST = (1.5, 1.2)  # times the app of one chart, cold and warm
ONE_CHART = """import plotly.graph_objects as go
import streamlit as st
st.plotly_chart(go.Figure(go.Scatter(x=[1, 2], y=[1, 3])))
"""
WALK = ("Data", "Tiers", "Bridge paths", "Variances", "Collusion")  # by the menu


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        Path(folder, "one_chart.py").write_text(ONE_CHART, encoding="utf-8")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        heading("Dashboard")
        _starts(browser, Path(folder))
        with _serving(Path(folder), own=True) as (_, server):
            tab = browser.new_page()
            tab.goto(server.url)
            settled(tab)
            line("memory of the server, sample loaded", server.megabytes(), "MB", MEMORY)
            _page_to_page(tab, server.url)
        browser.close()


@contextmanager
def _serving(folder: Path, *, own: bool) -> Iterator[tuple[float, Server]]:
    """The dashboard, or the app of one chart, with the seconds until it answers."""
    port = free_port()
    bare = ["streamlit", "run", f"--server.port={port}", "--server.headless=true", "one_chart.py"]
    words = ["dpviz", "run", f"--port={port}"] if own else bare
    begun = time.perf_counter()
    place = ROOT if own else folder
    with running([sys.executable, "-m", *words], folder / f"{port}.log", port, cwd=place) as server:
        yield time.perf_counter() - begun, server


def _starts(browser: Browser, folder: Path) -> None:
    """Until the server answers, until the first visitor has a picture, and until the second has."""
    took: dict[bool, list[tuple[float, float, float]]] = {True: [], False: []}
    for _ in range(STARTS):
        for own, found in took.items():
            with _serving(folder, own=own) as (ready, server):
                found.append((ready, _picture(browser, server.url), _picture(browser, server.url)))
    ours, bare = (list(zip(*took[own], strict=True)) for own in (True, False))
    line("server answers", ours[0], "s", READY, floor=statistics.median(bare[0]))
    for words, own, floors, goal in zip(("cold", "warm"), ours[1:], bare[1:], FIRST, strict=True):
        floor = statistics.median(floors)
        line(f"first page, {words}", own, "s", round(goal * floor, 2), floor=floor)


def _picture(browser: Browser, url: str) -> float:
    """Seconds to the first picture of somebody who was never here."""
    with browser.new_context() as visitor:
        tab = visitor.new_page()
        begun = time.perf_counter()
        tab.goto(url)
        tab.locator(".js-plotly-plot .main-svg").first.wait_for()
        return time.perf_counter() - begun


def _page_to_page(tab: Page, url: str) -> None:
    """Go to another page by the menu, until its picture is there."""
    tab.goto(f"{url}/releases")
    settled(tab)
    took = []
    for title in WALK:
        link = menu_link(tab, title)
        begun = time.perf_counter()
        link.click()
        tab.get_by_role("heading", level=1, name=HEADINGS[title]).wait_for()
        tab.locator("[data-stale=false] .js-plotly-plot .main-svg").first.wait_for()
        took.append(time.perf_counter() - begun)
        settled(tab)
    line("page to page", took, "s", PAGE)


if __name__ == "__main__":
    main()
