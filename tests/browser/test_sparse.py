"""The Sparse histograms page in a browser: draw in any order, own words, grow the domain."""

import csv

import numpy as np
from playwright.sync_api import Page

from dpviz import streams
from dpviz.data import load_declaration
from dpviz.queries import ItemCounts, Words
from dpviz.sparse import SparseHistogram, threshold_for
from dpviz.ui.kit.panel import ONE_BY_ONE
from tests.browser.driving import (
    change_table,
    code_stream,
    download,
    go,
    on_screen,
    open_page,
    press,
    settled,
    write,
)
from tests.cast import RHO
from tests.conftest import full_run

ORDER = {name: RHO[name] for name in ("public", "audit", "research")}


def ask(tab: Page, name: str) -> None:
    waiting = tab.locator(
        f"[class*='st-key-sparse_draw_'][class*='_{name} ']:not([data-stale=true])"
    )
    waiting.get_by_role("button").click()
    settled(tab)


@full_run
def test_own_words_are_those_of_the_library_in_any_order(tab, app_url):
    open_page(tab, app_url, "data")
    change_table(tab)
    press(tab, "Load the sample declaration.csv")
    go(tab, "Sparse histograms")
    tab.get_by_text("my column", exact=True).click()
    settled(tab)
    write(tab, "Phantoms allowed, on average", "2")
    press(tab, ONE_BY_ONE)
    for name in ORDER:
        ask(tab, name)
    tab.keyboard.press("Escape")
    query = ItemCounts("word", Words(8))
    histogram = SparseHistogram(
        *query.values(load_declaration()),
        query.coding.size,
        l2_sensitivity=1.0,
        rng=streams.teaching(*code_stream(tab)),  # below a number that the tab alone has
    )
    expected = {}
    for name, rho in ORDER.items():
        threshold = threshold_for(rho, 2.0, cells=query.coding.size, l2_sensitivity=1.0)
        expected[name] = histogram.release(rho, threshold)
    shown = on_screen(tab, "sparse_histograms_main")
    for name, (_, values) in expected.items():
        seen = shown[name][np.isfinite(shown[name])]
        assert np.abs(seen[:, None] - values).min(axis=1).max() < 1e-9
        assert np.abs(seen - values.max()).min() < 1e-9  # the largest is among them
    path = download(tab, "sparse_file_2")
    rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    table = rows[rows.index(["entry", "value"]) + 1 :]
    cells, values = expected["audit"]
    assert [(name, float(value)) for name, value in table] == list(
        zip(query.coding.names(cells), values.tolist(), strict=True)
    )
