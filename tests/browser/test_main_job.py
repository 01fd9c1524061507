"""The main job in a real browser: upload, edit, release in the order 3, 1, 4, 2, download."""

import csv
import io

import numpy as np
import pytest
from playwright.sync_api import expect

from dpviz import streams
from dpviz.data import read_csv
from dpviz.mechanisms import gaussian_level
from dpviz.noise import FAMILIES
from dpviz.queries import CountPerGroup
from dpviz.release import ALLOWED_COLUMNS, MultipleRelease
from dpviz.ui.page_table import PAGES
from tests.browser.conftest import running_app
from tests.browser.driving import button, draw, edit_cell, go, open_page, settled, upload

GROUPS = ("east", "north", "south", "west")
PEOPLE = "region,age\n" + "".join(
    f"{g},{20 + i % 60}\n" for k, g in enumerate(GROUPS) for i in range(200 + 150 * k)
)
RHOS = {"public": 0.002, "restricted": 0.01, "confidential": 0.05, "top secret": 0.8}
ORDER = ["confidential", "public", "top secret", "restricted"]  # tiers 3, 1, 4, 2


def expected() -> dict[str, np.ndarray]:
    query = CountPerGroup("region", GROUPS)
    table = read_csv(PEOPLE.encode(), name="people.csv")
    session = MultipleRelease(query.counts(table), FAMILIES["gaussian"], rng=streams.teaching(7, 1))
    return {n: session.release(gaussian_level(RHOS[n], 1.0)) for n in ORDER}


def test_upload_edit_release_download(tab, app_url):
    open_page(tab, app_url, "data")
    upload(tab, PEOPLE)
    expect(tab.get_by_text("people.csv").first).to_be_visible()
    button(tab, "Use this statistic").click()
    expect(tab.get_by_text("In use: the other pages show this statistic.")).to_be_visible()

    go(tab, "Tiers")
    edit_cell(tab, 3, 1, "0.8")
    expect(tab.get_by_role("heading", level=2).first).to_contain_text("0.8")

    go(tab, "Releases")
    for name in ORDER:
        draw(tab, name)
    numbers = expected()

    tab.get_by_text("The same numbers as a table").click()
    table = tab.get_by_test_id("stTable").first
    for name in ORDER:
        expect(table).to_contain_text(f"{numbers[name][0]:,.1f}")
    shown = tab.locator(".js-plotly-plot").first.evaluate(
        "plot => plot._fullData.map(t => [t.name, Array.from(t.x)])"
    )
    on_screen = dict(shown)
    for name, values in numbers.items():
        np.testing.assert_array_equal(on_screen[name], values)

    ledger = tab.get_by_text("Ledger, in order of asking")
    expect(ledger).to_be_visible()
    with tab.expect_download() as waiting:
        tab.locator(".st-key-download_4 button").click()
    content = waiting.value.path().read_text(encoding="utf-8")
    check_pack(content, numbers["restricted"])


def check_pack(content: str, values: np.ndarray) -> None:
    """Only allowed columns, and every number that of this tier's release."""
    lines = list(csv.reader(io.StringIO(content)))
    head = {row[0]: row[1] for row in lines if row[0].startswith("#")}
    rows = [row for row in lines if not row[0].startswith("#")]
    assert head["# tier"] == "restricted"
    for field in ("definition", "unit", "neighbours", "sensitivity", "budget", "accuracy", "mode"):
        assert head[f"# {field}"]
    assert "teaching" in head["# mode"]
    assert set(rows[0]) <= set(ALLOWED_COLUMNS)
    assert [row[0] for row in rows[1:]] == list(GROUPS)
    assert [float(row[1]) for row in rows[1:]] == values.tolist()


