"""How a test drives the dashboard: by what a person sees, clicks and types.

A small table of people, and what the library itself draws for it with a tab's seed.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, TimeoutError, expect

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.data import Table
from dpviz.noise import FAMILIES
from dpviz.queries import Query
from dpviz.release import MultipleRelease
from dpviz.ui.data.table_controls import CHANGE
from dpviz.ui.kit.page_table import PAGES, page
from dpviz.workspace import Statistic, Workspace
from tests.serving import PATIENCE

HEADINGS = {p.title: p.heading for p in PAGES}
SEED = 7  # a tab without one in its address would begin with any


ALL_DRAWN = re.compile(r"\b[Dd]rawn$")  # in place of the buttons, once there is nothing left
SEVERAL, EACH_ROW = "Can a person have several rows?", "No: each row is one person"
BY_COLUMN = "Yes, and a column says who"
CALM = 150  # ms without a run: an act reaches the server a moment after the click
FRAMES = 12  # that the browser has drawn meanwhile: a busy machine draws fewer in the same time
PLOT_NUMBERS = """plot => plot._fullData.filter(t => t.mode?.includes('markers')).flatMap(
    t => t.meta ? Array.from(t.x, (x, i) => [t.meta[i], [x]]) : [[t.name, Array.from(t.x)]])"""


def settled(page: Page) -> None:
    """Wait until no script runs, none has begun for a moment, and each element is there.

    An element whose code the browser still loads is a grey bar, and hides its neighbours.
    """
    page.evaluate("[window.calmSince, window.calmFrames] = [null, 0]")
    page.wait_for_function(  # asked once for every frame
        "([ms, frames]) => { const a = document.querySelector('[data-testid=stApp]');"
        " const calm = a && a.getAttribute('data-test-connection-state') === 'CONNECTED'"
        " && a.getAttribute('data-test-script-state') === 'notRunning'"
        " && !a.querySelector('[data-testid=stSkeleton]');"
        " window.calmSince = calm ? window.calmSince ?? performance.now() : null;"
        " window.calmFrames = calm ? window.calmFrames + 1 : 0;"
        " return window.calmFrames > frames && performance.now() - window.calmSince > ms }",
        arg=[CALM, FRAMES],
    )


def open_page(tab: Page, app_url: str, file: str, seed: int = SEED) -> None:
    """Open a page by its address, which may be the first that a cold server sees."""
    at = page(file)
    tab.goto(
        app_url if file == "start" else f"{app_url}/{file}" + f"?seed={seed}" * (not at.is_lesson)
    )
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    expect(tab.get_by_role("heading", level=1)).to_have_text(at.heading)
    expect(tab.get_by_role("dialog")).to_have_count(0)
    expect(tab.get_by_test_id("stException")).to_have_count(0)


def listen(tab: Page) -> list[bytes]:
    """All that the server sends over the websocket from now on."""
    frames: list[bytes] = []

    def heard(frame: str | bytes) -> None:
        frames.append(frame if isinstance(frame, bytes) else frame.encode())

    tab.on("websocket", lambda socket: socket.on("framereceived", heard))
    return frames


def menu_link(tab: Page, title: str) -> Locator:
    """Open the menu where a page is listed."""
    group = next(p.group for p in PAGES if p.title == title)
    tab.get_by_test_id("stTopNavSection").filter(has_text=group).click()
    return tab.get_by_test_id("stTopNavDropdownLink").filter(has_text=title)


def go(tab: Page, title: str) -> None:
    """Follow the menu, which keeps the session (a reload would start a new one)."""
    file = next(p.file for p in PAGES if p.title == title)
    place = re.compile(rf"/{'' if file == 'start' else file}(\?.*)?$")
    for last in (False, False, True):  # a run that ends just then shuts the list under the click
        patience = 1000 * PATIENCE / (1 if last else 6)
        try:
            found = menu_link(tab, title) if page(file).listed else button(tab, title)
            found.click(timeout=patience)
            tab.wait_for_url(place, wait_until="commit", timeout=patience)
            break
        except TimeoutError:
            if last:
                raise
    if title != "Present":  # its title is what the tier sees
        tab.get_by_role("heading", level=1, name=HEADINGS[title]).wait_for()
    settled(tab)


def button(tab: Page, name: str) -> Locator:
    return tab.get_by_role("button", name=name, exact=True)


def draw(tab: Page, name: str, *, twice: bool = False) -> None:
    """Press a tier's button, with one click or two, and wait until the tier is held."""
    box = tab.locator(f".st-key-draw_{name.replace(' ', '-')} button:visible")
    box.click(click_count=1 + twice)
    nothing_left = tab.locator(".stMarkdownBadge").filter(has_text=ALL_DRAWN)
    expect(box.filter(has_text="✓").or_(nothing_left)).to_be_visible()
    settled(tab)


