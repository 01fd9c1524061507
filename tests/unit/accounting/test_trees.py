"""Trees of continual counting against enumeration, and the formulas of MATHEMATICS 7.1 to 7.3."""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize

from dpviz.accounting import (
    COUNTING_GAUSSIANS,
    Tree,
    best_arity,
    chosen_tree,
    counting_crossover_log_delta,
    gaussian_sigma,
    honaker_error,
    prefix_sums,
    smallest_tree,
    square_root_error,
    square_root_factor,
    square_root_factor_bound,
    step_variances,
    tree_error,
    vertex_variance,
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
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.prefix_sums import CLOSE, SLACK, least_factor, prefix_sums_bound
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.linear import Contribution, error_bounds
from dpviz.linear.operators import PrefixSums
from dpviz.noise import FAMILIES
from tests import oracles_accounting
from tests.conftest import few, for_each, full_run

DISCRETE = FAMILIES["discrete_laplace"]
TREES = [
    Tree(arity, height, subtraction)
    for subtraction in (True, False)
    for arity, height in (
        (2, 5),
        (3, 4),
        (4, 3),
        (5, 3),
        (6, 3),
        (7, 2),
        (20, 2),
        (19, 1),
        (100, 1),
    )
]


@for_each("tree", few(TREES, 3))
def test_digits_and_vertices_by_enumeration(tree):
    digits = oracles_accounting.all_digits(tree.arity, tree.height, tree.subtraction)
    assert tree.most_steps == max(digits)
    inputs = np.random.default_rng(7).integers(0, 100, size=tree.arity**tree.height + 1)
    sums = np.concatenate([[0], np.cumsum(inputs)])
    signs, seen, most = {}, {}, 0
    for step in range(tree.most_steps + 1):
        assert tree.digits(step) == digits[step]
        used = tree.vertices(step)
        spans = [(v.sign, v.first, v.last) for v in used]
        assert spans == oracles_accounting.used_vertices(digits[step], tree.arity)
        assert sum(v.sign * (sums[v.last] - sums[v.first - 1]) for v in used) == sums[step]
        most = max(most, len(used))
        for v in used:
            assert v.last - v.first + 1 == tree.arity**v.level
            assert signs.setdefault((v.level, v.first), v.sign) == v.sign  # one sign for good
            seen[v.level, v.first] = v
    assert len(seen) == tree.most_steps
    assert most == tree.most_held
    loads = np.zeros(len(inputs) + 1, dtype=int)
    for v in seen.values():
        loads[v.first : v.last + 1] += 1
    assert loads[1 : tree.most_steps + 1].max() == tree.height == loads.max()


@for_each("tree", few(TREES, 3))
def test_totals_of_every_length_by_enumeration(tree):
    used = [[0] * tree.height]
    for step in range(1, tree.most_steps + 1):
        digits = reversed(tree.digits(step))
        used.append([total + abs(d) for total, d in zip(used[-1], digits, strict=True)])
    for steps, totals in enumerate(used):
        assert [tree.level_total(level, steps) for level in range(tree.height)] == totals
        assert tree.digit_total(steps) == sum(totals)


@pytest.mark.parametrize("subtraction", [True, False])
def test_heights_by_enumeration(subtraction):
    for arity in range(2, 24):
        for steps in (1, 2, 3, 7, 8, 9, 15, 16, 17, 40, 41, 288, 289, 361, 362, 10**6, 3**30):
            tree = smallest_tree(steps, arity, subtraction)
            assert tree.height == oracles_accounting.height_for(steps, arity, subtraction)
            top = oracles_accounting.most_steps(arity, tree.height, subtraction)
            assert tree.most_steps == top
            assert smallest_tree(top, arity, subtraction) == tree
            assert smallest_tree(top + 1, arity, subtraction).height == tree.height + 1


def test_a_height_from_logarithms_would_be_wrong():
    steps = (3**31 - 1) // 2  # ⌈log_3(2T)⌉ = 31, and floats cannot tell it from 3^31 + 1
    assert smallest_tree(steps, 3).height == 31
    assert smallest_tree(steps + 1, 3).height == 32


@pytest.mark.parametrize("steps", [10**3, 10**6, 10**9])
def test_closed_forms_at_full_trees(steps):
    for arity in (2, 3, 4, 7, 10, 19, 20):
        tree = smallest_tree(steps, arity)
        k, h = Fraction(arity), tree.height
        if arity % 2:
            closed = k * (1 - 1 / k**2) * h**3 / (2 * (1 - 1 / k**h))
        else:
            closed = k * h**3 / (2 * (1 - 1 / k**h)) + (k - 2) * h**2 / (2 * (k - 1))
        assert 2 * h**2 * tree.digit_total(tree.most_steps) == closed * tree.most_steps
        plain = smallest_tree(steps, arity, subtraction=False)
        closed = (k - 1) * plain.height**3 / (1 - 1 / k**plain.height)
        assert (
            2 * plain.height**2 * plain.digit_total(plain.most_steps) == closed * plain.most_steps
        )


@pytest.mark.parametrize(
    ("steps", "arity", "odd", "plain"),
    [
        (10**3, (14, 170.244), (13, 170.352), (11, 243.54)),
        (10**6, (18, 1136.5221), (19, 1142.5309), (16, 1851.55325)),
        (10**9, (22, 3670.52333109), (23, 3715.24235387), (20, 6287.91520363)),
    ],
)
def test_best_arities_of_the_table(steps, arity, odd, plain):
    assert best_arity(steps) == arity[0]
    assert best_arity(steps, subtraction=False) == plain[0]
    assert chosen_tree(steps).arity == arity[0]
    assert chosen_tree(steps, 19).arity == 19
    for (k, error), subtraction in ((arity, True), (odd, True), (plain, False)):
        assert tree_error(steps, k, 1.0, subtraction) == pytest.approx(error, rel=1e-11)
    errors = {k: tree_error(steps, k, 1.0) for k in range(2, 101)}
    assert min(errors, key=errors.__getitem__) == arity[0]
    odds = {k: error for k, error in errors.items() if k % 2}
    assert min(odds, key=odds.__getitem__) == odd[0]


def test_binary_and_honaker_baselines():
    assert tree_error(63, 2, 1, subtraction=False) == pytest.approx(219.428571428571)
    assert honaker_error(15, 1) == pytest.approx(47.2990476190476, rel=1e-14)
    assert honaker_error(1023, 1) == pytest.approx(580.853153001766, rel=1e-14)
    for steps in (1, 2, 6, 11, 15):
        tree = smallest_tree(steps, 2, subtraction=False)
        shares = [oracles_accounting.honaker_variance(i) for i in range(tree.height)]
        mean = sum(shares[v.level] for t in range(1, steps + 1) for v in tree.vertices(t)) / steps
        error = 2 * (tree.height / 0.3) ** 2 * mean
        assert honaker_error(steps, 0.3) == pytest.approx(error, rel=1e-12)


def test_single_steps_average_to_the_error():
    for arity, steps, subtraction in ((3, 121, True), (14, 1000, True), (11, 999, False)):
        tree = smallest_tree(steps, arity, subtraction)
        each = step_variances(tree, steps, 0.5)
        assert each.mean() == pytest.approx(tree_error(steps, arity, 0.5, subtraction))
        norms = [sum(map(abs, tree.digits(t))) for t in range(1, steps + 1)]
        assert each == pytest.approx(8 * tree.height**2 * np.array(norms))
    high = Tree(100, 40, True)  # whose numbers no 64 bits hold
    assert step_variances(high, 3, 1.0) == pytest.approx(3200 * np.array([1, 2, 3]))


def test_whole_noise():
    for epsilon, height, variance in ((1.0, 5, 49.833666138305917), (0.1, 4, 3199.8333385415371)):
        tree = Tree(19, height, True)
        found = vertex_variance(tree, epsilon, family=DISCRETE)
        assert found == pytest.approx(variance, rel=1e-13)
        assert found < vertex_variance(tree, epsilon) == pytest.approx(2 * (height / epsilon) ** 2)
    whole = tree_error(180, 19, 1.0, family=DISCRETE)
    assert whole == pytest.approx(9.5 / (2 * math.sinh(0.25) ** 2), rel=1e-13)


def test_what_one_person_moves_multiplies_the_scale():
    assert tree_error(180, 19, 1.0, sensitivity=3) == pytest.approx(9 * 76)
    tree = smallest_tree(180, 19)
    level = laplace_level(0.7, 3 * tree.height)
    assert vertex_variance(tree, 0.7, sensitivity=3) == pytest.approx(2 * level**2, rel=1e-15)


# --- Continual counting: the tree against the square root, and against every factorization ---


# --- Tree against square root: the formulas of MATHEMATICS 7.4, 7.5, matrices, refusals ----------

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "MATHEMATICS.md"

ROUGH = ("root_two", "stated_exact", "stated")


@for_each("steps", few([1, 2, 3, 50, 126, 127, 128, 129, 130, 7, 200, 1500], 3))
def test_factor_against_exact_sums(steps):
    assert square_root_factor(steps) == pytest.approx(
        float(oracles_accounting.square_root_factor(steps)), rel=2e-15
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
            if name in ROUGH:  # ε has no influence
                other = counting_crossover_log_delta(steps, 0.1, gaussian=name)
                assert other == pytest.approx(found, rel=1e-12)
        assert found < -math.log(steps)  # at δ = 1/T the analytic Gaussian wins


@for_each(
    ("steps", "epsilon", "arity", "gaussian", "log_delta"),
    [
        (10**4, 1, 19, "stated", -7.7062534758426143),
        (10**4, 1, 19, "stated_exact", -7.8103239701361639),
        (10**4, 0.5, None, "analytic", -18.791653399782371),
        (10**6, 1, None, "root_two", -19.99345347831428),
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


@for_each("n", [1, 2, 3, 7, 40])
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
