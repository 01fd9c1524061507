"""How a test drives the dashboard: by what a person sees, clicks and types."""

from playwright.sync_api import Locator, Page, expect

from dpviz.ui.page_table import PAGES

QUESTIONS = {p.title: p.question for p in PAGES}


def settled(page: Page) -> None:
    """Wait until the script run has ended."""
    page.wait_for_function(
        "() => { const a = document.querySelector('[data-testid=stApp]');"
        " return a && a.getAttribute('data-test-connection-state') === 'CONNECTED'"
        " && a.getAttribute('data-test-script-state') === 'notRunning' }"
    )


def open_page(tab: Page, app_url: str, file: str) -> None:
    tab.goto(app_url if file == "start" else f"{app_url}/{file}")
    settled(tab)


def go(tab: Page, title: str) -> None:
    """Follow the menu, which keeps the session (a reload would start a new one)."""
    tab.get_by_test_id("stTopNavSection").filter(has_text="Plan").click()
    tab.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()
    tab.get_by_role("heading", level=1, name=QUESTIONS[title]).wait_for()
    settled(tab)


def button(tab: Page, name: str) -> Locator:
    return tab.get_by_role("button", name=name, exact=True)


def draw(tab: Page, name: str) -> None:
    """Press a tier's button and wait until the tier is held."""
    box = tab.locator(f".st-key-draw_{name.replace(' ', '-')} button")
    box.click()
    expect(box).to_contain_text("held")
    settled(tab)


def upload(tab: Page, text: str | bytes, name: str = "people.csv") -> None:
    content = text.encode() if isinstance(text, str) else text
    tab.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    settled(tab)


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
    grid = tab.get_by_test_id("data-grid-canvas").first
    grid.evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
    box = grid.bounding_box()
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
    cell = tab.get_by_test_id(f"glide-cell-{column + 1}-{row}").first
    expect(cell).to_have_attribute("aria-selected", "true")
