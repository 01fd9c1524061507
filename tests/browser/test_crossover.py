"""Laplace or Gauss in a real browser: the δ slider turns the verdict, numbers as in the library."""

import math

import pytest
from playwright.sync_api import expect

from dpviz.accounting.exact_crossover import gaussian_smaller_between
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.charts.axes import probability
from dpviz.ui.kit.parts import SPECIALISTS
from dpviz.ui.laplace_or_gauss.controls import OWN
from dpviz.words import significant
from tests.browser.driving import open_page, settled, unfold
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


def open_map(tab, app_url):
    """Come to the page, choose the own statistic, and open the fold with the map."""
    open_page(tab, app_url, "laplace_or_gauss")
    expect(verdict(tab)).to_contain_text("If one person is in 5 of a town’s counts, Laplace")
    choice = tab.get_by_role("radio", name=OWN, exact=True)
    choice.or_(tab.get_by_role("button", name=OWN, exact=True)).first.click()
    settled(tab)
    unfold(tab, "Which noise is smaller at every ε and δ?")
    expect(tab.get_by_text("At ε\u00a0=\u00a01:")).to_be_visible()
    settled(tab)


@full_run
def test_more_counts_per_person_turn_the_verdict(tab, app_url):
    open_page(tab, app_url, "laplace_or_gauss")
    slide(tab, "One person is in at most", 3)
    expect(verdict(tab)).to_contain_text("8 of a town’s counts, Laplace noise is smaller")
    slide(tab, "One person is in at most", 1)
    expect(verdict(tab)).to_contain_text("9 of a town’s counts, Gaussian noise is smaller")


def test_the_delta_slider_turns_the_verdict(tab, app_url):
    open_map(tab, app_url)
    said, needs = tab.get_by_text("At ε\u00a0=\u00a01:"), tab.get_by_text("(dotted): Laplace")
    expect(said).to_contain_text("is Gaussian noise smaller")
    expect(needs).to_contain_text(significant(gaussian_sigma(1.0, math.log(1e-6), 1.0)))
    star = gaussian_smaller_between(1.0, moved=1)[0]
    expect(said).to_contain_text(f"δ* = {probability(star)}".replace(" ", "\u00a0"))

    unfold(tab, SPECIALISTS)
    slide(tab, "δ, the slack", 6)  # 1e-5, 1e-4, 0.001, 0.003, 0.01, 0.03
    expect(needs).to_contain_text("At δ = 0.03 (dotted)")
    expect(said).to_contain_text("is Gaussian noise smaller")
    slide(tab, "δ, the slack", 1)
    expect(said).to_contain_text("is Laplace noise smaller")
    expect(needs).to_contain_text(significant(gaussian_sigma(1.0, math.log(0.1), 1.0)))
    expect(verdict(tab)).to_contain_text("Gaussian noise is smaller")
    tab.wait_for_function(
        "() => [...document.querySelectorAll('.js-plotly-plot')].some(p => p._fullData"
        "?.some(t => t.name === 'query' && Math.abs(t.x[0] + 1) < 1e-9))"
    )
    shown = traces(tab, 2)
    assert shown["crossover"][0][0] == pytest.approx(star / LN_10)
    assert shown["query"][1] == [0.0]
    assert {"public", "partners", "research", "audit"} <= set(shown)


@full_run
def test_the_lines_on_screen_are_those_of_the_library(tab, app_url):
    open_map(tab, app_url)
    tab.locator(".js-plotly-plot").nth(3).locator(".main-svg").first.wait_for()
    noise = traces(tab, 3)
    pure = "Laplace, pure ε"
    assert set(noise) == {"Laplace", pure, "ℓ2 Laplace", "Gaussian, exact", "Gaussian, classical"}
    x, y = noise["Gaussian, exact"]
    for at, height in list(zip(x, y, strict=True))[::40]:
        assert 10**height == pytest.approx(gaussian_sigma(1.0, at * LN_10, 1.0), rel=1e-9)
    for height in noise[pure][1]:
        assert height == pytest.approx(math.log10(math.sqrt(2)), rel=LAST_DIGITS)
