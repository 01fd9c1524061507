"""The laws of the local model: answers of one user, reports, purchases, in every order of asking.

Three reports of randomised response are held against the product of the chances of each step; a
clock 10 % too fast, a report drawn afresh in place of a bridge, and one drawn from the sharper
neighbour alone are found. In a data market prices do not touch the joint law.
"""

import itertools
import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.local import (
    DataMarket,
    MarketTerms,
    Patients,
    Person,
    PriceCurve,
    SocialNetwork,
    Trust,
    read_edges,
)
from dpviz.local import data_market as market_module
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few
from tests.law.specimens import IndependentBridge, Specimen, WrongLevel
from tests.statistical import DRAWS, broken_promises

EPSILONS = (2.0, 1.0, 0.4)
RINGS = ("a", "b", "c")
NAMES = ("laplace", "discrete_laplace")
ORDERS = list(permutations(RINGS))
FEW = 6000 if FULL else 1500


class Forgetful(Person):
    """It answers each viewer with fresh noise, as if nobody else had been answered."""

    def answer(self, _viewer, budget):
        exact, family = self._session._exact, self.family
        zeros = np.zeros(exact.size, dtype=exact.dtype)
        return family.extend(zeros, 0, self.level(budget), rng=self._session._rng)


def circle(family, order, *, seed, kind=Person):
    """Noise of the answers in three rings, asked in this order, in ascending order of level."""
    zeros = np.zeros(DRAWS, dtype=np.int64 if family.integer else np.float64)
    town = SocialNetwork(
        read_edges("u a\na b\nb c"),
        Trust(EPSILONS),
        values={"u": zeros},
        family=family,
        rng=streams.teaching(seed),
    )
    if kind is not Person:
        town._people["u"] = kind(zeros, family=family, rng=streams.teaching(seed))
    found = {viewer: town.answer("u", viewer) for viewer in order}
    return np.stack([found[viewer] for viewer in RINGS])


@pytest.mark.parametrize("order", ORDERS if FULL else ORDERS[::2], ids="".join)
@pytest.mark.parametrize("name", NAMES)
def test_answers_in_three_rings_follow_one_path_in_every_order(name, order, seed):
    family = FAMILIES[name]
    levels = [1 / epsilon for epsilon in EPSILONS]
    assert broken_promises(family, levels, circle(family, order, seed=seed)) == []


@pytest.mark.parametrize("name", NAMES)
def test_independent_answers_are_found_out(name):
    family = FAMILIES[name]
    noise = circle(family, RINGS, seed=7, kind=Forgetful)
    found = broken_promises(family, [1 / epsilon for epsilon in EPSILONS], noise)
    assert any("covariance" in each for each in found)
    assert not any(each.startswith("law at") for each in found)  # each by itself looks right


@pytest.mark.parametrize(
    "together", few([True, False], 2), ids=lambda one: "one session" if one else "each"
)
@pytest.mark.parametrize("name", NAMES if FULL else NAMES[1:])
def test_patients_who_trust_alike_are_one_session_of_the_same_law(name, together, seed):
    """Levels in the order high, low, middle: it begins, goes nearer, and bridges."""
    family = FAMILIES[name]
    zeros = np.zeros(FEW, dtype=np.int64 if family.integer else np.float64)
    budgets = (EPSILONS[2], EPSILONS[0], EPSILONS[1])
    rng = streams.teaching(seed)
    if together:
        town = Patients(zeros, groups=["one"] * FEW, family=family, rng=rng)
        drawn = {e: town.join(e, {"one": e}) for e in budgets}
    else:
        people = [Person(zeros[:1], family=family, rng=rng.spawn(1)[0]) for _ in range(FEW)]
        drawn = {e: np.concatenate([p.answer(e, e) for p in people]) for e in budgets}
    noise = np.stack([drawn[e] for e in EPSILONS])
    assert broken_promises(family, [1 / e for e in EPSILONS], noise) == []


LEVELS = (0.4, 1.0, 2.2)
REPORTED = list(itertools.permutations(LEVELS))
PEOPLE = 1_000_000 if FULL else 60_000
LEVEL = 1e-7  # as in tests/statistical.py
SIZES = pytest.mark.parametrize("categories", [2, 3, 7])


class OneSided(Specimen):
    """A bridge that looks at the sharper neighbour alone: each report is right, the three not."""

    def bridge(self, below, _above, low, level, _high, *, rng):
        return self.right.extend(below, low, level, rng=rng)


