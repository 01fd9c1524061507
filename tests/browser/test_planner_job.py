"""The planner's job in a real browser: real queries, tiers from accuracy, refusals, replacing."""

import csv
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from playwright.sync_api import Page, expect

from dpviz.data import SAMPLE, read_table
from dpviz.planning.cast import COUNCIL
from dpviz.queries import BoundedSum, Bounds, ByColumn, Count
from dpviz.ui.kit.bound_controls import WHO
from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.releases.drawing import LATER
from dpviz.ui.releases.page import LEDGER
from dpviz.ui.start import LESSON
from tests.browser.driving import (
    BY_COLUMN,
    SEVERAL,
    button,
    cell,
    choose,
    download,
    draw,
    edit_cell,
    expect_in_use,
    go,
    harden,
    on_screen,
    open_drawer,
    open_page,
    pick,
    press,
    say_rows,
    settled,
    unfold,
    upload,
    write,
)
from tests.browser.example import GROUPS, PEOPLE, SIZES, drawn, stream_of
from tests.cast import RHO
from tests.conftest import full_run

LIST = "Groups to publish, one per line"
SPEND = "id,region,spend\n" + "".join(
    f"p{i % 400},{GROUPS[i * i % 4]},{i * 37 % 1300 / 10}\n" for i in range(1500)
)


def use_sum(tab: Page) -> None:
    """Sum of "spend", clipped to 0 to 100, per region; a person counts twice in each of two."""
    upload(tab, SPEND, "spend.csv")
    choose(tab, "What", "Sum of a number")
    choose(tab, "Number", "spend")
    write(tab, "Lower clip bound", "0")
    write(tab, "Upper clip bound", "100")
    write(tab, "Grid step", "0.25")
    choose(tab, "For", "each group of a column")
    choose(tab, "Column of the groups", "region")
    write(tab, LIST, "\n".join(GROUPS))
    pick(tab, SEVERAL, BY_COLUMN)
    choose(tab, "Column that names the person", "id")
    write(tab, "Groups per person (ℓ₀)", "2")
    write(tab, "Rows per group (ℓ∞)", "3")


@full_run
def test_parquet_upload_to_numbers(tab, app_url):
    sizes = np.repeat(np.arange(4), SIZES)
    table = pa.table(
        {
            "note": pa.array(["a note"] * sizes.size),
            "region": pa.array(np.array(GROUPS)[sizes]),
            "age": pa.array(20 + np.arange(sizes.size) % 60),
        }
    )
    sink = io.BytesIO()
    pq.write_table(table, sink)
    open_page(tab, app_url, "data")
    upload(tab, sink.getvalue(), "people.parquet")
    expect(tab.get_by_text("Loaded: people.parquet, 3 columns")).to_be_visible()
    choose(tab, "Column of the groups", "region")
    write(tab, LIST, "west\nnorth")
    press(tab, "Use this statistic")
    expect_in_use(tab)
    go(tab, "Releases")
    draw(tab, "partners")
    query = Count(ByColumn("region", ("west", "north")))
    people = read_table(sink.getvalue(), name="people.parquet")
    rhos = {"partners": RHO["partners"]}
    numbers = drawn(query, people, rhos, stream_of(query, people, tab))
    np.testing.assert_array_equal(on_screen(tab)["partners"], numbers["partners"])


