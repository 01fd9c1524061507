"""The planner's job in a real browser: a tier upgraded, a tier added, and nobody else moves."""

from playwright.sync_api import expect

from dpviz.planning.cast import COUNCIL
from dpviz.ui.releases.drawing import LATER
from dpviz.ui.releases.page import LEDGER
from tests.browser.driving import (
    button,
    choose,
    draw,
    on_screen,
    open_page,
    press,
    settled,
    unfold,
    write,
)
from tests.conftest import full_run


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
