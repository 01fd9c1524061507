"""Ctrl+Z and Ctrl+Shift+Z on the page Tiers: the plan, unless a text field has its own to undo."""

from playwright.sync_api import expect

from tests.browser.driving import cell, edit_cell, open_page, settled, unfold


def keys(tab, pressed, budget):
    tab.keyboard.press(pressed)
    settled(tab)
    expect(cell(tab, 0, 1)).to_have_text(budget)


def test_the_usual_keys_undo_and_redo_the_plan_and_leave_typing_alone(tab, app_url):
    open_page(tab, app_url, "tiers")
    edit_cell(tab, 0, 1, "0.5")
    keys(tab, "Control+z", "0.4")
    keys(tab, "Control+z", "0.4")  # there is nothing more
    keys(tab, "Control+Shift+z", "0.5")
    unfold(tab, "Which noise?")
    field = tab.get_by_role("textbox", name="δ of the plan", exact=True)
    before = field.input_value()
    field.press_sequentially("7")
    keys(tab, "Control+z", "0.5")
    expect(field).to_have_value(before)  # the browser has taken the letter back
    tab.get_by_role("heading", level=1).click()
    field.focus()
    keys(tab, "Meta+z", "0.4")
