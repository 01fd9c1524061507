"""A tab whose session is gone says so, shows nothing of it, and does not fall back to teaching."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpviz.ui.kit.shell import BUTTONS, TITLE
from tests.browser.driving import (
    button,
    draw,
    go,
    harden,
    on_screen,
    open_page,
    press,
    settled,
)
from tests.conftest import full_run
from tests.serving import free_port, running_app

BADGE = ".stMarkdownBadge"
LOST = {"name": TITLE, "level": 1}


@pytest.fixture
def own_tab(context: BrowserContext) -> Iterator[Page]:
    """A tab that may ask in vain; what is cut off is cut off for this tab alone."""
    tab = context.new_page()
    yield tab
    tab.close()


def release_hardened(tab: Page, url: str, first: str) -> list[str]:
    """Come to a page, draw a release in hardened mode; the numbers that are then on screen."""
    open_page(tab, url, first)
    go(tab, "Tiers")
    harden(tab)
    go(tab, "Releases")
    draw(tab, "public")
    return [f"{x:,.0f}" for numbers in on_screen(tab).values() for x in numbers]


def assert_told_and_asked(tab: Page, numbers: list[str]) -> None:
    expect(tab.get_by_role("heading", **LOST)).to_be_visible()
    settled(tab)
    words = tab.locator("body").inner_text()
    assert not [x for x in numbers if re.search(rf"\b{x}\b", words)]
    expect(tab.locator(".js-plotly-plot")).to_have_count(0)
    expect(tab.locator(BADGE).filter(has_text="Practice mode")).to_have_count(0)
    press(tab, BUTTONS["hardened"])
    expect(tab.locator(BADGE).filter(has_text="Hardened").first).to_be_visible()
    expect(tab.locator(BADGE).filter(has_text="Practice mode")).to_have_count(0)
    go(tab, "Tiers")
    expect(tab.get_by_role("radio", name="Hardened")).to_be_checked()
    go(tab, "Releases")
    expect(tab.locator(".st-key-draw_public button:visible")).not_to_contain_text("✓")


@full_run
def test_a_restart_of_the_server_is_told(own_tab: Page, tmp_path: Path) -> None:
    port = free_port()
    with running_app(tmp_path / "before.log", port=port) as server:
        numbers = release_hardened(own_tab, server.url, "laplace_or_gauss")
    with running_app(tmp_path / "after.log", port=port):
        assert_told_and_asked(own_tab, numbers)


@full_run
def test_a_long_cut_is_told(own_tab: Page, tmp_path: Path) -> None:
    """The server forgets a session a second after the cut; the browser comes back later."""
    sockets = []

    def through(route):
        sockets.append((route, route.connect_to_server()))

    own_tab.route_web_socket(re.compile("_stcore/stream"), through)
    short = ["--server.disconnectedSessionTTL=1"]
    with running_app(tmp_path / "server.log", more=short) as server:
        numbers = release_hardened(own_tab, server.url, "continual_counting")
        own_tab.route(re.compile("_stcore/"), lambda route: route.abort())
        route, to_server = sockets[-1]
        to_server.close()
        own_tab.wait_for_timeout(4000)
        route.close()
        own_tab.unroute(re.compile("_stcore/"))
        assert_told_and_asked(own_tab, numbers)


@full_run
def test_a_first_visit_and_a_reload_lost_nothing(own_tab: Page, app_url: str) -> None:
    for _ in range(2):
        open_page(own_tab, app_url, "start")
        expect(own_tab.get_by_role("heading", **LOST)).to_have_count(0)
        expect(button(own_tab, BUTTONS["teaching"])).to_have_count(0)


@full_run
def test_a_short_cut_keeps_the_workspace(own_tab: Page, app_url: str) -> None:
    sockets = []

    def through(route):
        sockets.append((route, route.connect_to_server()))

    own_tab.route_web_socket(re.compile("_stcore/stream"), through)
    numbers = release_hardened(own_tab, app_url, "data")
    sockets[-1][1].close()
    sockets[-1][0].close()
    expect(own_tab.locator(".st-key-draw_public button:visible")).to_contain_text("✓")
    settled(own_tab)
    assert [f"{x:,.0f}" for each in on_screen(own_tab).values() for x in each] == numbers
