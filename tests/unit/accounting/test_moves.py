"""What one person can move, and noise of whole numbers against it: exact sums over all moves.

Each level is recomputed from the masses alone: its delta is within the one asked for, and that of a
level 1 % smaller is not.
"""

import math
import random

import numpy as np
import pytest

from dpviz.accounting import (
    poisson_groups_epsilon,
    poisson_groups_level,
    poisson_groups_log_delta,
    poisson_levels,
    poisson_log_delta,
    skellam_groups_epsilon,
    skellam_groups_level,
    skellam_groups_log_delta,
    skellam_levels,
    skellam_log_delta,
)
from dpviz.accounting.loss_terms import directions, on_grid
from dpviz.accounting.move_sums import move_log_delta
from dpviz.accounting.moves import MOST_MOVES, Moves, reverse
from dpviz.accounting.poisson_levels import poisson_epsilon, poisson_level, poisson_rule
from dpviz.accounting.skellam_levels import skellam_epsilon, skellam_level, skellam_rule
from dpviz.errors import NoGuaranteeError
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Setting
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
from dpviz.queries import Bounds, ByColumn, Count
from tests import oracles_accounting as oracle
from tests.conftest import few, full_run
from tests.oracles_accounting import sensitivities as bounds

DELTA = 1e-6
MICRO = math.log(DELTA)
WARDS = ByColumn("ward", tuple("ABCDEFGHIJKLMNOP"))
FAMILY = {
    "poisson": (oracle.poisson_pair, poisson_groups_log_delta),
    "skellam": (oracle.skellam_pair, skellam_groups_log_delta),
}
families = pytest.mark.parametrize("family", FAMILY)


def exact_delta(family, epsilon, level, move):
    pair_of = FAMILY[family][0]
    return oracle.delta_by_convolution([(pair_of(level, by), n) for n, by in move], epsilon)


# --- the tiers of a plan of small and large budgets, and of the default plan -------------------

FIVE_FOR_FIVE = Count(WARDS, Bounds(person="id", groups_per_person=5, relation="replace"))
FIVE = Count(WARDS, Bounds(person="id", groups_per_person=5))
WIDE = ("0.002", "0.01", "0.05", "0.5")
TIERS = [  # the least levels; Theorem E.2 and the Rényi bound said the ones after them
    ("poisson", FIVE_FOR_FIVE, ((5, 1), (5, -1)), (2502, 501.7, 101.9, 15.5), 8593),
    ("skellam", FIVE_FOR_FIVE, ((10, 1),), (1250, 249.8, 49.79, 4.763), 1462),
    (
        "poisson",
        Count(WARDS, Bounds(relation="replace")),
        ((1, 1), (1, -1)),
        (505.7, 106.4, 27.41, 13.82),
        3862,
    ),
    ("skellam", FIVE, ((5, 1),), (624.7, 124.6, 24.58, 2.076), 731),
]


@full_run
@pytest.mark.parametrize(("family", "query", "move", "levels", "before"), few(TIERS, 4))
def test_the_tiers_of_a_plan_need_no_more_than_the_law_says(family, query, move, levels, before):
    setting = Setting(
        family=FAMILIES[family],
        delta=DELTA,
        sensitivity=query.sensitivity,
        dimension=query.dimension,
        directions=query.directions,
    )
    wide = [{"tier": rho, "budget": rho, "as": "ρ"} for rho in WIDE]
    planned, problems = read_tiers(wide, setting)
    usual, none = read_tiers(as_rows(DEFAULT_TIERS), setting)
    assert problems == none == []
    found = [p.budget.level for p in planned]
    assert found == pytest.approx(levels, rel=2e-3)
    assert found[0] < 0.9 * before
    for tier in (planned[0], planned[-1], usual[0], usual[-1]):
        level, epsilon = tier.budget.level, tier.budget.epsilon
        assert exact_delta(family, epsilon, level, move) <= DELTA
        assert exact_delta(family, epsilon, level * 0.99, move) > DELTA


# --- one move: bound, tightness, inverses ------------------------------------------------------