def press(tab: Page, name: str) -> None:
    button(tab, name).click()
    settled(tab)


def choose(tab: Page, label: str, option: str) -> None:
    """Open the box of this label and click an option."""
    box = tab.get_by_role("combobox", name=label, exact=True)
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    _still(box)  # scrolling closes an open list, and a fold is a while in opening
    box.click()
    tab.get_by_role("option", name=option, exact=True).click()
    settled(tab)
    expect(box).to_have_value(option)


def _still(box: Locator) -> None:
    """Wait until the box has stood where it is for a moment."""
    box.evaluate(
        "(box, moment) => new Promise(done => { let [place, since] = [null, 0];"
        " const look = now => { const at = box.getBoundingClientRect().y;"
        " if (at !== place) [place, since] = [at, now];"
        " now - since > moment ? done() : requestAnimationFrame(look) };"
        " requestAnimationFrame(look) })",
        2 * CALM,
    )


def code_stream(tab: Page) -> list[int]:
    """Seed and path of the session on screen, from the code sample."""
    open_drawer(tab, "Python")
    code = tab.get_by_test_id("stCode").last
    expect(code).to_contain_text("streams.teaching")
    text = code.inner_text().split("streams.teaching(")[1].split(")")[0]
    return [int(number) for number in text.split(",")]


def open_drawer(tab: Page, name: str) -> Locator:
    """Open this tab of the drawer for specialists; what is in it."""
    tab.locator(".st-key-closer_specialists summary").click()
    settled(tab)
    tab.get_by_role("tab", name=name).click()
    return tab.get_by_role("tabpanel", name=name)


def unfold(tab: Page, name: str) -> None:
    """Open the fold with this name."""
    tab.locator("summary").filter(has_text=name).first.click()
    settled(tab)


def expect_in_use(tab: Page) -> None:
    """The other pages show what stands on the page Data: there is nothing to put to use."""
    expect(tab.locator(".st-key-use_statistic")).to_have_count(0)


def pick(tab: Page, question: str, answer: str) -> None:
    """Click an answer of a radio group."""
    group = tab.get_by_role("radiogroup", name=question, exact=True)
    group.get_by_text(answer, exact=True).click()
    expect(group.get_by_role("radio", name=answer, exact=True)).to_be_checked()
    settled(tab)


def harden(tab: Page) -> None:
    """Switch to hardened mode, on the page Tiers."""
    pick(tab, "Mode", "Hardened")


def write(tab: Page, label: str, text: str) -> None:
    """Type into the field of this label and leave it by keyboard."""
    field = tab.get_by_role("textbox", name=label, exact=True)
    field.fill(text)
    field.press("Tab")
    settled(tab)
    expect(field).to_have_value(text)


def change_table(tab: Page) -> None:
    """Open the box of the page Data that holds samples and the upload, if it is shut."""
    if not tab.locator("input[type=file]").count():
        press(tab, CHANGE)


def upload(tab: Page, text: str | bytes, name: str = "people.csv") -> None:
    content = text.encode() if isinstance(text, str) else text
    change_table(tab)
    with tab.expect_response(
        lambda answer: "/upload_file/" in answer.url
    ):  # named before it is sent
        tab.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
    tab.get_by_text(name).first.wait_for()  # of what is loaded, refused, or asked about
    settled(tab)
    say_rows(tab)


