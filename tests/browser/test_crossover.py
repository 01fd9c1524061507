"""Laplace or Gauss in a real browser: the δ slider turns the verdict, numbers as in the library."""

import math

import pytest
from playwright.sync_api import expect

from dpviz.accounting.exact_crossover import gaussian_smaller_between
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.charts.axes import probability
from dpviz.words import significant
from tests.browser.driving import open_page, settled
from tests.conftest import LAST_DIGITS, full_run

LN_10 = math.log(10)


def verdict(tab):
    return tab.get_by_role("heading", level=2).first


def slide(tab, label, steps):
    """Move a slider by the keyboard, to the right or to the left."""
    thumb = tab.get_by_role("slider", name=label)
    thumb.focus()
    for _ in range(abs(steps)):
        tab.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    settled(tab)


def traces(tab, chart=0):
    """Names of the traces of a chart with their points."""
    shown = (
        tab.locator(".js-plotly-plot")
        .nth(chart)
        .evaluate(
            "p => p._fullData.filter(t => t.type === 'scatter')"
            ".map(t => [t.name, [Array.from(t.x), Array.from(t.y)]])"
        )
    )
    return dict(shown)


def test_the_delta_slider_turns_the_verdict(tab, app_url):
    open_page(tab, app_url, "laplace_or_gauss")
    expect(verdict(tab)).to_contain_text("Laplace noise is more exact")
    expect(verdict(tab)).to_contain_text(significant(gaussian_sigma(1.0, math.log(1e-6), 1.0)))
    star = gaussian_smaller_between(1.0, moved=1)[0]
    expect(verdict(tab)).to_contain_text(f"δ* = {probability(star)}".replace(" ", "\u00a0"))

    slide(tab, "δ, the amount", 6)  # 1e-5, 1e-4, 0.001, 0.003, 0.01, 0.03
    expect(verdict(tab)).to_contain_text("δ\u00a0=\u00a00.03 Laplace noise is more exact")
    slide(tab, "δ, the amount", 1)
    expect(verdict(tab)).to_contain_text("δ\u00a0=\u00a00.1 Gaussian noise is more exact")
    expect(verdict(tab)).to_contain_text(significant(gaussian_sigma(1.0, math.log(0.1), 1.0)))
    tab.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?._fullData"
        "?.some(t => t.name === 'query' && Math.abs(t.x[0] + 1) < 1e-9)"
    )
    shown = traces(tab)
    assert shown["crossover"][0][0] == pytest.approx(star / LN_10)
    assert shown["query"][1] == [0.0]
    assert {"public", "partners", "research", "audit"} <= set(shown)


@full_run
def test_the_lines_on_screen_are_those_of_the_library(tab, app_url):
    open_page(tab, app_url, "laplace_or_gauss")
    tab.locator(".js-plotly-plot").nth(1).locator(".main-svg").first.wait_for()
    noise = traces(tab, 1)
    pure = "Laplace, pure ε"
    assert set(noise) == {"Laplace", pure, "ℓ2 Laplace", "Gauss, exact", "Gauss, classical"}
    x, y = noise["Gauss, exact"]
    for at, height in list(zip(x, y, strict=True))[::40]:
        assert 10**height == pytest.approx(gaussian_sigma(1.0, at * LN_10, 1.0), rel=1e-9)
    for height in noise[pure][1]:
        assert height == pytest.approx(math.log10(math.sqrt(2)), rel=LAST_DIGITS)
