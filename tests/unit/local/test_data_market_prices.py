"""Price curves: what they cost, what they refuse, and that nobody buys for less than the price."""

from fractions import Fraction as F
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.errors import ParameterError
from dpviz.local.prices import COIN, PriceCurve, Undercut, undercut
from tests.conftest import FULL

STEEP = PriceCurve(points=((1, 2), (2, 8)))  # the more, the dearer
TABLE = PriceCurve(points=((F(1, 4), 1), (1, 3), (2, 3), (3, 10)))
CURVES = [
    PriceCurve.linear(4),
    PriceCurve.linear(0),
    PriceCurve.with_discount(4, 1, 2),
    STEEP,
    TABLE,
]
GRID = [F(n, 4) for n in range(1, 9)]  # up to ε = 2


def test_prices_by_hand():
    assert PriceCurve.linear(4).price(0.3) == F(6, 5)
    assert PriceCurve.linear(4).price(1000) == 4000
    assert PriceCurve.with_discount(4, 1, 2).price(F(5, 2)) == 7
    assert PriceCurve.with_discount(4, 1, 2).price(F(1, 2)) == 2
    assert [TABLE.line(e) for e in (0, F(1, 8), F(1, 4), F(5, 8), 1.5, 3)] == [
        0,
        F(1, 2),
        1,
        2,
        3,
        10,
    ]
    assert TABLE.line(F(7, 3)) == F(16, 3)
    assert TABLE.price(F(7, 3)) == F(534, 100)  # up to the coin
    assert TABLE.most == 3
    assert PriceCurve.linear(4).most is None


@pytest.mark.parametrize(
    ("points", "beyond", "sentence"),
    [
        ((), None, "has 1 to 50 points, got 0"),
        ([(n + 1, n) for n in range(51)], None, "has 1 to 50 points, got 51"),
        (((1, -1),), None, "-1 is not a price; type a number from 0"),
        (((1, 4), (2, 3)), None, "ε = 2 costs 3, less than the 4 of ε = 1; type at least 4"),
        (((1, 4), (1, 5)), None, "ε = 1 comes after ε = 1; list each ε once"),
        (((2, 4), (1, 5)), None, "ε = 1 comes after ε = 2"),
        (((0, 0), (1, 5)), None, "ε = 0 cannot be sold"),
        (((1, 4),), -2, "-2 is not a price"),
        (((1, 4, 5),), None, "a point is a pair of ε and price, got 3 numbers"),
        (((1, "4"),), None, "must be a number"),
        (((1, float("inf")),), None, "must be a finite number"),
        (5, None, "points must be a list"),
    ],
)
def test_bad_curves_get_one_sentence(points, beyond, sentence):
    with pytest.raises(ParameterError) as refused:
        PriceCurve(points=points, beyond=beyond)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_has_no_price_is_refused():
    with pytest.raises(ParameterError, match="ε = 4 has no price; type at most 3"):
        TABLE.price(4)
    with pytest.raises(ParameterError, match="epsilon must be a finite number of at least 0"):
        TABLE.price(-1)


def saved(found):
    return found.at_once - found.apart if found else 0


def best_by_names(price, wanted, add_up):
    """The least that one buyer under up to three names pays to know at least ε: brute force.

    Every list of up to three purchases on the grid; what she then knows adds up or is the largest.
    An upgrade costs the difference, so under one name the last purchase is all that counts.
    """
    known = sum if add_up else max
    return min(
        sum(map(price, bought))
        for names in (1, 2, 3)
        for bought in combinations_with_replacement(GRID, names)
        if known(bought) >= wanted
    )


@pytest.mark.parametrize("curve", CURVES)
def test_here_nobody_pays_less_than_the_price(curve):
    """A coalition knows its best release: every curve that never falls is free of arbitrage."""
    for wanted in GRID:
        assert best_by_names(curve.price, wanted, add_up=False) == curve.price(wanted)


def test_a_falling_curve_would_be_one():
    """So the condition is needed: the sharper, cheaper number is bought and blurred."""

    def falling(epsilon):
        return 5 - epsilon

    assert best_by_names(falling, F(1, 2), add_up=False) < falling(F(1, 2))


@pytest.mark.parametrize("curve", CURVES)
def test_steps_cost_what_one_purchase_costs(curve):
    rng = np.random.default_rng(5)
    for _ in range(50):
        steps = sorted(F(int(n), 16) for n in rng.integers(1, 32, size=5))
        paid = [
            curve.price(b) - curve.price(a) for a, b in zip([F(0), *steps], steps, strict=False)
        ]
        assert sum(paid) == curve.price(steps[-1])
        assert min(paid) >= 0
        assert all(each % COIN == 0 for each in paid)


@pytest.mark.parametrize("curve", CURVES)
def test_with_independent_noise_an_undercut_is_found_where_there_is_one(curve):
    found = undercut(curve, 2)
    cheaper = any(
        best_by_names(curve.price, wanted, add_up=True) < curve.price(wanted) for wanted in GRID
    )
    assert (found is not None) == cheaper
    if found is not None:
        assert found.apart == curve.line(found.first) + curve.line(found.second)
        assert found.at_once == curve.line(found.first + found.second)
        assert saved(found) > 0


def curves():
    """Curves of two to five corners at quarters of ε and whole prices."""
    steps = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6)), min_size=2, max_size=5)
    return steps.map(
        lambda rows: PriceCurve(
            points=[
                (F(sum(e for e, _ in rows[: n + 1]), 4), sum(p for _, p in rows[: n + 1]))
                for n in range(len(rows))
            ]
        )
    )


@settings(max_examples=100 if FULL else 20)
@given(curves())
def test_the_corners_are_enough(curve):
    """No pair on a grid four times as fine as the corners saves more than the pair of corners."""
    most, found = curve.most, undercut(curve, curve.most)
    line = {n: curve.line(F(n, 16)) for n in range(1, int(16 * most) + 1)}
    pairs = [(x, y) for x in line for y in line if x <= y and x + y in line]
    most_saved = max((line[x + y] - line[x] - line[y] for x, y in pairs), default=F(0))
    assert most_saved <= saved(found)


def test_less_than_a_coin_is_found_and_rounding_keeps_what_holds():
    hair = PriceCurve(points=((1, 1), (2, F(2001, 1000))))
    assert saved(undercut(hair, 2)) == F(1, 1000)
    flat = PriceCurve(points=((F(1, 3), F(1, 3)), (3, F(7, 3))))  # concave, in thirds
    assert undercut(flat, 3) is None
    fine = [F(n, 24) for n in range(1, 73)]
    assert all(
        flat.price(x + y) <= flat.price(x) + flat.price(y) for x in fine for y in fine if x + y <= 3
    )


def test_an_undercut_is_cheaper():
    with pytest.raises(ParameterError, match="only if they cost less"):
        Undercut(first=F(1), second=F(1), apart=F(8), at_once=F(8))
    with pytest.raises(ParameterError, match="ε = 3 has no price"):
        undercut(STEEP, 3)
    with pytest.raises(ParameterError, match="curve must be a PriceCurve"):
        undercut(4, 3)
