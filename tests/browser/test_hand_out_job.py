"""What is handed out and shown, in a real browser: packs, their check, the report, presenting."""

import base64
import datetime
import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.planning.tiers import FIRST_PLAN, as_rows
from dpviz.queries import Bounds, ByColumn, Count
from dpviz.workspace import Workspace, packing
from tests.browser.driving import (
    button,
    choose,
    download,
    draw,
    edit_cell,
    go,
    on_screen,
    open_page,
    press,
    settled,
    upload,
)
from tests.browser.example import GROUPS, PEOPLE, SIZES
from tests.conftest import full_run

LAST = "audit office"  # its name has a blank
FILES = ("README.txt", "SIGNED.json", "estimates.csv", "release.csv", "release.json")
TIERS = ("public", "partners", "research", LAST)
NUMBERS = """plot => JSON.stringify(plot._fullData.map(t => ['x', 'y', 'text', 'hovertext',
    'customdata'].map(k => Array.isArray(t[k]) || ArrayBuffer.isView(t[k]) ? Array.from(t[k])
    : t[k])))"""


@pytest.fixture
def released(tab: Page, app_url: str) -> Page:
    """The table of the example, loaded and released to all tiers."""
    open_page(tab, app_url, "data")
    upload(tab, PEOPLE)
    press(tab, "Use the groups found in the data")
    press(tab, "Use this statistic")
    go(tab, "Tiers")
    edit_cell(tab, 0, 0, LAST)
    go(tab, "Releases")
    press(tab, "Draw all four tiers’ numbers")
    expect(tab.locator(".st-key-download_4 button")).to_be_visible()
    return tab