SMALL = [
    (1.0, 40.0, ((1, 1), (1, -1))),
    (0.2, 300.0, ((1, 1), (1, -1))),
    (2.0, 60.0, ((1, 3),)),
    (1.5, 70.0, ((1, 2), (1, -3))),
    (0.5, 12.0, ((2, 1), (1, -1))),
    (0.5, 12.0, ((1, 1), (2, -1))),
    (3.0, 6.0, ((1, 2), (2, -1))),
    (0.0, 5.0, ((1, 1), (1, -2))),
    (4.0, 0.3, ((1, 1), (1, -1))),
    (0.2, 200.0, ((2, 1),)),
    (1.0, 0.3, ((2, 1),)),
    (5.0, 15.0, ((3, 1),)),
]


@families
@pytest.mark.parametrize(("epsilon", "level", "move"), few(SMALL, 3))
def test_bound_against_enumeration(family, epsilon, level, move):
    pair_of, log_delta = FAMILY[family]
    pairs = [pair_of(level, by) for n, by in move for _ in range(n)]
    if family == "skellam" and len(pairs) == 3:
        pairs = [tuple(side[(pair[0] + pair[1]) > 1e-13] for side in pair) for pair in pairs]
    exact = oracle.delta_by_enumeration(pairs, epsilon)
    found = math.exp(log_delta(epsilon, level, move=move))
    assert exact * (1 - 1e-9) <= found + 1e-12
    assert found <= exact * 1.003 + 1e-12
    assert found == math.exp(log_delta(epsilon, level, move=reverse(move)))


@families
@pytest.mark.parametrize("shift", [1, 2, 7, 100])
def test_one_coordinate_is_that_of_its_masses(family, shift):
    one = {"poisson": poisson_log_delta, "skellam": skellam_log_delta}[family]
    large = [(1.0, 25.0 * shift**2), (0.1, 1500.0 * shift**2)]
    for epsilon, level in (*large, (0.5, 0.3), (0.01, 1e6)):
        exact = one(epsilon, level, shift=shift)
        found = FAMILY[family][1](epsilon, level, move=((1, shift),))
        assert exact - 2e-12 * (1 - exact) <= found <= exact + 0.01


@pytest.mark.parametrize(
    ("level_of", "epsilon_of"),
    [
        (poisson_groups_level, poisson_groups_epsilon),
        (skellam_groups_level, skellam_groups_epsilon),
    ],
)
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.05, 1e-9), (8.0, 0.01)])
def test_level_and_epsilon_are_inverse(level_of, epsilon_of, epsilon, delta):
    move = ((3, 1), (1, -4))
    level = level_of(epsilon, math.log(delta), move=move)
    back = epsilon_of(math.log(delta), level, move=move)
    assert epsilon * (1 - 1e-3) < back <= epsilon * (1 + 1e-6)  # few outcomes: epsilon jumps


# --- which moves are looked at -----------------------------------------------------------------


def test_the_largest_moves_are_those_of_a_search_of_all(seed):
    rng = random.Random(seed)
    for _ in range(60):
        coordinates, linf = rng.randint(1, 5), rng.randint(1, 4)
        l1 = rng.randint(linf, coordinates * linf)
        l2 = max(linf, min(l1, rng.uniform(linf, math.sqrt(coordinates) * linf)))
        moves = Moves(l1, l2, linf, coordinates)
        found = []
        for sizes in moves.sizes:
            flat = [by for n, by in sizes for _ in range(n)]
            found.append(tuple(flat + [0] * (moves.l0 - len(flat))))
        assert sorted(found) == oracle.largest_moves(l1, l2, linf, moves.l0)


def test_directions_leave_out_what_nobody_moves():
    def signed(*sizes, **more):
        return set(Moves(*sizes, **more).signed)

    three = 3, math.sqrt(3), 1, 9
    assert signed(*three, directions=(3, 0)) == {((3, 1),)}
    assert signed(*three) == {((3, 1),), ((2, 1), (1, -1))}  # the others are their reverses
    ten = 10, math.sqrt(10), 1, 16
    assert signed(*ten, directions=(5, 5)) == {((5, 1), (5, -1))}
    met = Moves(8, math.sqrt(8), 1, 8, directions=(5, 5))  # eight groups, five and five of them
    assert set(met.signed) == {((5, 1), (3, -1)), ((4, 1), (4, -1))}
    with_total = 4, math.sqrt(6), 2, 9
    assert signed(*with_total, l0_sensitivity=3, directions=(3, 0)) == {((1, 2), (2, 1))}
    assert Moves(5, 5, 5, 9, l0_sensitivity=1).shift == 5


