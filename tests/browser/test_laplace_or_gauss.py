"""Laplace or Gauss in a real browser: counts move the query over the border, nothing is cut."""

import pytest
from playwright.sync_api import expect

from tests.browser.driving import open_page, settled
from tests.conftest import full_run


def texts(tab):
    """The words in the map, with their boxes, and the box of the picture."""
    return tab.locator(".st-key-crossover_map .js-plotly-plot").evaluate(
        """p => [p.getBoundingClientRect(), ...[...p.querySelectorAll('text.annotation-text')]
        .map(t => Object.assign(t.getBoundingClientRect().toJSON(), {words: t.textContent}))]"""
    )


@full_run  # the scene says the border, and the forms are measured with longer words
@pytest.mark.parametrize("wide", [390, 1280])
def test_more_counts_per_person_carry_the_query_over_the_border(tab, app_url, wide):
    tab.set_viewport_size({"width": wide, "height": 900})
    open_page(tab, app_url, "laplace_or_gauss")
    title = tab.get_by_role("heading", level=2).first
    thumb = tab.get_by_role("slider", name="One person is in at most")
    thumb.focus()
    for name in ("Laplace noise is", "Gaussian noise is"):
        expect(title).to_contain_text(name)
        settled(tab)
        box, *words = texts(tab)
        assert len(words) == 5
        for i, word in enumerate(words):
            assert box["left"] - 1 <= word["left"] < word["right"] <= box["right"] + 1, word
            for other in words[:i]:
                across = min(word["right"], other["right"]) - max(word["left"], other["left"])
                down = min(word["bottom"], other["bottom"]) - max(word["top"], other["top"])
                assert min(across, down) < 2, (word["words"], other["words"])
        for _ in range(4):
            tab.keyboard.press("ArrowRight")
