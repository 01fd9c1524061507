"""What coalitions learn under each scheme: vectors, properties over random coalitions, refusals."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpviz.accounting import (
    SCHEMES,
    coalition_epsilon,
    coalition_rho,
)
from dpviz.accounting.schemes import pieces
from dpviz.errors import ParameterError

TIERS = [0.05, 0.1, 0.25, 0.5, 1.0]
PLACES = {"tiers": TIERS, "global_rho": 1.0}
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def joint(rhos, scheme):
    return coalition_rho(rhos, scheme, **PLACES).value


@pytest.mark.parametrize(
    ("count", "rho"), [(1, 0.1), (2, 2 / 11), (4, 4 / 13), (16, 16 / 25)]
)  # MATHEMATICS 5.4: 0.1818, 0.3077, 0.64
def test_global_plus_own_noise_of_the_vectors(count, rho):
    assert coalition_rho([0.1] * count, "global", global_rho=1).value == pytest.approx(
        rho, rel=1e-15
    )


@pytest.mark.parametrize(
    ("scheme", "rho"),
    [
        ("lossless", 0.5),
        ("independent", 0.95),
        ("splitting", 0.05 + 0.05 + 0.15 + 0.25),
        ("averaged", 0.5),
        ("doubling", 0.05 + 0.1 + 0.2 + 0.4),  # the grid 0.05, 0.1, 0.2, 0.4, 0.8
    ],
)
def test_every_scheme_by_hand(scheme, rho):
    assert joint([0.5, 0.05, 0.1, 0.25, 0.05], scheme) == rho


def test_splitting_without_a_tier_in_between():
    assert joint([0.5, 0.1, 0.1], "splitting") == 0.25 + 0.05
    assert joint([0.1, 0.25], "averaged") == 0.25
    assert [float(p) for p in pieces([Fraction(1, 4)], "averaged", TIERS)] == [0.05, 0.05, 0.15]


@every_scheme
def test_one_person_has_his_own_budget_unless_it_is_split_or_rounded(scheme):
    for rho in TIERS:
        found = joint([rho], scheme)
        if scheme in ("lossless", "averaged", "independent", "global"):
            assert found == rho
        else:
            assert 0 < found <= rho


@every_scheme
def test_order_never_matters_and_members_never_lower(scheme, seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = rng.choices(TIERS[:-1], k=rng.randrange(1, 9))
        found = joint(rhos, scheme)
        assert joint(rng.sample(rhos, len(rhos)), scheme) == found
        assert joint([*rhos, rng.choice(TIERS)], scheme) >= found


def test_lossless_is_never_above_what_everybody_else_pays(seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = rng.choices(TIERS, k=rng.randrange(1, 9))
        assert joint(rhos, "lossless") <= joint(rhos, "global") <= 1.0
        assert joint(rhos, "lossless") <= joint(rhos, "independent")
        assert joint(rhos, "splitting") <= joint(rhos, "lossless")
        assert joint(rhos, "doubling") < 2 * joint(rhos, "lossless")


def test_global_is_the_joint_law_of_the_releases(seed):
    """Inverse-variance weighting by solving with the covariance matrix g + own on the diagonal."""
    rng = random.Random(seed)
    for _ in range(50):
        whole = rng.uniform(0.5, 3)
        rhos = [rng.uniform(0.01, 0.99) * whole for _ in range(rng.randrange(1, 12))]
        g = 1 / (2 * whole)
        covariance = np.full((len(rhos), len(rhos)), g)
        covariance += np.diag([1 / (2 * rho) - g for rho in rhos])
        variance = 1 / np.linalg.solve(covariance, np.ones(len(rhos))).sum()
        assert coalition_rho(rhos, "global", global_rho=whole).value == pytest.approx(
            1 / (2 * variance), rel=1e-9
        )


@pytest.mark.parametrize(
    ("scheme", "epsilon"),
    [("lossless", 0.5), ("independent", 0.7), ("splitting", 0.3), ("doubling", 0.5), ("global", 1)],
)
def test_pure_budgets_add_in_the_same_pieces(scheme, epsilon):
    found = coalition_epsilon([0.5, 0.1, 0.1], scheme, tiers=TIERS, global_epsilon=1.0)
    assert found.value == epsilon


def test_two_persons_under_global_laplace_reach_the_global_budget():
    for epsilons in ([0.1, 0.1], [0.1, 0.5], [0.1, 1.0], [1.0]):
        assert coalition_epsilon(epsilons, "global", global_epsilon=1.0).value == 1.0
    assert coalition_epsilon([0.3], "global", global_epsilon=1.0).value == 0.3
    assert "equal values" in coalition_epsilon([0.1, 0.1], "global", global_epsilon=1).method


def test_doubling_finds_the_grid_value_without_a_logarithm():
    for least in (0.1, 0.3, 0.7, 1e-9, 123.456):
        grid = exact_grid(least, 60)
        for i in (0, 1, 7, 30, 40):
            just_below = math.nextafter(float(grid[i]), 0)
            assert coalition_rho([grid[i]], "doubling", tiers=[least]).value == float(grid[i])
            if i:
                assert coalition_rho([just_below], "doubling", tiers=[least]).value == float(
                    grid[i - 1]
                )


def exact_grid(least, count):
    return [Fraction(repr(least)) * 2**i for i in range(count)]


def test_decimals_are_added_exactly():
    for number in (float, Decimal, Fraction):
        tenth = number("0.1") if number is not float else 0.1
        assert coalition_rho([tenth] * 3, "independent").value == 0.3
        assert coalition_epsilon([tenth] * 7, "independent").value == 0.7
        assert coalition_rho([tenth], "splitting", tiers=[0.1, 0.7]).value == 0.1
    assert coalition_rho([0.7], "splitting", tiers=[0.1, 0.2, 0.3, 0.7]).value == 0.4
    assert coalition_rho(np.array([0.1, 0.2]), "independent").value == 0.3


def test_results_are_rounded_up(seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = [rng.random() for _ in range(3)]
        found = coalition_rho(rhos, "global", global_rho=1).value
        shown = [Fraction(repr(rho)) for rho in rhos]
        own = sum(rho / (1 - rho) for rho in shown)
        assert Fraction(repr(found)) >= own / (1 + own)
        assert Fraction(repr(found)) <= own / (1 + own) * (1 + Fraction(1, 2**51))


@every_scheme
def test_methods_differ_and_float_works(scheme):
    found = coalition_rho([0.5, 0.1], scheme, **PLACES)
    assert float(found) == found.value
    methods = {coalition_rho([0.5, 0.1], each, **PLACES).method for each in SCHEMES}
    assert len(methods) == len(SCHEMES)


@pytest.mark.parametrize("call", [coalition_rho, coalition_epsilon])
def test_refusals_are_sentences(call):
    for scheme in ("splitting", "averaged", "doubling"):
        with pytest.raises(ParameterError, match=f"'{scheme}' needs tiers"):
            call([0.5], scheme)
        with pytest.raises(ParameterError, match="tiers must hold at least one budget"):
            call([0.5], scheme, tiers=[])
    with pytest.raises(ParameterError, match="below the smallest tier"):
        call([0.5, 0.04], "doubling", tiers=TIERS)
    with pytest.raises(ParameterError, match=r"0\.04 is not a tier"):
        call([0.5, 0.04], "splitting", tiers=TIERS)
    with pytest.raises(ParameterError, match=r"0\.3 is not a tier"):
        call([0.3], "splitting", tiers=TIERS)
    with pytest.raises(ParameterError, match="'global' needs global_"):
        call([0.5], "global")
    for scheme in ("all", "Lossless", "", None, ["lossless"]):
        with pytest.raises(ParameterError, match="scheme must be one of lossless"):
            call([0.5], scheme)
    for empty in ([], ()):
        with pytest.raises(ParameterError, match="must hold at least one budget"):
            call(empty, "lossless")


def test_a_budget_above_the_global_one_is_refused_and_one_at_it_is_the_whole():
    assert coalition_rho([0.1, 1.0, 0.1], "global", global_rho=1.0).value == 1.0
    for call, name in ((coalition_rho, "global_rho"), (coalition_epsilon, "global_epsilon")):
        with pytest.raises(ParameterError, match=f"1.5 is above {name} 1"):
            call([0.1, 1.5], "global", **{name: 1.0})
        with pytest.raises(ParameterError, match="is above"):
            call([math.nextafter(1, 2)], "global", **{name: 1.0})


def test_pieces_are_the_fractions_of_the_definition():
    rng = np.random.default_rng(3)
    for _ in range(40):
        tiers = sorted({float(f"{v:.{rng.integers(1, 15)}g}") for v in rng.uniform(0.01, 9, 12)})
        held = rng.choice(tiers, size=5).tolist()
        whole = [Fraction(repr(t)) for t in tiers]
        below = dict(zip(tiers, [Fraction(0), *whole], strict=False))
        slices = sorted(Fraction(repr(h)) - below[h] for h in set(held))
        assert sorted(pieces([Fraction(repr(h)) for h in held], "splitting", tiers)) == slices
        grid = [whole[0] * 2**i for i in range(12)]
        wanted = {max(g for g in grid if g <= Fraction(repr(h))) for h in held}
        found = pieces([Fraction(repr(h)) for h in held], "doubling", tiers)
        assert sorted(found) == sorted(wanted)