def test_too_many_moves_are_left_to_the_bounds_for_any_vector():
    most = 2 * MOST_MOVES - 1
    assert len(Moves(most, math.sqrt(most), 1, most).signed) == MOST_MOVES
    assert Moves(most + 1, math.sqrt(most + 1), 1, most + 1).signed is None
    assert Moves(most + 1, math.sqrt(most + 1), 1, most + 1, directions=(most + 1, 0)).signed
    wide = bounds(50, 50, 50, 50)
    assert Moves(50, 50, 50, 50).sizes is None
    assert poisson_rule(1e6, **wide) == "Theorem E.2"
    assert skellam_rule(1e6, **wide) == "Rényi bound"


@pytest.mark.parametrize(("epsilon", "delta"), few([(1.0, 1e-3), (0.2, 1e-6), (5.0, 1e-9)], 3))
def test_where_directions_are_unknown_the_worst_split_counts(epsilon, delta):
    sizes = bounds(6, math.sqrt(6), 1, 20)
    level = poisson_level(epsilon, delta, **sizes)
    splits = [tuple((n, by) for n, by in ((k, 1), (6 - k, -1)) if n) for k in range(7)]
    exact = {move: exact_delta("poisson", epsilon, level, move) for move in splits}
    assert max(exact.values()) <= delta
    worst = max(splits, key=exact.__getitem__)
    assert exact_delta("poisson", epsilon, level * 0.99, worst) > delta
    assert poisson_rule(level, **sizes) == "exact, sum over the coordinates that one person moves"
    assert poisson_level(epsilon, delta, **sizes, directions=(3, 3)) <= level


VECTORS = {
    "two counts": (bounds(2, 2, 2, 20), [((1, 2),), ((2, 1),), ((1, 1), (1, -1))]),
    "rows": (bounds(6, math.sqrt(12), 2, 9, l0_sensitivity=3, directions=(3, 0)), [((3, 2),)]),
    "with total": (
        bounds(4, math.sqrt(6), 2, 9, l0_sensitivity=3, directions=(3, 0)),
        [((1, 2), (2, 1))],
    ),
}


@families
@pytest.mark.parametrize("name", few(VECTORS, 2))
def test_moves_of_several_counts_are_exact(family, name):
    sizes, moves = VECTORS[name]
    if family == "skellam":
        sizes = {key: value for key, value in sizes.items() if key != "directions"}
    level_of, epsilon_of = {
        "poisson": (poisson_level, poisson_epsilon),
        "skellam": (skellam_level, skellam_epsilon),
    }[family]
    level = level_of(0.5, DELTA, **sizes)
    assert epsilon_of(level, DELTA, **sizes) <= 0.5
    assert max(exact_delta(family, 0.5, level, move) for move in moves) <= DELTA
    assert max(exact_delta(family, 0.5, level * 0.99, move) for move in moves) > DELTA


@pytest.mark.parametrize("law", [skellam_levels.losses_of_move, poisson_levels.losses_of_move])
@pytest.mark.parametrize("epsilon", [0.001, 0.5])
def test_a_deep_delta_is_not_reached_step_by_step(law, epsilon):
    """The first depth is about that of Gaussian noise: no sum is made that resolves nothing."""
    asked = []

    def counted(level, cut, width, move):
        asked.append(cut)
        yield from law(level, cut, width, move)

    move, level = ((1, 1),), 1e6
    found = move_log_delta(counted, epsilon, level, move)
    assert len(asked) == 1
    deepest = move_log_delta(law, epsilon, level, move, 600.0)
    if epsilon == 0.001:
        assert found == pytest.approx(deepest, rel=1e-12)
    else:
        assert found == deepest < -600


@pytest.mark.parametrize("move", [((1, 1),), ((5, 1), (2, -3))])
def test_low_losses_cut_sooner_change_nothing(move, monkeypatch):
    asked = [(0.0, 20.0), (0.7, 20.0), (2.0, 0.3), (5.0, 20.0), (0.02, 9e4)]
    found = [skellam_groups_log_delta(*point, move=move) for point in asked]
    skellam_levels.one_coordinate.cache_clear()
    monkeypatch.setattr(skellam_levels, "LOW_CUT", 700.0)
    deeper = [skellam_groups_log_delta(*point, move=move) for point in asked]
    skellam_levels.one_coordinate.cache_clear()
    assert found == pytest.approx(deeper, rel=1e-11)