def test_nothing_redraws_on_rerun_page_switch_or_double_click(tab, app_url):
    open_page(tab, app_url, "releases")
    box = tab.locator(".st-key-draw_public button")
    box.dblclick()
    expect(box).to_contain_text("held")
    settled(tab)
    read = "plot => Array.from(plot._fullData.find(t => t.name === 'public').x)"
    first = tab.locator(".js-plotly-plot").first.evaluate(read)
    go(tab, "Tiers")
    go(tab, "Releases")
    tab.keyboard.press("r")  # rerun
    settled(tab)
    assert tab.locator(".js-plotly-plot").first.evaluate(read) == first


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.file)
def test_a_cold_servers_deep_link_works(context, tmp_path, page):
    with running_app(tmp_path / "cold.log") as url:
        tab = context.new_page()
        open_page(tab, url, page.file)
        expect(tab.get_by_role("heading", level=1)).to_have_text(page.question)
        expect(tab.get_by_role("dialog")).to_have_count(0)
        expect(tab.get_by_test_id("stException")).to_have_count(0)
        tab.close()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n1,2,3\n", "ine 3"),
        (b"PK\x03\x04\x00\x00", "Excel"),
        ("a,b\nä,1\n".encode("latin-1"), "UTF-8"),
        (b"a,a\n1,2\n", "olumn"),
    ],
)
def test_a_bad_file_gets_one_sentence(tab, app_url, content, sentence):
    open_page(tab, app_url, "data")
    upload(tab, content)
    alert = tab.get_by_test_id("stAlert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text(sentence)
    expect(tab.get_by_text("nhefs.csv").first).to_be_visible()


def test_hostile_names_are_shown_as_they_are(tab, app_url):
    bad = "![](http://host.invalid/x.png)"
    open_page(tab, app_url, "data")
    upload(tab, f'"{bad}",n\n<b>x</b>,1\n=1+1,2\n')
    button(tab, "Use this statistic").click()
    go(tab, "Releases")
    draw(tab, "top secret")
    expect(tab.get_by_text("host.invalid/x.png").first).to_be_visible()
    expect(tab.locator("img[src*='host.invalid']")).to_have_count(0)
    expect(tab.locator("section a[href^='http://host']")).to_have_count(0)
    with tab.expect_download() as waiting:
        tab.locator(".st-key-download_1 button").click()
    assert "\n'=1+1," in waiting.value.path().read_text(encoding="utf-8").replace("\r", "")


def test_a_nonsense_budget_gets_one_sentence_and_stays(tab, app_url):
    open_page(tab, app_url, "tiers")
    edit_cell(tab, 0, 1, "abc")
    alert = tab.get_by_test_id("stAlert").filter(has_text="is not a number")
    expect(alert).to_be_visible()
    go(tab, "Releases")
    go(tab, "Tiers")
    expect(tab.get_by_test_id("stAlert").filter(has_text="is not a number")).to_be_visible()


def test_sealing_and_starting_over_ask_first(tab, app_url):
    open_page(tab, app_url, "releases")
    draw(tab, "public")
    tab.get_by_role("button", name="Seal at a tier …").click()
    expect(tab.get_by_text("The exact numbers are erased")).to_be_visible()
    button(tab, "Erase and seal").click()
    expect(tab.get_by_text("Sealed: the exact numbers are erased")).to_be_visible()
    expect(button(tab, "Erase and seal")).to_have_count(0)
    tab.get_by_role("button", name="Start over …").click()
    expect(tab.get_by_text("the privacy loss of both sessions adds")).to_be_visible()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.file)
def test_no_page_scrolls_sideways_on_a_phone(context, app_url, page):
    tab = context.new_page()
    tab.set_viewport_size({"width": 390, "height": 800})
    open_page(tab, app_url, page.file)
    width = tab.evaluate("document.scrollingElement.scrollWidth")
    assert width <= 390
    tab.close()


def test_hardened_mode_is_switched_badged_and_in_the_download(tab, app_url):
    open_page(tab, app_url, "tiers")
    expect(tab.get_by_text("Teaching mode").first).to_be_visible()
    tab.get_by_role("radio", name="Hardened").or_(
        tab.get_by_role("button", name="Hardened", exact=True)
    ).first.click()
    settled(tab)
    expect(tab.get_by_text("discrete Laplace", exact=True).first).to_be_visible()
    expect(tab.get_by_text("Gaussian", exact=True)).to_have_count(0)
    for title in ("Data", "Releases"):
        go(tab, title)
        expect(tab.get_by_text("Hardened").first).to_be_visible()
        expect(tab.get_by_text("Teaching mode")).to_have_count(0)
    draw(tab, "restricted")
    with tab.expect_download() as waiting:
        tab.locator(".st-key-download_1 button").click()
    content = waiting.value.path().read_text(encoding="utf-8")
    head, rows = content.split("group,value")
    assert "hardened: operating-system entropy" in head
    assert "guarantee, coalitions" in head
    assert all(row.rsplit(",", 1)[1].lstrip("-").isdigit() for row in rows.strip().splitlines())
