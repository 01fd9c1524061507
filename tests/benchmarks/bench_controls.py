"""A control of each page that has one, at twenty tiers: from the press until its picture stands.

Run by `make bench`; pages that are named after it are measured alone. The browser itself notes the
time of each press and of the last change inside the main picture, so that neither the test's wire
nor its waiting counts.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from tests.benchmarks.table import heading, line
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.driving import go, pick, select_cell, settled
from tests.serving import running_app

TIERS = 20
PRESSES = 20
GOAL, WORST = 0.5, 0.8  # seconds from a press to its picture: the median, the longest
MARK = """() => {
    const within = node => (node.closest ? node : node.parentElement)?.closest('.svg-container');
    window.pressed = null;
    for (const kind of ['keydown', 'pointerdown'])
        document.addEventListener(kind, () => { window.pressed = performance.now() }, true);
    new MutationObserver(all => { if (all.some(one => within(one.target)))
        window.changed = performance.now() }).observe(document.body,
        { subtree: true, childList: true, characterData: true, attributes: true,
          attributeFilter: ['d', 'transform', 'x', 'y', 'width', 'height'] });
}"""
CHOSEN = "one => (one.querySelector('input') ?? one).matches(':checked, [aria-checked=true]')"


@dataclass(frozen=True)
class Act:
    """What is pressed on a page: a field by its key, and how it is moved to and fro."""

    title: str
    key: str
    how: Callable[[Locator], Iterator[Callable[[], None]]]
    first: tuple[str, str] | None = None  # a question to answer before


def slid(field: Locator) -> Iterator[Callable[[], None]]:
    """A slider: to and fro by its arrow keys."""
    handle = field.get_by_role("slider").first
    handle.focus()
    for key in cycle(("ArrowRight", "ArrowLeft")):
        yield partial(handle.press, key)


def picked(field: Locator) -> Iterator[Callable[[], None]]:
    """Answers of one question in turn, from buttons or, where there are many, from a list."""
    names = field.locator("label:has([role=radio]), button[role=radio]")
    for place in cycle(range(names.count())):
        if not names.nth(place).evaluate(CHOSEN):
            yield names.nth(place).click
    box, options = field.get_by_role("combobox"), field.page.get_by_role("option")
    for place in cycle((2, 1)):
        box.click()
        yield options.nth(place).click


def drawn(field: Locator) -> Iterator[Callable[[], None]]:
    """The buttons of the tiers, each of which draws once."""
    waiting = field.page.locator(
        "[class*='st-key-draw_']:not(.st-key-draw_rest) button:not([disabled]):visible"
    )
    while waiting.count():
        yield waiting.first.click


def typed(field: Locator) -> Iterator[Callable[[], None]]:
    """A text field: one of two numbers, by Enter."""
    box = field.locator("input").first
    for text in cycle(("5", "6")):
        box.fill(text)
        yield lambda: box.press("Enter")


def budgeted(field: Locator) -> Iterator[Callable[[], None]]:
    """A cell of the plan: one of two budgets, by Enter."""
    tab = field.page
    for amount in cycle(("0.61", "0.62")):
        select_cell(tab, 3, 1)
        tab.keyboard.press("Enter")
        box = tab.locator("#portal .gdg-input")
        box.fill(amount)
        yield partial(box.press, "Enter")


ACTS = (
    Act("Tiers", "tier_editor", budgeted),
    Act("Releases", "draw_rest", drawn),
    Act("Bridge paths", "bridge_budget", slid, ("Look at", "my statistic")),
    Act("Variances", "variance_whose", picked),
    Act("Collusion", "collusion_persons", picked),
    Act("Laplace or Gauss", "crossover_counts", slid),
    Act("Linear queries", "linear_budget", slid),
    Act("Continual counting", "counting_step", slid),
    Act("Top-k", "topk_epsilon", typed),
    Act("Composition", "composition_limit", typed),
    Act("Growing trust", "gradual_epsilon", slid),
    Act("RAPPOR", "rappor_f1", slid),
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with running_app(Path(folder, "server.log")) as server:
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.goto(f"{server.url}/tiers")
            settled(tab)
            _add_tiers(tab, TIERS - 4)
            go(tab, "Data")  # the menu stays open over a page that leads to itself
            tab.evaluate(MARK)
            heading(f"A control, {TIERS} tiers, {PRESSES} presses: from the press to its picture")
            for act in ACTS:
                if act.title in sys.argv[1:] or not sys.argv[1:]:
                    _measure(tab, act)
        browser.close()


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


def _measure(tab: Page, act: Act) -> None:
    go(tab, act.title)
    if act.first:
        pick(tab, *act.first)
    moves = act.how(tab.locator(f"[class*='st-key-{act.key}']").first)
    took = [_once(tab, move) for move in islice(moves, PRESSES + 1)][1:]
    line(act.title, took, "s", GOAL, worst=WORST)


def _once(tab: Page, move: Callable[[], None]) -> float:
    """Seconds from a press to the last change of a picture."""
    tab.evaluate("[window.pressed, window.changed] = [null, 0]")
    move()
    tab.wait_for_function("window.changed > window.pressed")
    settled(tab)
    return float(tab.evaluate("window.changed - window.pressed")) / 1000


if __name__ == "__main__":
    main()