# --- The sum of several one-coordinate losses: never below enumeration, tight, and its inverses ---

TIGHT = 2e-3  # largest relative excess of delta over the exact sum


def test_the_grid_keeps_both_masses():
    """Splitting an atom keeps sum P and sum Q = sum P e^-loss; rounding loss up would lose Q."""
    loss, mass = np.array([-0.731, 0.0, 0.2501, 1.9]), np.array([0.1, 0.4, 0.3, 0.2])
    grid = on_grid(loss, mass, 0.01, -math.inf)
    on = np.exp(grid.log_mass)
    assert np.sum(on) == pytest.approx(1.0, rel=1e-12)
    assert np.sum(on * np.exp(-grid.loss)) == pytest.approx(np.sum(mass * np.exp(-loss)), rel=1e-10)
    assert np.sum(on * np.exp(-grid.loss)) <= np.sum(mass * np.exp(-loss))  # rounded up


@pytest.mark.parametrize("level", [0.2, 14.0, 900.0])
def test_no_mass_is_forgotten(level):
    for losses in directions(level, 70.0, 1 / 128 / max(1, level) ** 0.5, 1):
        total = np.sum(np.exp(losses.log_mass)) + math.exp(losses.log_infinite)
        assert total == pytest.approx(1.0, abs=1e-13)


@full_run
@pytest.mark.parametrize("half_window", few([0.5, 1.5, 3.0], 2))
def test_a_narrow_window_is_still_a_bound(monkeypatch, half_window):
    monkeypatch.setattr("dpviz.accounting.move_sums.HALF_WINDOW", half_window)
    for epsilon, level, groups in [(1.0, 70.0, 2), (0.5, 20.0, 3), (0.1, 8.0, 3)]:
        found = math.exp(poisson_groups_log_delta(epsilon, level, move=((groups, 1),)))
        exact = exact_delta("poisson", epsilon, level, ((groups, 1),))
        assert exact <= found < 40 * exact


def test_a_shallow_depth_is_still_a_bound():
    exact = math.log(oracle.delta_by_enumeration([oracle.poisson_pair(60.0, 1)] * 2, 2.0))
    shallow = poisson_groups_log_delta(2.0, 60.0, move=((2, 1),), depth=10)
    deep = poisson_groups_log_delta(2.0, 60.0, move=((2, 1),))
    assert exact <= deep <= exact + TIGHT
    assert exact <= shallow < -10


@pytest.mark.parametrize(
    ("epsilon", "delta", "groups"),
    [
        *few([(1.0, 1e-6, 50), (0.1, 1e-6, 10)], 2),
        (10.0, 1e-12, 50),
        (1.0, 1e-250, 3),
        (5.0, 0.5, 4),
    ],
)
def test_level_never_overspends_and_is_least(epsilon, delta, groups):
    log_delta, move = math.log(delta), ((groups, 1),)
    level = poisson_groups_level(epsilon, log_delta, move=move)
    assert poisson_groups_log_delta(epsilon, level, move=move) <= log_delta * (1 - 1e-12)
    assert poisson_groups_log_delta(epsilon, level * (1 - 1e-4), move=move) > log_delta


@pytest.mark.parametrize(("level", "groups"), [(60.0, 2), (905.0, 50), (1e6, 20)])
def test_epsilon_never_overspends_and_is_least(level, groups):
    epsilon = poisson_groups_epsilon(MICRO, level, move=((groups, 1),))
    assert poisson_groups_log_delta(epsilon, level, move=((groups, 1),), depth=-MICRO) <= MICRO
    assert poisson_groups_log_delta(epsilon * (1 - 1e-4), level, move=((groups, 1),)) > MICRO


def test_where_no_epsilon_is_finite():
    # (1 - (1 - e^-15)^50) is about 1.5e-5: one coordinate alone would do at 1e-6
    with pytest.raises(NoGuaranteeError, match="no finite epsilon"):
        poisson_groups_epsilon(MICRO, 15.0, move=((50, 1),))
    assert poisson_groups_epsilon(MICRO, 15.0, move=((1, 1),)) < 20


def test_epsilon_is_zero_where_nothing_can_be_told():
    assert poisson_groups_epsilon(math.log(0.5), 1e4, move=((3, 1),)) == 0.0
