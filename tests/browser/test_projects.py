"""A project in two tabs, a server that is killed, a session that is gone: nothing shown is lost."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from dpviz.ui.kit.shell import BUTTONS, TITLE
from dpviz.workspace.projects import PLACE
from tests.browser.driving import (
    GROUPS,
    PEOPLE,
    button,
    choose,
    draw,
    go,
    harden,
    on_screen,
    open_page,
    press,
    settled,
    upload,
    write,
)
from tests.conftest import FULL, full_run
from tests.serving import PATIENCE, Server, free_port, running_app

NAME = "people 2026"


def numbers(tab: Page) -> dict[str, list[float]]:
    tab.bring_to_front()  # a tab that nobody sees draws no frame, and tests wait for frames
    return {name: each.tolist() for name, each in on_screen(tab).items()}


def open_project(tab: Page) -> None:
    tab.bring_to_front()
    choose(tab, "Project", NAME)
    button(tab, "Open the project").click()
    tab.wait_for_url("**/releases")
    tab.get_by_text("Saved in “people 2026”").first.wait_for()
    settled(tab)


def saving(tab: Page) -> None:
    """Open the box of the eyebrow in which work is saved."""
    tab.locator(".st-key-project button").first.click()
    settled(tab)


def bring(tab: Page) -> None:
    tab.bring_to_front()
    tab.locator("input[type=file]").first.set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": PEOPLE.encode()}
    )
    expect(tab.get_by_text("To draw more, bring")).to_have_count(0)
    settled(tab)


def begin(tab: Page, url: str) -> None:
    """Load a table in hardened mode, keep it as a project, and draw one release."""
    tab.bring_to_front()
    open_page(tab, url, "tiers")
    harden(tab)
    go(tab, "Data")
    upload(tab, PEOPLE)
    write(tab, "Groups to publish, one per line", "\n".join(GROUPS))
    press(tab, "Use this statistic")
    go(tab, "Releases")
    saving(tab)
    write(tab, "Name of the project", NAME)
    press(tab, "Keep as a project")
    draw(tab, "public")


STOPS = """
import pathlib, time
from dpviz.workspace.projects import project
def stopped(act, waits):
    def now(self, *words):
        act(self, *words)
        if waits(*words):
            pathlib.Path({mark!r}).touch()
            time.sleep(600)
    return now
if {committed}:
    def waits(_ws, found): return any(e.tier == "audit" for e in found.ledger)
    project.Project._put = stopped(project.Project._put, waits)
else:
    def waits(_one, entry): return entry is not None and entry.tier == "audit"
    project._Writing.keep = stopped(project._Writing.keep, waits)
"""


def killed_while_it_draws(tab: Page, server: Server, mark: Path) -> dict[str, list[float]]:
    """Kill the server once its draw has left the mark; what was on screen then."""
    begin(tab, server.url)
    draw(tab, "partners")
    held = numbers(tab)
    tab.locator(".st-key-draw_audit button:visible").click()
    end = time.monotonic() + PATIENCE
    while not mark.exists():
        assert time.monotonic() < end, "nothing was drawn"
        time.sleep(0.05)
    server.process.kill()
    server.process.wait()
    return held


@full_run
@pytest.mark.parametrize("committed", [False, True], ids=["before the commit", "after it"])
def test_a_server_that_is_killed_in_the_middle_of_a_draw_loses_nothing(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    """The press runs, the number is drawn, nobody has seen it: what was on screen is there."""
    monkeypatch.setenv(PLACE, str(tmp_path / "kept"))
    port, mark, tab = free_port(), tmp_path / "drawn", context.new_page()
    stops = STOPS.format(mark=str(mark), committed=committed)
    with (
        pytest.raises(AssertionError, match="the server died"),
        running_app(tmp_path / "before.log", stops, port=port) as server,
    ):
        held = killed_while_it_draws(tab, server, mark)
    assert set(held) == {"public", "partners"}
    with running_app(tmp_path / "after.log", port=port):
        expect(tab.get_by_role("heading", name=TITLE)).to_be_visible()
        settled(tab)
        open_project(tab)
        there = numbers(tab)
        assert {name: there[name] for name in held} == held
        assert set(there) == ({*held, "audit"} if committed else {*held})
        bring(tab)
        draw(tab, "research" if committed else "audit")
        assert {name: numbers(tab)[name] for name in there} == there
        tab.close()


@full_run
def test_the_browser_asks_before_a_reload_loses_what_is_not_kept(tab: Page, app_url: str) -> None:
    asked: list[str] = []
    tab.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    open_page(tab, app_url, "releases")
    draw(tab, "public")
    if FULL:  # neither a download nor another page is an end
        tab.locator(".st-key-download_1 button:visible").click()
        go(tab, "Tiers")
    assert asked == []
    tab.reload()
    tab.get_by_role("heading", level=1).wait_for()
    assert asked == ["beforeunload"]
    settled(tab)
    tab.reload()  # now there is nothing to lose
    tab.get_by_role("heading", level=1).wait_for()
    assert asked == ["beforeunload"]


# A tab whose session is gone says so, shows nothing of it, and does not fall back to teaching.


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


def wires(tab: Page) -> list[tuple[WebSocketRoute, WebSocketRoute]]:
    """Both ends of each connection that a tab makes from now on, which can then be cut."""
    found: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def through(route: WebSocketRoute) -> None:
        found.append((route, route.connect_to_server()))

    tab.route_web_socket(re.compile("_stcore/stream"), through)
    return found


@full_run
def test_a_long_cut_is_told(own_tab: Page, tmp_path: Path) -> None:
    """The server forgets a session a second after the cut; the browser comes back later."""
    sockets = wires(own_tab)
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
def test_a_short_cut_keeps_the_workspace(own_tab: Page, app_url: str) -> None:
    sockets = wires(own_tab)
    numbers = release_hardened(own_tab, app_url, "data")
    sockets[-1][1].close()
    sockets[-1][0].close()
    expect(own_tab.locator(".st-key-draw_public button:visible")).to_contain_text("✓")
    settled(own_tab)
    assert [f"{x:,.0f}" for each in on_screen(own_tab).values() for x in each] == numbers