@full_run
def test_bounded_sum_with_replaced_person(tab, app_url):
    open_page(tab, app_url, "data")
    use_sum(tab)
    pick(tab, "Neighbouring tables differ by", "one person replaced")
    # 3 rows of 400 steps in 2 groups leave and may arrive in 2 others: (1,200; 1,200; 1,200; 1,200)
    norms = open_drawer(tab, "Formula")
    expect(norms).to_contain_text("= 1,200 (4,800 steps of 0.25)")
    expect(norms).to_contain_text("= 600 (2,400 steps of 0.25)")
    expect(norms).to_contain_text("= 300 (1,200 steps of 0.25)")
    press(tab, "Use this statistic")
    go(tab, "Releases")
    draw(tab, "audit")
    draw(tab, "public")

    bounds = Bounds("id", 2, 3, "replace")
    query = BoundedSum("spend", 0.0, 100.0, ByColumn("region", GROUPS), bounds, 0.25)
    rhos = {name: RHO[name] for name in ("audit", "public")}
    spend = read_table(SPEND.encode(), name="spend.csv")
    numbers = drawn(query, spend, rhos, stream_of(query, spend, tab))
    shown = on_screen(tab)
    assert shown.keys() == rhos.keys()
    for name, steps in numbers.items():
        np.testing.assert_array_equal(shown[name], query.estimate(steps))
    expect(tab.get_by_text("replace one person").first).to_be_visible()


@full_run
def test_accuracy_to_budget_and_back(tab, app_url):
    open_page(tab, app_url, "tiers")
    open_drawer(tab, "Formula")
    state_as(tab, "±a 95 %")
    edit_cell(tab, 3, 1, "25")
    currencies = tab.get_by_test_id("stTable").first.get_by_role("row").filter(has_text="public")
    one_group = currencies.get_by_role("cell").nth(5)
    expect(one_group).to_have_text("25")
    state_as(tab, "ρ")
    expect(cell(tab, 3, 2)).to_have_text("ρ")
    expect(cell(tab, 3, 1)).not_to_have_text("25")
    expect(one_group).to_have_text("25")
    state_as(tab, "±a 95 %")
    expect(cell(tab, 3, 1)).to_have_text("25")
    expect(tab.get_by_role("heading", level=2).first).to_contain_text("± 25")


def state_as(tab: Page, kind: str) -> None:
    tab.get_by_role("tab", name="Settings").click()
    press(tab, "State all budgets as …")
    press(tab, kind)
    tab.keyboard.press("Escape")
    expect(button(tab, kind)).to_have_count(0)
    tab.get_by_role("tab", name="Formula").click()
    expect(cell(tab, 0, 2)).to_have_text(kind)


@full_run
def test_upgrade_and_a_tier_added_later_leave_the_others_alone(tab, app_url):
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

    unfold(tab, LATER)
    write(tab, "Name", COUNCIL.name)
    tab.locator(".st-key-added_amount input").fill(COUNCIL.amount)
    press(tab, "Add and draw")
    expect(button(tab, "Add and draw")).to_have_count(0)
    settled(tab)  # until a run ends, a picture that has moved is also where it was before
    expect(picture).to_contain_text(COUNCIL.name)
    added = on_screen(tab)
    assert added.keys() == upgraded.keys() | {COUNCIL.name}
    assert all(added[name].tolist() == upgraded[name].tolist() for name in upgraded)
    expect(ledger).to_have_count(5)
    expect(ledger.last).to_contain_text(COUNCIL.name)


SEEDED = {  # pages that open on a seeded example, which is a teaching one in any mode
    "bridge_paths",
    "linear_queries",
    "sparse_histograms",
    "continual_counting",
    "top_k",
    "rappor",
    "falsify",
}