@full_run
def test_pack_is_complete_checked_and_a_changed_digit_is_found(released):
    shown = on_screen(released)
    press(released, "More files …")
    assert download(released, "download_report").read_bytes().startswith(b"<!DOCTYPE html>")
    pack = download(released, "download_pack").read_bytes()
    files = unpacked(pack)
    folders = {name.split("/")[0] for name in files} - {"MANIFEST.json"}
    assert folders == {folder_of(tier) for tier in TIERS}
    for tier in TIERS:
        folder = folder_of(tier)
        inside = {name.split("/")[1] for name in files if name.startswith(f"{folder}/")}
        assert inside == set(FILES)
        table = json.loads(files[f"{folder}/release.json"])
        assert table["tier"] == tier
        assert table["released"] == {"entry": list(GROUPS), "value": shown[tier].tolist()}

    upload(released, pack, "pack.zip")
    alert = released.get_by_test_id("stAlert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("The pack holds what its tiers may have, and nothing else.")

    upload(released, with_a_changed_digit(files), "altered.zip")
    expect(released.get_by_text("The pack holds what its tiers may have")).to_have_count(0)
    expect(alert.first).to_contain_text("release.csv")


def folder_of(tier: str) -> str:
    """The folder of a tier in a pack of practice numbers."""
    return f"practice-{tier.replace(' ', '-')}"


def unpacked(pack: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_a_changed_digit(files: dict[str, bytes]) -> bytes:
    """The same pack, but the last digit of one number of "public" is another one."""
    name = f"{folder_of('public')}/release.csv"
    text = files[name]
    changed = re.sub(rb"\d(?=\r\n\Z)", lambda d: b"%d" % (9 - int(d[0])), text)
    assert changed != text
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for each, content in {**files, name: changed}.items():
            archive.writestr(each, content)
    return sink.getvalue()


def reported() -> bytes:
    """The report on the table of the example, released to all tiers."""
    ws = Workspace.load(PEOPLE.encode(), name="people.csv")
    ws.state(Count(ByColumn("region", GROUPS), Bounds(several_rows=False)))
    ws.use_tiers(
        [row | {"tier": LAST} if row["tier"] == "audit" else row for row in as_rows(FIRST_PLAN)]
    )
    ws.draw(*TIERS)
    return packing.report_of(ws, datetime.date(2026, 1, 1)).encode()


def test_report_opens_offline_and_prints(browser: Browser, tmp_path: Path):
    report = tmp_path / "report.html"
    report.write_bytes(reported())
    context = browser.new_context(offline=True, viewport={"width": 794, "height": 1123})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("console", lambda m: wrong.append(m.text))
    page.goto(report.as_uri())
    for tier in TIERS:
        expect(page.get_by_text(tier, exact=True).first).to_be_visible()
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        width = page.evaluate("document.scrollingElement.scrollWidth")
        assert width <= 794, media
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert 1 <= len(pages) <= 2
    page.emulate_media(media="print")
    expect(page.get_by_text("To have this page as a PDF")).to_be_hidden()
    page.evaluate(  # a thousand groups print on pages of their own, and nothing is cut off
        "() => { const list = document.querySelector('.groups');"
        " list.innerHTML = '<li>a group with a name of three lines on paper</li>'.repeat(1000) }"
    )
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 794
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
    assert 5 <= len(pages) <= 12
    words = page.inner_text("body")
    assert not [size for size in SIZES if re.search(rf"\b{size}\b", words)]  # not in a key's digits
    assert asked == [report.as_uri()]
    assert not wrong
    context.close()


def test_presenter_page_shows_one_tier_and_alone_nothing_else_reaches_the_browser(tab, app_url):
    frames: list[bytes] = []

    def heard(frame: str | bytes) -> None:
        frames.append(frame if isinstance(frame, bytes) else frame.encode())

    tab.on("websocket", lambda socket: socket.on("framereceived", heard))
    open_page(tab, app_url, "data", seed=9)  # no number on screen rounds to an exact one
    upload(tab, PEOPLE)
    press(tab, "Use the groups found in the data")
    press(tab, "Use this statistic")
    go(tab, "Releases")
    draw(tab, "public")
    draw(tab, "partners")
    seen = on_screen(tab)
    go(tab, "Present")
    plots = tab.locator("[class*='st-key-single_'] .js-plotly-plot")
    expect(plots).to_have_count(1)
    assert_sees(plots.first, seen["public"].tolist())
    choose(tab, "Show what this tier sees", "partners")
    assert_sees(plots.first, seen["partners"].tolist())
    button(tab, "Show it alone, large").focus()  # by keyboard
    del frames[:]
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/present?tier=partners")
    expect(button(tab, "End Shortcut Esc")).to_be_visible()
    settled(tab)
    assert_sees(plots.first, seen["partners"].tolist())
    got, page = numbers_and_words(frames), tab.content()
    assert got[0] >= set(seen["partners"].tolist())
    assert not got[0] & {*seen["public"].tolist(), *map(float, SIZES)}
    assert "partners" in got[1]
    for text in (got[1], page):
        assert not re.search(r"\bpublic\b(?!-)", text)
    assert not tab.locator("a[href]:not([href^='#'])").count()
    expect(tab.get_by_test_id("stTopNavSection")).to_have_count(0)
    words = tab.locator("body").inner_text()
    assert not [size for size in SIZES if re.search(rf"\b{size}\b", words)]
    tab.keyboard.press("Escape")
    tab.wait_for_url("**/present")
    expect(tab.get_by_role("combobox", name="Show what this tier sees")).to_have_value("partners")
    expect(tab.get_by_test_id("stHeader")).to_be_visible()


def numbers_and_words(frames: list[bytes]) -> tuple[set[float], str]:
    """The numbers of all figures in what the server sent, and all of it as text."""
    whole = b"".join(frames)
    arrays = re.findall(rb'"dtype":\s*"(f8|i[1248])",\s*"bdata":\s*"([^"]*)"', whole)
    arrays += [
        (kind, data)
        for data, kind in re.findall(rb'"bdata":\s*"([^"]*)",\s*"dtype":\s*"(\w\d)"', whole)
    ]
    text = whole.decode("utf-8", "replace")
    numbers = {float(x) for x in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)}
    for kind, data in arrays:
        content = base64.b64decode(data.replace(b"\\u002b", b"+").replace(b"\\u002f", b"/"))
        numbers |= set(np.frombuffer(content, kind.decode()).astype(float).tolist())
    return numbers, text


def assert_sees(plot, numbers: list[float]) -> None:
    """The picture holds these numbers and none of the exact ones, in marks, lines and hovers."""
    held = json.loads(plot.evaluate(NUMBERS))
    found = {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", json.dumps(held))}
    assert found >= set(numbers)
    assert not found & set(map(float, SIZES))
