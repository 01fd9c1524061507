"""Gradual reports in a real browser: the slider by keyboard, a typed ε, releases, hardened mode."""

from playwright.sync_api import expect

from tests.browser.driving import button, go, harden, open_page, press, settled, unfold, write


def test_a_number_stays_and_jumps_and_releases_are_drawn_once(tab, app_url):
    open_page(tab, app_url, "gradual_reports")
    said = tab.get_by_role("heading", level=2).first
    expect(said).to_contain_text("at trust 0.5, within")
    stays = tab.get_by_text("gets the same number")
    expect(stays).to_contain_text("65.0 beats per minute")
    unfold(tab, "Settings")
    stop = tab.get_by_role("slider").first
    stop.focus()
    stop.press("ArrowRight")
    settled(tab)
    expect(said).to_contain_text("at trust 0.55")
    expect(stays).to_contain_text("65.0 beats")  # it stays
    stop.press("ArrowRight")
    stop.press("ArrowRight")
    settled(tab)
    expect(stays).not_to_contain_text("65.0")  # and jumps
    write(tab, "Or type ε", "7")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("is not in the picture")
    write(tab, "Or type ε", "")
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    tab.get_by_text("What the next number may be").click()
    settled(tab)
    expect(tab.get_by_text("all three together guess right")).to_be_visible()
    expect(tab.get_by_text("Only the owner, who knows the value, can draw it.")).to_be_visible()
    press(tab, "Give the number for trust 2")
    expect(button(tab, "Give the number for trust 0.35")).to_be_enabled()
    expect(tab.get_by_text("all four together guess right")).to_be_visible()

    go(tab, "Tiers")
    harden(tab)
    go(tab, "Gradual reports")
    expect(tab.get_by_text("The line is only an illustration")).to_be_visible()
    press(tab, "Give the number for trust 2")
    expect(tab.get_by_text("all four together guess right")).to_be_visible()
