"""A German table, corrected by mouse and used: what is counted then, and what one person moves."""

from playwright.sync_api import expect

from dpviz.ui.kit.group_controls import HOW_READ
from tests.browser.driving import (
    BY_COLUMN,
    SEVERAL,
    choose,
    expect_in_use,
    open_drawer,
    open_page,
    pick,
    press,
    settled,
    unfold,
    upload,
    write,
)
from tests.conftest import full_run

GERMAN = (
    "tailnum;euros;day\nN1;1.234,5;31.12.2025\nN1;12,5;1.12.2025\nN1;2,5;3.12.2025\n"
    "NA;1.000,25;2.12.2025\nNA;7,75;2.12.2025\nN2;3,25;4.1.2026\nN3;4;5.12.2025\n"
)


@full_run  # its quick twin is in tests/app
def test_a_german_table_is_corrected_and_used(tab, app_url):
    open_page(tab, app_url, "data")
    upload(tab, GERMAN, "flights.csv")
    unfold(tab, HOW_READ)
    for column in ("euros", "day", "tailnum"):
        choose(tab, "Column to correct", column)
        press(tab, "Suggest from the data")
        press(tab, "Read the column this way")
    listed = tab.get_by_test_id("stTable").first
    expect(listed).to_contain_text("as a number, with a decimal comma, thousands marked by a point")
    expect(listed).to_contain_text("dates as dd.mm.yyyy")
    expect(listed).not_to_contain_text("1.234,5")

    choose(tab, "What", "Sum of a number")
    choose(tab, "Number", "euros")
    write(tab, "Lower clip bound", "0")
    write(tab, "Upper clip bound", "1000")
    choose(tab, "For", "each hour, day, week, month, quarter or year")
    write(tab, "From (year-month-day)", "2025-12-01")
    write(tab, "Until, not included", "2026-01-01")
    pick(tab, SEVERAL, BY_COLUMN)
    choose(tab, "Column that names the person", "tailnum")
    write(tab, "Rows per group (ℓ∞)", "2")
    press(tab, "Use this statistic")
    expect_in_use(tab)
    expect(tab.get_by_text("“tailnum” is read missing where").first).to_be_visible()

    norms = open_drawer(tab, "Formula")
    expect(norms).to_contain_text("1 · 2 · 1,000 = 2,000")
    tab.get_by_text("Look at what bounding costs: not private").click()
    settled(tab)
    # of seven rows those of NA and of January fall away, and the third of N1
    expect(tab.locator(".st-key-kept")).to_contain_text("after the bound on rows: 3 rows")
    expect(tab.locator(".st-key-kept")).to_contain_text("moved by the clip: 1 row,")
