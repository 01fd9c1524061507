"""The data market: what is sold, to whom, for how much, and at which prices nobody is undercut."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import streams
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.local import data_market
from dpviz.local.data_market import MOST_SALES, DataMarket, MarketLedger, MarketTerms, Sale
from dpviz.local.prices import COIN, PriceCurve, Undercut, undercut
from dpviz.noise import FAMILIES
from dpviz.noise.bridge_law import joint_log_density
from tests.conftest import FULL, few, for_each

# --- The data market: what is sold, to whom, for how much, and what everybody knows together -----

LAPLACE, WHOLE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]
FIVE = [("a", 0.5), ("b", 0.4), ("c", 0.6), ("d", 0.6), ("e", 1)]


def terms(**changed):
    given = {"curve": PriceCurve.linear(4), "limit": 2, "sensitivity": 1.0} | changed
    return MarketTerms(**given)


def opened(values=(147.0,), seed=7, **changed):
    return DataMarket(values, terms(**changed), rng=streams.teaching(seed))


def sold(market, purchases):
    return [market.sell(buyer, epsilon) for buyer, epsilon in purchases]


def test_five_buyers_by_hand():
    market = opened()
    sales = sold(market, FIVE)
    ledger = market.ledger
    assert [s.paid for s in sales] == [2, F(8, 5), F(12, 5), F(12, 5), 4]
    assert (ledger.revenue, ledger.loss, ledger.apart) == (F(62, 5), 1, F(31, 10))
    assert [s.level for s in sales][:2] == [2.0, 2.5]
    assert ledger.running == (
        (2, F(1, 2), F(1, 2)),
        (F(18, 5), F(1, 2), F(9, 10)),
        (6, F(3, 5), F(3, 2)),
        (F(42, 5), F(3, 5), F(21, 10)),
        (F(62, 5), 1, F(31, 10)),
    )
    assert market.number(sales[2]) is market.number(sales[3])
    assert len({float(market.number(s)[0]) for s in sales}) <= 4
    assert market.best("e") is market.number(sales[4])


def test_money_and_budgets_are_exact():
    """Ten times a tenth is one; and a fraction stays what it is."""
    market = opened()
    for step in range(1, 11):
        market.sell("ada", Decimal(step) / 10)
    assert market.ledger.revenue == 4
    assert market.ledger.loss == 1
    assert market.sell("bob", F(1, 3)).paid == F(134, 100)
    assert market.ledger.held["bob"] == F(1, 3)


def test_upgrades_pay_the_difference_and_the_order_is_worth_nothing():
    one, other = opened(), opened()
    sold(one, [("ada", 0.25), ("ada", 0.5), ("bob", 2), ("ada", 1.5)])
    sold(other, [("bob", 2), ("ada", 1.5)])
    assert one.ledger.revenue == other.ledger.revenue == 14
    assert one.ledger.loss == other.ledger.loss == 2
    assert [s.upgrade for s in one.ledger.sales] == [False, True, False, True]
    assert one.ledger.held == {"ada": F(3, 2), "bob": F(2)}


def test_any_coalition_knows_its_best():
    ledger = opened().ledger
    for buyer, epsilon in FIVE:
        ledger = ledger.sold(ledger.quote(buyer, epsilon))
    for size in range(6):
        for some in combinations(ledger.held, size):
            assert ledger.loss_of(some) == max((ledger.held[n] for n in some), default=0)
    with pytest.raises(ParameterError, match="'zoe' has bought nothing"):
        ledger.loss_of(["a", "zoe"])


@pytest.mark.parametrize("family", [LAPLACE, WHOLE], ids=lambda f: f.name)
def test_the_evidence_of_all_numbers_is_that_of_the_best(family):
    """The likelihood ratio of all that was sold never exceeds ε, and is that of the best alone."""
    for seed in range(30 if FULL else 8):
        market = opened([147], seed=seed, family=family)
        sold(market, [("a", 0.5), ("b", 1.5), ("a", 0.75), ("c", 0.25), ("b", 2)])
        held = market.session.held
        best = {min(held): held[min(held)]}
        ratios = [
            joint_log_density(family, [147], numbers) - joint_log_density(family, [148], numbers)
            for numbers in (held, best)
        ]
        assert ratios[0] == pytest.approx(ratios[1], abs=1e-9)
        assert abs(ratios[0]) <= float(market.ledger.loss) + 1e-9


def test_prices_never_touch_what_is_drawn():
    dear = PriceCurve(points=((1, 3), (2, 100)))
    for family in (LAPLACE, WHOLE):
        one, other = opened([147], family=family), opened([147], family=family, curve=dear)
        for mine, theirs in zip(sold(one, FIVE), sold(other, FIVE), strict=True):
            np.testing.assert_array_equal(one.number(mine), other.number(theirs))
    assert other.ledger.revenue != one.ledger.revenue


def test_a_vector_is_sold_like_a_number():
    values = np.arange(6.0).reshape(2, 3)
    market = opened(values, sensitivity=3.0)
    sale = market.sell("ada", F(1, 2))
    assert sale.level == 6.0
    assert market.number(sale).shape == (2, 3)
    assert market.best("ada") is market.number(sale)


def test_levels_are_on_the_private_side():
    for epsilon in (F(1, 3), F(1, 10), F(7, 11), F(999, 1000)):
        assert F(terms().level(epsilon)) >= 1 / epsilon


REFUSED = [
    ("ada", 3, "ε = 3 is more than the owner will ever sell; type at most 2"),
    ("ada", 0.5, "ada already holds as much, at ε = 0.5; type more than 0.5 to upgrade"),
    ("ada", 0.2, "ada already holds a better number, at ε = 0.5; type more than 0.5"),
    ("", 1, "the buyer has no name; type one, such as insurer"),
    (None, 1, "the buyer has no name"),
    ("Ada ", 1, "Ada looks like the buyer ada; type exactly that name to upgrade"),
    ("\u0430da", 1, "looks like the buyer ada"),
    ("x" * 41, 1, "the buyer's name is too long; type at most 40 letters"),
    ("bob", 0, "ε = 0 cannot be sold; type a number above 0"),
    ("bob", float("nan"), "must be a finite number"),
    ("bob", "1", "must be a number"),
    ("bob", 1e-13, "cannot be sold; type a number above 0, from 10⁻¹² to 10¹²"),
]


@for_each(("buyer", "epsilon", "sentence"), REFUSED)
def test_what_is_refused_changes_nothing(buyer, epsilon, sentence):
    market = opened()
    market.sell("ada", 0.5)
    before, levels = market.ledger, market.session.levels
    with pytest.raises(ParameterError) as refused:
        market.sell(buyer, epsilon)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert market.ledger is before
    assert market.session.levels == levels


def test_a_level_that_no_noise_has_is_not_sold():
    market = opened([0], family=WHOLE, sensitivity=1e8)
    with pytest.raises(ParameterError, match="would need discrete Laplace noise of scale 10¹⁷"):
        market.sell("ada", 1e-9)
    market = opened([0], limit=1e12, sensitivity=1e-140)
    with pytest.raises(ParameterError, match="out of reach; type a smaller ε"):
        market.sell("ada", 1e12)
    assert not market.ledger.sales


@for_each(
    ("changed", "sentence"),
    [
        ({"limit": 0}, "ε = 0 cannot be sold"),
        (
            {"limit": 3, "curve": PriceCurve(points=((2, 5),))},
            "beyond the last price; type at most 2",
        ),
        ({"sensitivity": 0}, "sensitivity must be a finite number above 0"),
        ({"family": FAMILIES["gaussian"]}, "Gaussian noise promises no ε without a δ"),
        ({"family": FAMILIES["exponential"]}, "not offered"),
        ({"curve": 4}, "curve must be a PriceCurve"),
    ],
)
def test_terms_that_cannot_be_kept_are_refused(changed, sentence):
    with pytest.raises(ParameterError, match=sentence):
        terms(**changed)


def test_a_hardened_market_sells_whole_numbers_alone():
    with pytest.raises(HardenedModeError):
        DataMarket([147.0], terms(), rng=streams.hardened())
    market = DataMarket([147], terms(family=WHOLE), rng=streams.hardened())
    sales = sold(market, FIVE)
    assert market.session.mode == "hardened"
    assert market.number(sales[0]).dtype == np.int64
    assert market.number(sales[2]) is market.number(sales[3])


def test_a_ledger_that_was_changed_is_refused():
    market = opened()
    first, second = sold(market, [("ada", 0.5), ("ada", 1)])
    ledger = market.ledger
    for wrong in (
        (second,),
        (first, first),
        (replace(first, paid=F(1)), second),
        (replace(first, level=1.0), second),
        (replace(first, number=2), second),
        (first, replace(second, before=F(1, 4))),
    ):
        with pytest.raises(ParameterError):
            MarketLedger(terms=ledger.terms, sales=wrong)
    with pytest.raises(ParameterError, match="a larger ε than what its buyer held"):
        replace(second, before=F(1))
    with pytest.raises(ParameterError, match="not in the ledger of this market"):
        opened().number(first)
    assert isinstance(first, Sale)


def test_a_market_ends(monkeypatch):
    monkeypatch.setattr(data_market, "MOST_SALES", most := MOST_SALES if FULL else 20)
    market = opened()
    for n in range(1, most + 1):
        market.sell("ada", F(n, most))
    with pytest.raises(ParameterError, match=f"a market ends after {most} purchases"):
        market.sell("ada", 2)


# --- Price curves: what they cost, what they refuse, and that nobody buys for less than the price -

STEEP = PriceCurve(points=((1, 2), (2, 8)))  # the more, the dearer
TABLE = PriceCurve(points=((F(1, 4), 1), (1, 3), (2, 3), (3, 10)))
LINEAR, FREE, DISCOUNT = (
    PriceCurve.linear(4),
    PriceCurve.linear(0),
    PriceCurve.with_discount(4, 1, 2),
)
CURVES = [LINEAR, FREE, DISCOUNT, STEEP, TABLE]
GRID = [F(n, 4) for n in range(1, 9)]  # up to ε = 2


def test_prices_by_hand():
    assert (LINEAR.price(0.3), LINEAR.price(1000)) == (F(6, 5), 4000)
    assert (DISCOUNT.price(F(1, 2)), DISCOUNT.price(F(5, 2))) == (2, 7)
    at = (0, F(1, 8), F(1, 4), F(5, 8), 1.5, 3)
    assert [TABLE.line(e) for e in at] == [0, F(1, 2), 1, 2, 3, 10]
    assert TABLE.line(F(7, 3)) == F(16, 3)
    assert TABLE.price(F(7, 3)) == F(534, 100)  # up to the coin
    assert TABLE.most == 3
    assert LINEAR.most is None


@for_each(
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


@pytest.mark.parametrize("curve", few(CURVES, 3))
def test_here_nobody_pays_less_than_the_price(curve):
    """A coalition knows its best release: every curve that never falls is free of arbitrage."""
    for wanted in GRID:
        assert best_by_names(curve.price, wanted, add_up=False) == curve.price(wanted)


@for_each("curve", CURVES)
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


@pytest.mark.parametrize("curve", few(CURVES[3:] + CURVES[:3], 3))  # one of them has an undercut
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


@settings(max_examples=100 if FULL else 8)
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
    fine = [F(n, 12) for n in range(1, 37)]
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
