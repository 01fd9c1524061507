"""Composition in a real browser: a question is added, moved and typed by mouse and keyboard."""

from playwright.sync_api import expect

from dpviz.ui.composition import CHANGE
from dpviz.ui.kit.parts import SPECIALISTS
from tests.browser.driving import button, open_page, press, settled, unfold
from tests.conftest import full_run


@full_run
def test_a_sequence_by_mouse_and_keyboard(tab, app_url):
    open_page(tab, app_url, "composition")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("20 answers")
    unfold(tab, SPECIALISTS)
    expect(button(tab, "Load my releases")).to_be_disabled()
    press(tab, CHANGE)
    button(tab, "Add a question").click()
    settled(tab)
    tab.locator(".st-key-composition_up_2 button").click()
    settled(tab)
    budget = tab.locator(".st-key-composition_budget_2 input")
    budget.focus()
    tab.keyboard.press("Control+a")
    tab.keyboard.type("abc")
    tab.keyboard.press("Enter")
    settled(tab)
    expect(tab.get_by_test_id("stAlert")).to_contain_text("Question 2, Budget ε: “abc” is not a")
    expect(budget).to_have_value("abc")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("0.2")
    tab.keyboard.press("Enter")
    settled(tab)
    expect(said).to_contain_text("21 answers")
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    tab.keyboard.press("Escape")
    unfold(tab, "All six bounds")
    with tab.expect_download() as waited:
        button(tab, "Download the table").click()
    rows = waited.value.path().read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("answers,bound,total ε,δ,it is")
    assert "1 × anything that promises ε, ε = 0.2" in rows[1]
