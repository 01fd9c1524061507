"""Top-k in a real browser: an example by keyboard, nonsense, and a list of one's own column."""

from playwright.sync_api import expect

from dpviz.ui.kit.parts import SPECIALISTS
from tests.browser.driving import (
    button,
    choose,
    go,
    open_page,
    pick,
    press,
    unfold,
    upload,
    write,
)

SIZES = {"ash": 2711, "birch": 2659, "cedar": 1487, "dogwood": 1013, "elm": 11}
TREES = "tree\n" + "".join(f"{name}\n" * n for name, n in SIZES.items())


def test_a_list_of_an_own_column_is_drawn_once_and_handed_out(tab, app_url):
    open_page(tab, app_url, "top_k")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("nine of the ten right")
    write(tab, "How many items", "0")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("from 1 to 24")
    write(tab, "How many items", "3")
    expect(said).to_contain_text("three right")
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)

    go(tab, "Data")
    upload(tab, TREES, "trees.csv")
    go(tab, "Top-k")
    pick(tab, "Look at", "my column")
    expect(said).to_contain_text("no list has been drawn")
    unfold(tab, SPECIALISTS)
    choose(tab, "Way to draw", "Gumbel list that can end")
    press(tab, "Draw the list")
    expect(button(tab, "The list is drawn")).to_be_disabled()
    expect(said).to_contain_text("the noisy list names three values of “tree”")
    with tab.expect_download() as waiting:
        tab.locator("[class*='st-key-topk_list_file_'] button").first.click()
    text = waiting.value.path().read_text(encoding="utf-8-sig")
    assert all(name in text for name in ("ash", "birch", "cedar"))
    shown = text.rpartition("\n\n")[2]  # above stand a key and a signature, digits by chance
    assert not [x for x in ("dogwood", "elm") if x in text]
    assert not [x for x in map(str, SIZES.values()) if x in shown]
