"""The dashboard as a person feels it: start, budget to chart, memory. Run by `make bench`.

Timings are of one headless Chromium on this machine, so each stands beside its goal and, where it
can, beside a reference of the same run: an empty rerun of the same page.
"""

import re
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.driving import select_cell, settled
from tests.serving import running_app

TIERS = 20
ROUNDS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        begun = time.perf_counter()
        with running_app(Path(folder) / "log") as server:
            tab = browser.new_page()
            tab.goto(server.url)
            tab.locator(".js-plotly-plot .main-svg").first.wait_for()
            settled(tab)
            first = time.perf_counter() - begun
            print("Dashboard")
            print(f"  start to first page        {first:6.2f} s   (goal 4 s)")
            print(f"  memory, sample loaded      {server.megabytes():6.0f} MB  (aim 400 MB)")
            _budget_to_chart(tab, server.url)
        browser.close()


def _budget_to_chart(tab: Page, url: str) -> None:
    """Change a budget at twenty tiers, until the chart shows it."""
    tab.goto(f"{url}/tiers")
    settled(tab)
    _add_tiers(tab, TIERS - 4)
    took = []
    for round_ in range(ROUNDS):
        amount = f"0.6{round_ + 1}"
        select_cell(tab, 3, 1)
        tab.keyboard.press("Enter")
        field = tab.locator("#portal .gdg-input")
        field.fill(amount)
        begun = time.perf_counter()
        field.press("Enter")
        shown = re.compile(f"ρ.=.{amount}")
        tab.locator(".js-plotly-plot", has_text=shown).wait_for(state="attached")
        took.append(time.perf_counter() - begun)
    worst, middle = max(took), statistics.median(took)
    print(f"  budget to chart, {TIERS} tiers  {middle:6.2f} s   (worst {worst:.2f}; goal 0.5 s)")


def _add_tiers(tab: Page, many: int) -> None:
    """Paste rows into the table through its keyboard."""
    rows = "\n".join(f"tier {i}\t0.{i + 100}\tρ\t" for i in range(many))
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.evaluate("text => navigator.clipboard.writeText(text)", rows)
    select_cell(tab, 3, 0)
    tab.keyboard.press("ArrowDown")  # to the empty row, which has no accessible cell
    tab.wait_for_timeout(300)
    tab.keyboard.press("Control+v")
    tab.locator(".js-plotly-plot", has_text=f"tier {many - 1}").wait_for(state="attached")
    settled(tab)


if __name__ == "__main__":
    main()
