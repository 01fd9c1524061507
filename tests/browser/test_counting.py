"""Continual counting in a real browser: play, pause, a late tier; numbers as in the library."""

import math
import re

import numpy as np
from playwright.sync_api import expect

from dpviz.data import hourly_events
from dpviz.scenes.continual_counting import HOURS, OPENS
from tests.browser.driving import button, open_page, press, settled, unfold
from tests.cast import RHO
from tests.conftest import full_run

EPSILON_OF_AUDIT = math.sqrt(2 * RHO["audit"])

LINES = """p => p._fullData.filter(t => t.mode === 'lines' && t.fill === 'none' && t.xaxis === 'x')
    .map(t => [t.name, Object.fromEntries(Array.from(t.x).map((x, i) => [x, t.y[i]]))])"""


def shown(tab, key="continual_counting_main"):
    """The lines of a picture by name, each with its heights by step."""
    plot = tab.locator(f".st-key-{key} .js-plotly-plot")
    plot.locator(".main-svg").first.wait_for()
    return dict(plot.evaluate(LINES))


def come(tab):
    """The hour that the page shows."""
    words = tab.get_by_text(re.compile(r"so far at hour \d+")).inner_text()
    return int(re.search(r"so far at hour ([\d,]+)", words)[1].replace(",", ""))


@full_run
def test_play_pause_and_a_tier_that_joins_late(tab, app_url):
    open_page(tab, app_url, "continual_counting")
    assert come(tab) == OPENS
    before = shown(tab)
    sums = np.cumsum(hourly_events(1008))
    assert all(y == sums[int(x) - 1] for x, y in before["exact"].items())

    unfold(tab, "What if a reader joins late?")
    press(tab, "Let the council read from now on")
    expect(tab.get_by_text(f"Council reads from hour {OPENS + 1} on")).to_be_visible()
    button(tab, "Play the coming hours").click()
    tab.wait_for_function(
        "() => /so far at hour 5[4-9]\\d/.test(document.querySelector('[data-testid=stApp]')"
        ".innerText)"
    )
    button(tab, "Pause").click()
    button(tab, "Play the coming hours").wait_for()
    settled(tab)
    earlier, now = 0, come(tab)
    while now > earlier:  # a busy machine may still have an hour to show
        tab.wait_for_timeout(1200)
        earlier, now = now, come(tab)
    assert now < HOURS  # it stands still, and not because the stream has ended
    tab.wait_for_function(  # the picture is drawn after the words
        "() => document.querySelector('.st-key-continual_counting_main .js-plotly-plot')._fullData"
        ".some(t => t.name === 'council' && t.x.length > 1)"
    )
    after = shown(tab)
    assert min(map(int, after["council"])) == OPENS + 1
    # A press that interrupts a tick may leave the picture an hour before the one that has come.
    assert OPENS + 1 < max(map(int, after["council"])) <= now
    kept = before["audit"].keys() & after["audit"].keys()
    assert kept
    assert all(before["audit"][x] == after["audit"][x] for x in kept)
