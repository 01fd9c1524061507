"""A data market: every order of purchases has one joint law, and prices do not touch it."""

from itertools import permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.local import DataMarket, MarketTerms, PriceCurve
from dpviz.local import data_market as market_module
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL
from tests.statistical import DRAWS, broken_promises

# A data market: every order of purchases, upgrades among them, has the joint law of the family.

PURCHASES = (("ada", 1.0), ("bob", 0.5), ("cleo", 0.45), ("bob", 0.8))  # ε; bob upgrades
ORDERS = [o for o in permutations(range(4)) if o.index(1) < o.index(3)]
FEW = [ORDERS[0], ORDERS[5], ORDERS[-1]]  # rising, mixed and falling budgets
MARKET = [
    (name, order) for name in ("laplace", "discrete_laplace") for order in (ORDERS if FULL else FEW)
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
    rng = streams.teaching(seed, ORDERS.index(order))
    market = DataMarket(np.zeros(DRAWS, dtype=np.int64), terms, rng=rng)
    sales = [market.sell(*PURCHASES[place]) for place in order]
    rows = {sale.level: market.number(sale) for sale in sales}
    return sorted(rows), np.array([rows[level] for level in sorted(rows)])


@pytest.mark.parametrize(("name", "order"), MARKET, ids=str)
def test_every_order_of_purchases_has_the_same_joint_law(name, order, seed):
    levels, noise = market_noise(name, order, seed, price=4)
    assert len(levels) == 4
    assert broken_promises(FAMILIES[name], levels, noise) == []
    if order == FEW[1]:  # and another price draws the same numbers
        np.testing.assert_array_equal(noise, market_noise(name, order, seed, price=9)[1])


@pytest.mark.parametrize("name", ["laplace", "discrete_laplace"])
def test_a_market_with_independent_noise_is_found_out(name, seed, monkeypatch):
    monkeypatch.setattr(market_module, "MultipleRelease", Independent)
    levels, noise = market_noise(name, FEW[1], seed, price=4)
    assert broken_promises(FAMILIES[name], levels, noise)
