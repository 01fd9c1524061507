"""Two presses while the first still draws: one session, one set of numbers everywhere."""

import csv
import io

from playwright.sync_api import expect

from tests.browser.driving import download, go, harden, on_screen, open_page, settled
from tests.conftest import full_run
from tests.serving import running_app

SLOW = """
import time
from dpviz.queries import Count
real = Count.values
def values(query, table):
    time.sleep(2)
    return real(query, table)
Count.values = values
"""
TIERS = ["public", "partners", "research", "audit"]


@full_run
def test_two_presses_on_a_slow_draw_open_one_session(context, tmp_path):
    with running_app(tmp_path / "server.log", before=SLOW) as server:
        tab = context.new_page()
        open_page(tab, server.url, "tiers")
        harden(tab)  # unseeded: two sessions would hold unlike numbers
        go(tab, "Releases")
        tab.locator(".st-key-draw_rest button").click()
        tab.wait_for_timeout(400)
        tab.locator(".st-key-draw_rest button").click()
        tab.locator(".st-key-draw_partners button:visible").click()
        expect(tab.get_by_text("All four drawn")).to_be_visible()
        settled(tab)
        shown = on_screen(tab)
        assert sorted(shown) == sorted(TIERS)
        for number, name in enumerate(TIERS, start=1):
            content = download(tab, f"download_{number}").read_text("utf-8-sig")
            rows = list(csv.DictReader(io.StringIO(content.replace("\r\n", "\n").split("\n\n")[1])))
            assert [float(row["value"]) for row in rows] == shown[name].tolist()
            assert f"# tier,{name}" in content
        expect(tab.locator(".st-key-download_5")).to_have_count(0)
        tab.close()
