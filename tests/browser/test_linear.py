"""Linear queries in a real browser: numbers on screen, and in a file, as in the library."""

from fractions import Fraction

import numpy as np
import pytest
from playwright.sync_api import expect

from dpviz import streams
from dpviz.data import SAMPLE, load_sample
from dpviz.linear.comparison import compare
from dpviz.linear.statistic import contribution_of
from dpviz.linear.workloads import marginals, prefix_sums
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.queries import ByColumn, Count
from dpviz.scenes.linear_queries import SEED
from dpviz.ui.kit.panel import ONE_BY_ONE
from dpviz.workspace.linear import WEEKS
from tests.browser.driving import (
    choose,
    code_stream,
    download,
    on_screen,
    open_page,
    press,
    settled,
    unfold,
)
from tests.cast import RHO as TYPED
from tests.conftest import full_run

GAUSSIAN, BUDGET = FAMILIES["gaussian"], Amount(Fraction("0.1"))


def draw(tab, start, word, *names):
    """Press the buttons of single tiers."""
    press(tab, ONE_BY_ONE)
    for name in names:
        box = tab.locator(f".st-key-{start}_draw_{name} button").first  # with help: there twice
        box.click()
        expect(box).to_contain_text(word)
        settled(tab)
    tab.keyboard.press("Escape")


@full_run
def test_answers_drawn_in_any_order_are_those_of_the_library(tab, app_url):
    open_page(tab, app_url, "linear_queries")
    choose(tab, "What is asked", "quarters and weeks within them")
    unfold(tab, "Draw it for each tier")
    draw(tab, "linear", "shown", "audit", "partners")
    made = compare(marginals(4, 13), GAUSSIAN, "ρ", BUDGET).best.factorization
    path = code_stream(tab)
    assert path[0] == SEED
    answers = made.session(np.array(WEEKS), GAUSSIAN, rng=streams.teaching(*path))
    shown = on_screen(tab, "linear_answers")
    for name in ("research", "public", "audit", "partners"):
        level = made.l2_sensitivity**2 / (2 * TYPED[name])
        assert shown[name] == pytest.approx(answers.release(level))

    tab.locator(".st-key-closer_specialists summary").click()
    tab.get_by_role("radio", name="my statistic", exact=True).click()
    settled(tab)
    draw(tab, "linear_own", "drawn", "research", "public")
    query = Count(ByColumn(SAMPLE.column, SAMPLE.groups[SAMPLE.column]))
    made = compare(
        prefix_sums(query.dimension),
        GAUSSIAN,
        "ρ",
        BUDGET,
        contribution=contribution_of(query),
    ).best.factorization
    shown, rng = on_screen(tab, "linear_answers"), streams.teaching(*code_stream(tab))
    answers = made.session(query.values(load_sample()), GAUSSIAN, rng=rng, any_order=True)
    for name in ("research", "public"):
        level = made.l2_sensitivity**2 / (2 * TYPED[name])
        assert shown[name] == pytest.approx(answers.release(level))
    file = download(tab, "linear_file_1").read_text(encoding="utf-8-sig")
    assert "# tier,research" in file
    level = made.l2_sensitivity**2 / (2 * TYPED["research"])
    (first,) = (line for line in file.splitlines() if line.startswith("up to group 8th grade"))
    assert float(first.split(",")[1]) == pytest.approx(answers.release(level)[0])
