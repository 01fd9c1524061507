"""The Variances page in a browser: a simulation shows how far it is, and is stopped."""

import re

from playwright.sync_api import Page, expect

from tests.browser.driving import open_page, settled
from tests.conftest import full_run


def pick(tab: Page, label: str) -> None:
    """Choose in a segmented control."""
    choice = tab.get_by_role("radio", name=label, exact=True)
    choice.or_(tab.get_by_role("button", name=label, exact=True)).first.click()
    settled(tab)


def open_lines(tab: Page, app_url: str) -> None:
    """Come to the page and open the closer with the lines."""
    open_page(tab, app_url, "variances")
    tab.locator(".st-key-closer_variance_lines summary").click()
    expect(tab.locator(".st-key-variances .js-plotly-plot")).to_be_visible()
    settled(tab)


@full_run
def test_a_simulation_of_30_tiers_is_started_and_stopped(tab, app_url):
    open_lines(tab, app_url)
    pick(tab, "30")
    pick(tab, "simulation")
    pick(tab, "10 million")
    tab.locator(".st-key-variance_draw button").click()
    expect(tab.get_by_text(re.compile(r"Drawn [1-9][\d,]* of 10,000,000 times"))).to_be_visible()
    tab.locator(".st-key-work_stop button").click()  # Streamlit shows a Stop of its own, too
    stopped = tab.get_by_text(re.compile(r"Stopped after [\d,]+ of 10,000,000"))
    expect(stopped).to_be_visible()
    settled(tab)
    done = int(re.search(r"after ([\d,]+) of", stopped.inner_text())[1].replace(",", ""))
    assert 0 < done < 10_000_000
    expect(tab.get_by_text(f"{done:,} repetitions through the sampler")).to_be_visible()
    expect(tab.locator(".st-key-work_stop")).to_have_count(0)
    assert tab.locator(".st-key-variances .js-plotly-plot .point").count() >= 60
