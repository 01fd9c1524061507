"""Linear queries in a real browser: draw in any order, numbers on screen as in the library."""

from fractions import Fraction

import numpy as np
import pytest
from playwright.sync_api import expect

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.data import SAMPLE, load_sample
from dpviz.linear.comparison import compare
from dpviz.linear.statistic import contribution_of
from dpviz.linear.workloads import marginals, prefix_sums
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.queries import ByColumn, Count
from dpviz.scenes.linear_queries import SEED
from dpviz.ui.kit.panel import ONE_BY_ONE
from dpviz.words import significant
from dpviz.workspace.linear import WEEKS
from tests.browser.driving import (
    choose,
    code_stream,
    download,
    on_screen,
    open_drawer,
    open_page,
    press,
    settled,
    unfold,
    upload,
    write,
)
from tests.cast import RHO as TYPED
from tests.conftest import full_run


def takeaway(tab):
    return tab.get_by_role("heading", level=2).first


def drawn(tab, name):
    box = tab.locator(f".st-key-linear_draw_{name}").get_by_role("button", name=name)
    box.click()
    expect(box).to_contain_text("shown")
    settled(tab)


@full_run
def test_answers_drawn_in_any_order_are_those_of_the_library(tab, app_url):
    open_page(tab, app_url, "linear_queries")
    found = compare(prefix_sums(52), FAMILIES["gaussian"], "ρ", Amount(Fraction("0.1")))
    expect(takeaway(tab)).to_contain_text(significant(found.best.typical, 2))
    expect(takeaway(tab)).to_contain_text(significant(found.ways["noise on answers"].typical, 2))

    choose(tab, "What is asked", "quarters and weeks within them")
    questions = marginals(4, 13)
    way = compare(questions, FAMILIES["gaussian"], "ρ", Amount(Fraction("0.1"))).best
    expect(takeaway(tab)).to_contain_text(significant(way.typical, 2))
    unfold(tab, "Draw it for each tier")
    press(tab, ONE_BY_ONE)
    drawn(tab, "audit")
    drawn(tab, "partners")
    tab.keyboard.press("Escape")
    path = code_stream(tab)
    assert path[0] == SEED
    factorization = way.factorization
    answers = factorization.session(
        np.array(WEEKS), FAMILIES["gaussian"], rng=streams.teaching(*path)
    )
    shown = on_screen(tab, "linear_answers")
    for name in ("research", "public", "audit", "partners"):
        level = factorization.l2_sensitivity**2 / (2 * TYPED[name])
        assert shown[name] == pytest.approx(answers.release(level))


@full_run
def test_the_answers_of_my_statistic_are_those_of_the_library(tab, app_url):
    open_page(tab, app_url, "linear_queries")
    tab.get_by_role("radio", name="my statistic", exact=True).click()
    settled(tab)
    expect(takeaway(tab)).to_contain_text("Noise on each total")
    unfold(tab, "Draw it for each tier")
    press(tab, ONE_BY_ONE)
    for name in ("research", "public"):
        box = tab.locator(f".st-key-linear_own_draw_{name} button").first  # with help: there twice
        box.click()
        expect(box).to_contain_text("drawn")
        settled(tab)
    tab.keyboard.press("Escape")
    query = Count(ByColumn(SAMPLE.column, SAMPLE.groups[SAMPLE.column]))
    questions, family = prefix_sums(query.dimension), FAMILIES["gaussian"]
    made = compare(
        questions, family, "ρ", Amount(Fraction("0.1")), contribution=contribution_of(query)
    ).best.factorization
    shown, rng = on_screen(tab, "linear_answers"), streams.teaching(*code_stream(tab))
    answers = made.session(query.values(load_sample()), family, rng=rng, any_order=True)
    for name in ("research", "public"):
        level = gaussian_level(TYPED[name], made.l2_sensitivity)
        assert shown[name] == pytest.approx(answers.release(level))
    file = download(tab, "linear_file_1").read_text(encoding="utf-8-sig")
    assert "# tier,research" in file
    level = gaussian_level(TYPED["research"], made.l2_sensitivity)
    (first,) = (line for line in file.splitlines() if line.startswith("up to group 8th grade"))
    assert float(first.split(",")[1]) == pytest.approx(answers.release(level)[0])


@full_run
def test_a_typed_matrix_and_its_refusal(tab, app_url):
    open_page(tab, app_url, "linear_queries")
    choose(tab, "What is asked", "your own matrix")
    label = "Matrix: a row per question, a column per week"
    open_drawer(tab, "Formula")
    expect(tab.get_by_text("The matrix has rank 3 and 6 columns")).to_be_visible()
    write(tab, label, "1 1\n1 x")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("Row 2, number 2")
    write(tab, label, "1 1\n1 -1")
    expect(
        tab.get_by_text("The matrix has rank 2: the answers determine every week")
    ).to_be_visible()
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    upload(tab, b"\xff\xfe\x00\xd8", "m.csv")
    expect(tab.get_by_test_id("stAlert")).to_contain_text("The file is not a text file")
    tab.reload()
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    choose(tab, "What is asked", "your own matrix")
    upload(tab, "1,0,1\n0,1,1\n", "m.csv")
    open_drawer(tab, "Formula")
    expect(tab.get_by_text("The matrix has rank 2 and 3 columns")).to_be_visible()