BROKEN = {
    "independent": IndependentBridge,
    "one-sided": OneSided,
    "clock too fast": lambda family: WrongLevel(family, 1.1),
}


def pvalue(family, order, seed):
    """Chi-square test of three reports of everybody, whose truth is 0, against their joint law."""
    k = family.categories
    rng = streams.teaching(seed, REPORTED.index(order))
    session = MultipleRelease(np.zeros(PEOPLE, dtype=int), family, rng=rng)
    for level in order:
        session.release(level)
    cells = np.zeros(PEOPLE, dtype=int)
    expected, low = np.array([1.0]), 0.0
    for level in LEVELS:
        cells = cells * k + session.release(level)
        kept = math.exp(low - level)
        step = kept * np.eye(k) + (1 - kept) / k
        last = np.arange(expected.size) % k
        expected = (expected[:, np.newaxis] * step[last]).ravel()
        low = level
    seen, expected = np.bincount(cells, minlength=k**3), PEOPLE * expected
    large = expected >= 25
    seen = np.append(seen[large], seen[~large].sum())
    expected = np.append(expected[large], max(expected[~large].sum(), 1e-9))
    if expected[-1] < 25:  # too few to be a cell of their own
        seen, expected = (np.append(x[:-2], x[-2] + x[-1]) for x in (seen, expected))
    statistic = ((seen - expected) ** 2 / expected).sum()
    return float(stats.chi2.sf(statistic, seen.size - 1))


@SIZES
@pytest.mark.parametrize("order", few(REPORTED, 2), ids=str)
def test_three_reports_have_their_joint_law_in_every_order(categories, order, seed):
    family = FAMILIES["randomised_response"].with_categories(categories)
    assert pvalue(family, order, seed) > LEVEL


@SIZES
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(
    "order", few([o for o in REPORTED if o[1:] == (2.2, 1.0) or o[2] == 1.0], 3)
)
def test_broken_copies_are_found_out(categories, name, order, seed):
    family = FAMILIES["randomised_response"].with_categories(categories)
    assert pvalue(BROKEN[name](family), order, seed) < LEVEL


# A data market: every order of purchases, upgrades among them, has the joint law of the family.

PURCHASES = (("ada", 1.0), ("bob", 0.5), ("cleo", 0.45), ("bob", 0.8))  # ε; bob upgrades
BOUGHT = [o for o in permutations(range(4)) if o.index(1) < o.index(3)]
FEW_BOUGHT = [BOUGHT[0], BOUGHT[5], BOUGHT[-1]]  # rising, mixed and falling budgets
MARKET = [
    (name, order)
    for name in ("laplace", "discrete_laplace")
    for order in (BOUGHT if FULL else FEW_BOUGHT)
]


class Independent(MultipleRelease):
    """A session that draws each level afresh, as if every sale had noise of its own."""

    def _draw(self, level, _place):
        return self.family.extend(self._exact, 0.0, level, rng=self._rng)


def market_noise(name, order, seed, price):
    """The noise of what was sold, by ascending level, one row each."""
    terms = MarketTerms(
        curve=PriceCurve.linear(price), limit=2, sensitivity=1.0, family=FAMILIES[name]
    )
    rng = streams.teaching(seed, BOUGHT.index(order))
    market = DataMarket(np.zeros(DRAWS, dtype=np.int64), terms, rng=rng)
    sales = [market.sell(*PURCHASES[place]) for place in order]
    rows = {sale.level: market.number(sale) for sale in sales}
    return sorted(rows), np.array([rows[level] for level in sorted(rows)])


@pytest.mark.parametrize(("name", "order"), MARKET, ids=str)
def test_every_order_of_purchases_has_the_same_joint_law(name, order, seed):
    levels, noise = market_noise(name, order, seed, price=4)
    assert len(levels) == 4
    assert broken_promises(FAMILIES[name], levels, noise) == []
    if order == FEW_BOUGHT[1]:  # and another price draws the same numbers
        np.testing.assert_array_equal(noise, market_noise(name, order, seed, price=9)[1])


@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
def test_a_market_with_independent_noise_is_found_out(name, seed, monkeypatch):
    monkeypatch.setattr(market_module, "MultipleRelease", Independent)
    levels, noise = market_noise(name, FEW_BOUGHT[1], seed, price=4)
    assert broken_promises(FAMILIES[name], levels, noise)