@full_run
def test_hardened_bounded_sum_is_whole_steps_with_a_badge_on_every_page(tab, app_url):
    open_page(tab, app_url, "tiers")
    harden(tab)
    go(tab, "Data")
    choose(tab, "What", "Sum of a number")  # of the sample's "age", in steps of 1/32
    press(tab, "Use this statistic")
    go(tab, "Releases")
    draw(tab, "partners")
    content = download(tab, "download_1").read_text("utf-8-sig")
    above, below = content.replace("\r\n", "\n").split("\n\n")
    assert "hardened: operating-system entropy" in above
    rows = list(csv.DictReader(io.StringIO(below)))
    sums = np.array([float(row["estimate"]) for row in rows])  # in years, as people read them
    np.testing.assert_array_equal(sums * 32, np.round(sums * 32))
    np.testing.assert_array_equal(on_screen(tab)["partners"], sums)
    badge = tab.locator(".stMarkdownBadge").filter(has_text="Hardened")
    for page in PAGES[1:]:
        go(tab, page.title)
        if page.file not in {*SEEDED, "present"} and not page.is_lesson:  # a screen for a room
            expect(badge.first).to_be_visible()
        expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    tab.get_by_test_id("stTopNavLink").filter(has_text="Start").click()
    first = LESSON.screens[0].title  # a lesson begins at its beginning, whatever was released
    tab.get_by_role("heading", level=1, name=first).wait_for()


@full_run
def test_an_upload_beside_releases_asks_first(tab, app_url):
    open_page(tab, app_url, "releases")
    draw(tab, "public")
    held = download(tab, "download_1").read_bytes()
    go(tab, "Data")
    upload(tab, PEOPLE)
    expect(tab.get_by_text("Replace nhefs.csv by people.csv?")).to_be_visible()
    expect(tab.get_by_text("Sample: NHEFS")).to_be_visible()
    press(tab, "Keep the old one")
    expect(tab.get_by_text("Replace nhefs.csv by people.csv?")).to_have_count(0)
    expect(tab.get_by_text("Sample: NHEFS")).to_be_visible()

    upload(tab, PEOPLE, "again.csv")
    press(tab, "Replace the table")
    expect(tab.get_by_text("Loaded: again.csv, 2 columns")).to_be_visible()
    say_rows(tab)
    press(tab, "Use the groups found in the data")
    press(tab, "Use this statistic")
    expect_in_use(tab)
    go(tab, "Releases")
    expect(tab.get_by_text("Nothing is released in this session yet").first).to_be_visible()
    assert download(tab, "download_1").read_bytes() == held
    draw(tab, "public")
    assert len(on_screen(tab)["public"]) == len(GROUPS)
    assert download(tab, "download_1").read_bytes() == held


@full_run
def test_bad_input_gets_one_sentence_each_and_nothing_is_lost(tab, app_url):
    open_page(tab, app_url, "data")
    choose(tab, "What", "Sum of a number")
    press(tab, WHO)
    pick(tab, SEVERAL, BY_COLUMN)
    choose(tab, "Column that names the person", "person")
    write(tab, "Rows per group (ℓ∞)", "1")
    press(tab, "Use this statistic")
    expect_in_use(tab)
    alert = tab.get_by_test_id("stAlert")
    for label, bad, good in (
        ("Lower clip bound", "200", "25"),
        ("Upper clip bound", "nan", "74"),
        ("Rows per group (ℓ∞)", "0", "1"),
        ("Groups per person (ℓ₀)", "6", "1"),
    ):
        if not tab.get_by_role("textbox", name=label, exact=True).is_visible():
            press(tab, WHO)  # a press elsewhere shuts the box
        write(tab, label, bad)
        expect(alert).to_have_count(1)
        expect(button(tab, "Use this statistic")).to_be_disabled()
        write(tab, label, good)
        expect(alert).to_have_count(0)
        expect_in_use(tab)

    tab.keyboard.press("Escape")  # shuts the box
    choose(tab, "For", "each bin of a number")
    write(tab, "Edges of the bins", "0, 20, 10")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("from small to large")
    choose(tab, "For", "each group of a column")
    expect(alert).to_have_count(0)
    expect_in_use(tab)
    press(tab, "Groups to publish")
    expect(tab.get_by_role("textbox", name=LIST)).to_have_value(
        "\n".join(SAMPLE.groups["education"])
    )
    tab.keyboard.press("Escape")  # shuts the box
    choose(tab, "For", "each bin of a number")
    expect(tab.get_by_role("textbox", name="Edges of the bins")).to_have_value("0, 20, 10")
