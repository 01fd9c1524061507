"""The accessibility checker axe finds nothing serious on any page, in either theme."""

from pathlib import Path

import axe_playwright_python
import pytest

from dpviz.ui.kit.page_table import PAGES
from tests.browser.driving import open_page, settled
from tests.conftest import FULL

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
SERIOUS = """async () => (await axe.run()).violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => [found.id, found.nodes.map(node => [node.target, node.failureSummary])])"""
QUICK = {"start": "dark", "releases": "light", "collusion": "dark"}  # a lesson, a page of each kind


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_axe_finds_nothing_serious(tab, app_url, page, scheme):
    if not FULL and QUICK.get(page.file) != scheme:
        pytest.skip("in the full run: every page in both themes")
    tab.emulate_media(color_scheme=scheme)
    open_page(tab, app_url, page.file)
    tab.evaluate(AXE)
    assert tab.evaluate(SERIOUS) == []


@pytest.mark.parametrize("page", [p for p in PAGES if not p.is_lesson], ids=lambda page: page.file)
def test_no_page_is_taller_than_two_windows_before_a_fold_is_opened(tab, app_url, page):
    if not FULL and page.file not in QUICK:
        pytest.skip("every page in the full run")
    open_page(tab, app_url, page.file)
    settled(tab)
    high = tab.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    assert high <= 1800, high
