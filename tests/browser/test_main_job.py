"""Whole jobs in a real browser: the main one and the planner's."""

import csv
import io
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from dpviz.data import read_table
from dpviz.planning.cast import ASKING
from dpviz.queries import ByColumn, Count
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.releases.drawing import LATER
from dpviz.ui.releases.page import LEDGER
from tests.browser.driving import (
    GROUPS,
    PEOPLE,
    SIZES,
    button,
    choose,
    download,
    draw,
    drawn,
    edit_cell,
    expect_in_use,
    go,
    on_screen,
    open_page,
    press,
    settled,
    stream_of,
    unfold,
    upload,
    write,
)
from tests.cast import RHO
from tests.conftest import FULL, few, full_run
from tests.serving import running_app

TO_ADDRESS = """address => { history.pushState({}, '', address);
    dispatchEvent(new PopStateEvent('popstate')) }"""
RHOS = {name: RHO[name] for name in ASKING} | {"audit": 0.8}  # which is typed
SIGNED = {"format", "made", "key", "signature"}
FACTS = {"tier", "statistic", "data", "definition", "budget", "unit", "neighbours", "bounds"} | {
    *("sensitivity", "noise", "accuracy", "kind", "mode", "practice", "reading checked"),
    *("guarantee, this release", "guarantee, coalitions"),
}


def test_upload_edit_release_download(tab, app_url):
    open_page(tab, app_url, "data")
    upload(tab, PEOPLE)
    expect(tab.get_by_text("Loaded: people.csv, 2 columns")).to_be_visible()
    press(tab, "Use the groups found in the data")
    button(tab, "Use this statistic").click()
    expect_in_use(tab)

    go(tab, "Tiers")
    edit_cell(tab, 0, 1, "0.8")
    expect(tab.get_by_role("heading", level=2).first).to_contain_text(
        re.compile(r"audit to within ±\W?1\.6")
    )

    go(tab, "Releases")
    first, *others = RHOS  # tier 3, then 1, 4, 2
    draw(tab, first, twice=True)
    for name in others:
        draw(tab, name)
    query, table = Count(ByColumn("region", GROUPS)), read_table(PEOPLE.encode(), name="people.csv")
    numbers = drawn(query, table, RHOS, stream_of(query, table, tab))

    unfold(tab, LEDGER)
    table = tab.get_by_test_id("stTable").first
    for name in RHOS:
        expect(table).to_contain_text(f"{numbers[name][0]:,.1f}")
    shown = on_screen(tab)
    assert shown.keys() == numbers.keys()
    for name, values in numbers.items():
        np.testing.assert_array_equal(shown[name], values)

    expect(tab.get_by_text("Per cent:")).to_be_visible()

    go(tab, "Tiers")
    go(tab, "Releases")
    tab.keyboard.press("r")  # rerun
    settled(tab)
    for name, values in on_screen(tab).items():
        np.testing.assert_array_equal(values, shown[name], err_msg="nothing is drawn again")
    check_pack(download(tab, "download_4").read_text("utf-8-sig"), numbers["partners"])


def check_pack(content: str, values: np.ndarray) -> None:
    """Only allowed columns, and every number that of this tier's release."""
    above, below = content.replace("\r\n", "\n").split("\n\n")
    head = {name.removeprefix("# "): text for name, text in csv.reader(io.StringIO(above))}
    assert head.keys() == FACTS | SIGNED | {"read off the data", "column entry", "column value"}
    assert all(head.values())
    assert head["tier"] == "partners"
    assert "practice" in head["mode"]
    rows = list(csv.reader(io.StringIO(below)))
    assert rows[0] == ["entry", "value"]
    assert [row[0] for row in rows[1:]] == list(GROUPS)
    assert [float(row[1]) for row in rows[1:]] == values.tolist()
    assert not set(values.tolist()) & set(SIZES)


# Tests that need a server of their own open it at a page of each group: test_projects.py under
# Understand and Structured, test_server.py at Start and under Plan.
@pytest.mark.skipif(not FULL, reason="every page in the full run, a page of each group elsewhere")
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.file)
def test_a_cold_servers_deep_link_works(context, tmp_path, page):
    with running_app(tmp_path / "cold.log") as server:
        tab = context.new_page()
        open_page(tab, server.url, page.file)
        tab.close()


@full_run
def test_hostile_names_are_shown_as_they_are(tab, app_url):
    bad = "![](http://host.invalid/x.png)"
    open_page(tab, app_url, "data")
    upload(tab, f'"{bad}",n\n<b>x</b>,1\n=1+1,2\n')
    press(tab, "Use the groups found in the data")
    press(tab, "Use this statistic")
    go(tab, "Releases")
    draw(tab, "audit")
    expect(tab.get_by_text("host.invalid/x.png").first).to_be_visible()
    expect(tab.locator("img[src*='host.invalid']")).to_have_count(0)
    expect(tab.locator("section a[href^='http://host']")).to_have_count(0)
    assert "\n'=1+1," in download(tab, "download_1").read_text("utf-8-sig")


def test_no_page_scrolls_sideways_on_a_phone(tab, app_url):
    """In one tab, which loads the frontend once; from page to page as Back and Forward go."""
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, "start")
    for page in few((*PAGES[1:], PAGES[0]), 12):
        address = "/" if page.file == "start" else f"/{page.file}"
        tab.evaluate(TO_ADDRESS, address)
        tab.get_by_role("heading", level=1, name=page.heading).wait_for()
        settled(tab)
        assert tab.evaluate("document.scrollingElement.scrollWidth") <= 390, page.file


# The planner's job in a real browser: a tier upgraded, and nobody else moves.


@full_run
def test_an_upgrade_draws_what_is_typed_last_and_leaves_the_others_alone(tab, app_url):
    open_page(tab, app_url, "releases")
    draw(tab, "public")
    draw(tab, "audit")
    before = on_screen(tab)
    unfold(tab, LATER)
    tab.get_by_role("tab", name="Upgrade a tier").click()
    choose(tab, "Tier", "public")
    write(tab, "Budget", "0.2")
    expect(tab.get_by_text("ρ = 0.1 → ρ = 0.2")).to_be_visible()
    tab.get_by_role("textbox", name="Budget", exact=True).fill("0.25")
    press(tab, "Upgrade and draw")  # what is typed last is drawn, though its field was not left
    expect(button(tab, "Upgrade and draw")).to_have_count(0)  # the act shuts its fold
    picture = tab.locator(".st-key-releases_main .js-plotly-plot")
    expect(picture).to_contain_text("before")  # it is drawn again after the page settled
    upgraded = on_screen(tab)
    former = "public (drawn at ρ\xa0=\xa00.1, before)"
    assert upgraded.keys() == {"public", former, "audit"}
    assert upgraded[former].tolist() == before["public"].tolist()
    assert upgraded["audit"].tolist() == before["audit"].tolist()
    assert not set(upgraded["public"]) & set(before["public"])
    unfold(tab, LEDGER)
    ledger = tab.get_by_test_id("stTable").last.get_by_role("row")
    expect(ledger).to_have_count(4)  # the head and three releases
    expect(ledger.last).to_contain_text("0.25")