def say_rows(tab: Page) -> None:
    """Say that each row is one person, where that is asked and nobody has answered."""
    asked = tab.get_by_role("radiogroup", name=SEVERAL, exact=True)
    if asked.count() and not asked.get_by_role("radio", checked=True).count():
        pick(tab, SEVERAL, EACH_ROW)


def download(tab: Page, key: str) -> Path:
    """Press the download button of this key; where the file lies."""
    with tab.expect_download() as waiting:
        tab.locator(f".st-key-{key} button:visible").click()  # a hidden copy is for phones
    return waiting.value.path()


def on_screen(tab: Page, key: str = "releases_main") -> dict[str, NDArray[np.float64]]:
    """The released numbers that a picture shows, by the name of their tier."""
    shown = tab.locator(f".st-key-{key} .js-plotly-plot").evaluate(PLOT_NUMBERS)
    found: dict[str, list[float]] = {}
    for name, numbers in shown:  # a tier has one series of marks, or one on each ruler
        found.setdefault(name, []).extend(numbers)
    return {name: np.array(numbers, float) for name, numbers in found.items()}


def edit_cell(tab: Page, row: int, column: int, text: str) -> None:
    """Type into the tier table by keyboard: arrows from the first cell."""
    select_cell(tab, row, column)
    tab.keyboard.press("Enter")
    field = tab.locator("#portal .gdg-input")
    field.fill(text)
    field.press("Enter")
    settled(tab)


def select_cell(tab: Page, row: int, column: int) -> None:
    """Go to a cell of the tier table: a click on the first one, then arrows."""
    grid = tier_table(tab).get_by_test_id("data-grid-canvas")
    grid.evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
    box = grid.bounding_box()
    tab.mouse.click(box["x"] + 100, box["y"] + 52)  # lost where the grid was out of view
    tab.wait_for_timeout(600)  # no double click
    if cell(tab, 0, 0).get_attribute("aria-selected") != "true":
        tab.mouse.click(box["x"] + 100, box["y"] + 52)
    _expect_selected(tab, 0, 0)
    for down in range(row):
        tab.keyboard.press("ArrowDown")
        _expect_selected(tab, down + 1, 0)
    for right in range(column):
        tab.keyboard.press("ArrowRight")
        _expect_selected(tab, row, right + 1)


def _expect_selected(tab: Page, row: int, column: int) -> None:
    """The grid takes keys only when it is ready; its accessible table says what is selected."""
    expect(cell(tab, row, column)).to_have_attribute("aria-selected", "true")


def cell(tab: Page, row: int, column: int) -> Locator:
    """What a cell of the tier table holds, as its accessible table says it."""
    return tier_table(tab).get_by_test_id(f"glide-cell-{column + 1}-{row}")


def tier_table(tab: Page) -> Locator:
    """The grid of the tiers, also where that of all statistics stands before it."""
    return tab.locator("[class*='st-key-tier_editor']")


GROUPS = ("east", "north", "south", "west")
SIZES = (217, 361, 503, 649)  # as text on no axis
PEOPLE = "region,age\n" + "".join(
    f"{g},{20 + i % 60}\n" for g, size in zip(GROUPS, SIZES, strict=True) for i in range(size)
)


def stream_of(query: Query, table: Table, tab: Page) -> tuple[int, ...]:
    """Seed and path of the first session on this statistic, by the seed in the address of a tab."""
    ws = Workspace.around(Statistic(table, query, ""))
    ws.seed = int(parse_qs(urlsplit(tab.url).query)["seed"][0])
    return ws.next_stream(ws.statistic.asking(ws.family_name))


def drawn(
    query: Query, table: Table, rhos: Mapping[str, float], stream: Sequence[int]
) -> dict[str, NDArray[np.float64]]:
    """Releases by tier, in the order of `rhos`, as a practice session of a stream draws them."""
    session = MultipleRelease(
        query.values(table), FAMILIES["gaussian"], rng=streams.teaching(*stream), any_order=True
    )
    l2 = query.sensitivity.l2
    return {tier: session.release(gaussian_level(rho, l2)) for tier, rho in rhos.items()}
