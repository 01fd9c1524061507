"""Continual counting: the tree against the square root, and against every factorization."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize

from dpviz.accounting import (
    COUNTING_GAUSSIANS,
    best_arity,
    counting_crossover_log_delta,
    gaussian_sigma,
    prefix_sums,
    square_root_error,
    square_root_factor,
    square_root_factor_bound,
    tree_error,
)
from dpviz.accounting.counting_crossover import (
    ROOT,
    SEARCHED,
    duel,
    duel_at_rho,
    gaussian_crossovers,
    gaussian_factors,
    vertex_by_vertex,
)
from dpviz.accounting.prefix_sums import (
    CLOSE,
    SLACK,
    least_factor,
    prefix_sums_bound,
)
from dpviz.accounting.trees import smallest_tree
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.linear import Contribution, error_bounds
from dpviz.linear.operators import PrefixSums
from tests import oracles_counting
from tests.conftest import few, full_run

# --- Tree against square root: the formulas of MATHEMATICS 7.4, 7.5, matrices, refusals ----------

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "MATHEMATICS.md"

ROUGH = ("root_two", "stated_exact", "stated")


@pytest.mark.parametrize("steps", few([1, 2, 3, 50, 126, 127, 128, 129, 130, 7, 200, 1500], 3))
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


def test_an_error_that_no_float_holds_is_refused():
    with pytest.raises(ParameterError, match="no float can hold this error"):
        square_root_error(10, 1e-200, -9, gaussian="stated")


# --- The tree against every Gaussian factorization: what is proved, and what is held fixed -------


@pytest.mark.parametrize("steps", [2, 16, 52])
def test_the_factor_is_that_of_linear_queries(steps):
    """Two searches, one with matrices and one without: their certificates overlap."""
    found, other = gaussian_factors(steps), error_bounds.optimum(PrefixSums(steps), Contribution())
    assert found.bound.value <= other.error / steps
    assert other.bound / steps <= found.reached.value
    assert found.reached.method == SEARCHED


@full_run
@pytest.mark.parametrize("steps", [2, 10, 1000, 10**4, 10**12])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_winner_changes_where_the_crossovers_say(steps, epsilon):
    star = gaussian_crossovers(steps, epsilon)
    root = counting_crossover_log_delta(steps, epsilon)
    assert star.bound.value < star.reached.value <= root + 1e-9
    assert duel(steps, epsilon, star.bound.value * 1.001).winner == "tree"
    assert duel(steps, epsilon, star.reached.value * 0.999).winner == "gauss"
    between = (star.bound.value + star.reached.value) / 2
    assert duel(steps, epsilon, between).winner is None
    if steps > 1024:
        assert star.reached.method == ROOT
        assert star.reached.value == pytest.approx(root)


@full_run
@pytest.mark.parametrize("steps", [2, 5, 1000, 10**6, 10**12])
@pytest.mark.parametrize("rho", [0.002, 0.5, 8.0])
def test_at_one_rho_gauss_wins_however_the_tree_is_counted(steps, rho):
    found = duel_at_rho(steps, rho)
    assert found.winner == "gauss"
    height = smallest_tree(steps, best_arity(steps), subtraction=True).height
    counted = vertex_by_vertex(steps, rho)
    assert counted == pytest.approx(found.tree / math.sqrt(height))
    assert counted > found.gauss.reached.value
    assert found.root == pytest.approx(math.sqrt(square_root_factor(steps) / (2 * rho)))


def test_errors_are_those_of_the_library():
    found = duel(500, 0.5, -20.0)
    sigma = gaussian_sigma(0.5, -20.0, 1.0)
    assert found.tree**2 == pytest.approx(tree_error(500, best_arity(500), 0.5))
    assert found.root**2 == pytest.approx(sigma**2 * square_root_factor(500))
    assert found.gauss.bound.value**2 == pytest.approx(sigma**2 * gaussian_factors(500).bound.value)


def test_refusals():
    for call in (
        lambda: duel(0, 1.0, -9.0),
        lambda: duel_at_rho(0, 0.5),
        lambda: gaussian_factors(2.5),
        lambda: gaussian_crossovers("7", 1.0),
        lambda: vertex_by_vertex(0, 0.5),
    ):
        with pytest.raises(ParameterError, match="must be a whole number"):
            call()
    for call in (lambda: duel(10, 0, -9), lambda: gaussian_crossovers(10, -1.0)):
        with pytest.raises(ParameterError, match="epsilon must be"):
            call()
    for call in (lambda: duel_at_rho(10, 0), lambda: vertex_by_vertex(10, None)):
        with pytest.raises(ParameterError, match="rho must be"):
            call()


# --- The least error of Gaussian noise on running totals: a search, matrices, and both sides -----


def totals(n):
    return np.tril(np.ones((n, n)))


def least_by_descent(n):
    """Least ‖L‖²/n over all R with columns of norm 1, by descent from several starts."""

    def error(entries):
        right = entries.reshape(n, n)
        right = right / np.sqrt((right**2).sum(axis=0))
        if abs(np.linalg.det(right)) < 1e-12:
            return 1e6
        return float((np.linalg.solve(right.T, totals(n).T) ** 2).sum() / n)

    rng = np.random.default_rng(1)
    starts = [np.eye(n) + 0.3 * rng.normal(size=(n, n)) for _ in range(3)]
    return min(optimize.minimize(error, start.ravel()).fun for start in starts)


@full_run
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_best_factorization_against_a_descent(n):
    found, least = least_factor(n), least_by_descent(n)
    assert found.bound <= least * (1 + 1e-7)
    assert least <= found.reached
    assert found.reached <= found.bound * (1 + CLOSE) * (1 + 1e-9)


def test_two_totals_in_closed_form():
    golden = (3 + math.sqrt(5)) / 4
    assert least_factor(2).bound <= golden <= least_factor(2).reached


@pytest.mark.parametrize("n", [2, 7, 60])
def test_the_diagonal_against_eigenvectors(n):
    weights = np.random.default_rng(n).uniform(0.01, 1, n)
    weights /= weights.sum()
    root = np.sqrt(weights)
    values, vectors = np.linalg.eigh(totals(n).T @ totals(n) * np.outer(root, root))
    wanted = vectors**2 @ np.sqrt(values)
    assert prefix_sums._root_diagonal(weights) == pytest.approx(wanted, rel=SLACK)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_bound_of_equal_weights_is_the_sum_of_singular_values(n):
    values = np.linalg.svd(totals(n), compute_uv=False)
    assert prefix_sums_bound(n) == pytest.approx(values.sum() ** 2 / n)
    assert prefix_sums_bound(n) <= least_factor(n).bound * n * (1 + 2 * SLACK) * (1 + 1e-9)


def test_the_bound_of_long_streams_is_below_the_sum(monkeypatch):
    for n in (10, 1000, 100_000):
        monkeypatch.setattr(prefix_sums, "TERMS", n)
        added = prefix_sums_bound(n)
        monkeypatch.setattr(prefix_sums, "TERMS", 1)
        assert added * (1 - 1 / n) < prefix_sums_bound(n) < added
