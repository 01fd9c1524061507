"""Tree against square root: the formulas of MATHEMATICS 7.4, 7.5, matrices, refusals."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.accounting import (
    COUNTING_GAUSSIANS,
    best_arity,
    counting_crossover_log_delta,
    gaussian_sigma,
    square_root_error,
    square_root_factor,
    square_root_factor_bound,
    tree_error,
)
from dpviz.errors import NoGuaranteeError, ParameterError
from tests import oracles_counting

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "MATHEMATICS.md"

ROUGH = ("root_two", "stated_exact", "stated")


@pytest.mark.parametrize(
    ("steps", "factor"),
    [(1, 1.0), (2, 1.40625), (10, 2.7330060326254115), (1000, 9.6238872072851448)],
)
def test_factor_of_the_vectors(steps, factor):
    assert square_root_factor(steps) == pytest.approx(factor, rel=2e-15)


@pytest.mark.parametrize("steps", [1, 2, 3, 7, 50, 126, 127, 128, 129, 130, 200, 1500])
def test_factor_against_exact_sums(steps):
    assert square_root_factor(steps) == pytest.approx(
        float(oracles_counting.square_root_factor(steps)), rel=2e-15
    )


def test_factor_against_matrices():
    for steps in (1, 5, 40):
        f = np.cumprod([1.0] + [1 - 1 / (2 * j) for j in range(1, steps)])
        root = np.array([[f[i - j] if i >= j else 0.0 for j in range(steps)] for i in range(steps)])
        assert root @ root == pytest.approx(np.tril(np.ones((steps, steps))))
        column = (root**2).sum(axis=0).max()
        assert square_root_factor(steps) == pytest.approx(column * (root**2).sum() / steps)


def test_closed_form_is_a_bound_from_seven_steps_on():
    for steps in [*range(7, 60), 10**3, 10**6, 10**12]:
        bound = square_root_factor_bound(steps)
        assert square_root_factor(steps) < bound < 1.06 * square_root_factor(steps)
    for steps in range(1, 7):
        assert (1 + math.log(0.8 * steps) / math.pi) ** 2 < square_root_factor(steps)
        for call in (
            lambda t=steps: square_root_factor_bound(t),
            lambda t=steps: square_root_error(t, 1, -9, gaussian="stated"),
            lambda t=steps: counting_crossover_log_delta(t, 1, gaussian="stated"),
        ):
            with pytest.raises(NoGuaranteeError, match="not a bound below 7 steps"):
                call()


@pytest.mark.parametrize(
    ("steps", "arity", "stated", "stated_exact", "root_two", "at_tenth", "at_one"),
    [
        (10**3, 14, -4.13185502, -4.20378029, -8.62621366, -16.47040641, -13.72423277),
        (10**4, 28, -5.94749417, -6.02846850, -12.27559009, -20.59996719, -17.85201906),
        (10**6, 18, -9.79563783, -9.88740019, -19.99345348, -29.00144915, -26.25179515),
        (10**9, 22, -15.98488260, -16.08672495, -32.39210298, -42.09272997, -39.34198952),
        (10**12, 17, -22.14316429, -22.25004406, -44.71874121, -54.88872404, -52.13748738),
    ],
)
def test_crossovers_of_the_table(steps, arity, stated, stated_exact, root_two, at_tenth, at_one):
    assert best_arity(steps) == arity
    rough = zip(ROUGH, (root_two, stated_exact, stated), strict=True)
    for gaussian, log_delta in rough:
        for epsilon in (0.1, 1):  # without influence
            found = counting_crossover_log_delta(steps, epsilon, gaussian=gaussian)
            assert found == pytest.approx(log_delta, abs=6e-9)
    for epsilon, log_delta in ((0.1, at_tenth), (1, at_one)):
        found = counting_crossover_log_delta(steps, epsilon)
        assert found == pytest.approx(log_delta, abs=6e-9)
        assert found < -math.log(steps)  # at δ = 1/T the analytic Gaussian wins


def test_each_column_of_the_document_is_the_bound_that_its_head_names():
    """The first formula of 7.5 has the exact Γ; with the closed bound it is another."""
    text = DOCUMENT.read_text(encoding="utf-8")
    heads, rows = re.search(r"\| \$T\$ \| best arity \|(.*)\n.*\n((?:\|.*\n)+)", text).groups()
    names = ["stated", "stated_exact", "root_two", "analytic"]
    columns = [head.strip() for head in heads.split("|")]
    for head, has in zip(
        columns, ("closed bound", "stated, with $", "spare factor", "exact curve"), strict=False
    ):
        assert has in head
    for row in rows.splitlines():
        steps, arity, *cells = (cell.strip() for cell in row.strip("| ").split("|"))
        steps = 10 ** int(re.search(r"\d+$", steps.strip("$"))[0])
        assert best_arity(steps) == int(arity)
        for name, cell in zip(names, cells, strict=False):
            found = counting_crossover_log_delta(steps, 1, gaussian=name)
            assert f"{found:.2f}".replace("-", "−") == cell


@pytest.mark.parametrize(
    ("steps", "epsilon", "arity", "gaussian", "log_delta"),
    [
        (10**4, 1, 19, "stated", -7.7062534758426143),
        (10**4, 1, 19, "stated_exact", -7.8103239701361639),
        (10**4, 0.5, None, "analytic", -18.791653399782371),
        (10**6, 1, 19, "stated", -9.8485834526437274),
        (10**6, 1, 19, "stated_exact", -9.9408309650645153),
        (10**6, 0.5, None, "analytic", -27.192721806820489),
    ],
)
def test_crossovers_of_the_vectors(steps, epsilon, arity, gaussian, log_delta):
    found = counting_crossover_log_delta(steps, epsilon, arity=arity, gaussian=gaussian)
    assert found == pytest.approx(log_delta, rel=1e-13)


@pytest.mark.parametrize("gaussian", COUNTING_GAUSSIANS)
def test_errors_are_equal_at_the_crossover_and_the_tree_wins_below(gaussian):
    for steps in (10, 1000, 10**6):
        for epsilon in (0.05, 1):
            crossing = counting_crossover_log_delta(steps, epsilon, gaussian=gaussian)
            tree = tree_error(steps, best_arity(steps), epsilon, sensitivity=3)

            def gauss(log_delta, at=(steps, epsilon)):
                found = square_root_error(*at, log_delta, gaussian=gaussian, sensitivity=3)
                return found

            assert gauss(crossing) == pytest.approx(tree, rel=1e-11)
            assert gauss(crossing * 1.0001) > tree > gauss(crossing * 0.9999)


def test_calibrations_are_private_and_in_order():
    for epsilon in (0.01, 0.3, 1):
        for log_delta in (-1.0, -13.8, -300.0):
            least, *rough = (
                square_root_error(100, epsilon, log_delta, gaussian=name)
                for name in COUNTING_GAUSSIANS
            )
            assert least < rough[0] < rough[1] < rough[2]
            assert rough[1] == pytest.approx(2 * rough[0])
            sigma = gaussian_sigma(epsilon, log_delta, 1.0)
            assert least == pytest.approx(sigma**2 * square_root_factor(100))


@pytest.mark.parametrize("gaussian", ROUGH)
def test_no_guarantee_above_epsilon_one(gaussian):
    for call in (
        lambda: square_root_error(100, 1.01, -9, gaussian=gaussian),
        lambda: counting_crossover_log_delta(100, 1.01, gaussian=gaussian),
    ):
        with pytest.raises(NoGuaranteeError, match="no guarantee for an epsilon above 1"):
            call()
    assert counting_crossover_log_delta(100, 1.01) < 0


def test_refusals():
    for bad in (0, 2.5, "7", None, True):
        for call in (square_root_factor, square_root_factor_bound):
            with pytest.raises(ParameterError, match="steps must be a whole number"):
                call(bad)
        with pytest.raises(ParameterError, match="steps must be a whole number"):
            counting_crossover_log_delta(bad, 1)
        with pytest.raises(ParameterError, match="gaussian must be one of analytic, root_two"):
            counting_crossover_log_delta(10, 1, gaussian=bad)
    for bad in (0, -1, math.nan, "1", None):
        with pytest.raises(ParameterError, match="epsilon must be"):
            counting_crossover_log_delta(10, bad)
        with pytest.raises(ParameterError, match="sensitivity must be"):
            square_root_error(10, 1, -9, sensitivity=bad)
    with pytest.raises(ParameterError, match="log_delta must be"):
        square_root_error(10, 1, 0)
    with pytest.raises(ParameterError, match="no float can hold this error"):
        square_root_error(10, 1e-200, -9, gaussian="stated")
