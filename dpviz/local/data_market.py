"""A data market: an owner sells noisy copies of a value by their ε, to any buyers in any order.

All releases come from one session on the owner's side, at level b = Δ/ε. So a buyer who upgrades
pays the difference and loses nothing: her earlier number is her better one plus noise. Equal ε are
the same number for everybody. All buyers together know what the best of them bought, and the owner
has lost the largest ε that was sold, not the sum. A sold number cannot be taken back.

The ledger is a frozen record of facts: who bought which ε, in which order, and what it cost. The
market is a ledger with a session; prices never touch what is drawn.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 15.5; [KHP15] sells privacy "by the pound".
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.inputs import Number, non_negative
from dpviz.errors import ParameterError
from dpviz.local.prices import PriceCurve, bought
from dpviz.noise import ADDITIVE, Array, Family
from dpviz.parameters import USUAL_DELTA
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.words import clean, exactly, shorten, significant
from dpviz.words.names import looks

LONGEST_NAME = 40  # letters of a buyer
MOST_SALES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketTerms:
    """What an owner offers: prices, the most that will ever be sold, and the noise.

    Attributes:
        curve: the price of a release by its ε.
        limit: the largest ε that is sold, to anybody; exact.
        sensitivity: the most by which two values that the owner may have differ, in the sum of
            absolute differences: Δ₁.
        family: noise with a pure ε: Laplace, or discrete Laplace for whole numbers.

    Raises:
        ParameterError: the limit or the sensitivity is not above 0, the limit has no price, or the
            noise promises no pure ε.

    >>> MarketTerms(curve=PriceCurve.linear(4), limit=2, sensitivity=1).level(Fraction(1, 2))
    2.0
    """

    curve: PriceCurve
    limit: Number
    sensitivity: float
    family: Family = ADDITIVE["laplace"]

    def __post_init__(self) -> None:
        checks.instance(PriceCurve, curve=self.curve)
        checks.positive(sensitivity=self.sensitivity)
        object.__setattr__(self, "sensitivity", float(self.sensitivity))
        object.__setattr__(self, "limit", bought(self.limit))
        most = self.curve.most
        if most is not None and self.most > most:
            raise ParameterError(
                f"the limit ε = {_typed(self.most)} is beyond the last price; type at most "
                f"{_typed(most)}, or add a price"
            )
        if not guarantee_of(self.family).pure:
            raise ParameterError(
                f"{self.family.label} noise promises no ε without a δ; choose Laplace noise, or "
                "discrete Laplace noise for whole numbers"
            )

    @property
    def most(self) -> Fraction:
        """The limit, exact."""
        return Fraction(self.limit)

    def level(self, epsilon: Fraction) -> float:
        """The noise level of a release: Δ/ε, rounded to the private side.

        Raises:
            ParameterError: ε is not above 0, or no noise of the family has this level.
        """
        delta_1 = self.sensitivity
        moved = Sensitivity(l0=1, l1=delta_1, l2=delta_1, linf=delta_1)
        setting = Setting(family=self.family, delta=USUAL_DELTA, sensitivity=moved, dimension=1)
        level = guarantee_of(self.family).level(bought(epsilon), setting)
        least, most = self.family.span
        if not (least <= level <= most and level < self.family.largest_level):
            other = "smaller" if level < least else "larger"
            raise ParameterError(
                f"ε = {_typed(bought(epsilon))} would need {self.family.label} noise of scale "
                f"{significant(level)}, which is out of reach; type a {other} ε"
            )
        return level


@dataclass(frozen=True, slots=True, kw_only=True)
class Sale:
    """One purchase, in facts.

    Attributes:
        number: its place among all purchases, from 1 on.
        buyer: who bought.
        before: the ε that the buyer held; 0 for nothing.
        epsilon: the ε that she holds from now on.
        paid: the price of `epsilon` less that of `before`.
        level: noise level of the number that was handed over.

    Raises:
        ParameterError: a number is out of range, or the buyer's ε does not grow.
    """

    number: int
    buyer: str
    before: Fraction
    epsilon: Fraction
    paid: Fraction
    level: float

    def __post_init__(self) -> None:
        checks.whole(1, number=self.number)
        checks.instance(Fraction, before=self.before, epsilon=self.epsilon, paid=self.paid)
        non_negative(before=self.before)
        non_negative(paid=self.paid)
        checks.positive(level=self.level)
        if not self.before < self.epsilon:
            raise ParameterError("a purchase has a larger ε than what its buyer held")

    @property
    def upgrade(self) -> bool:
        """Whether the buyer held something before."""
        return self.before > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketLedger:
    """MarketTerms and all purchases in their order; frozen, each purchase makes another one.

    Raises:
        ParameterError: the purchases are not those that these terms give, one after the other.

    >>> ledger = MarketLedger(terms=MarketTerms(curve=PriceCurve.linear(4), limit=2, sensitivity=1))
    >>> for buyer, epsilon in (("city", 0.5), ("insurer", 1), ("city", 0.75)):
    ...     ledger = ledger.sold(ledger.quote(buyer, epsilon))
    >>> [str(each.paid) for each in ledger.sales]
    ['2', '4', '1']
    >>> str(ledger.revenue), str(ledger.loss), str(ledger.apart)
    ('7', '1', '9/4')
    """

    terms: MarketTerms
    sales: tuple[Sale, ...] = ()

    def __post_init__(self) -> None:
        checks.instance(MarketTerms, terms=self.terms)
        object.__setattr__(self, "sales", tuple(checks.listed(sales=self.sales)))
        held: dict[str, Fraction] = {}
        for place, sale in enumerate(self.sales, start=1):
            checks.instance(Sale, sale=sale)
            if sale != _sale(self.terms, place, sale.buyer, held.get(sale.buyer), sale.epsilon):
                raise ParameterError(
                    f"purchase {place} is not what these terms give; add each with sold(quote(…))"
                )
            held[sale.buyer] = sale.epsilon

    @property
    def held(self) -> dict[str, Fraction]:
        """The largest ε of each buyer, in the order of arrival."""
        return {sale.buyer: sale.epsilon for sale in self.sales}

    @property
    def revenue(self) -> Fraction:
        """What all buyers paid."""
        return sum((sale.paid for sale in self.sales), Fraction(0))

    @property
    def loss(self) -> Fraction:
        """What the owner has lost: the largest ε that was sold; 0 if nothing was."""
        return self.loss_of(self.held)

    @property
    def apart(self) -> Fraction:
        """What the owner would have lost with independent noise in each sold number: the sum."""
        return sum((sale.epsilon for sale in self.sales), Fraction(0))

    @property
    def running(self) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
        """Revenue, loss, and the loss with independent noise, after each purchase."""
        return tuple(
            zip(
                accumulate(sale.paid for sale in self.sales),
                accumulate((sale.epsilon for sale in self.sales), max),
                accumulate(sale.epsilon for sale in self.sales),
                strict=True,
            )
        )

    def loss_of(self, buyers: Iterable[str]) -> Fraction:
        """What these buyers know together: the largest ε that one of them holds.

        Raises:
            ParameterError: one of them has bought nothing.
        """
        held, names = self.held, checks.listed(buyers=buyers)
        for name in names:
            if not isinstance(name, str) or name not in held:
                raise ParameterError(f"{checks.told(name)} has bought nothing; name a buyer")
        return max((held[name] for name in names), default=Fraction(0))

    def quote(self, buyer: str, epsilon: Number) -> Sale:
        """The next purchase, if this buyer asks for this ε: what it would cost, and its level.

        Raises:
            ParameterError: the buyer has no name or one that looks like another buyer's, ε is not
                above 0, beyond the limit or out of reach of the noise, or she holds as much.
        """
        name = _name(buyer, self.held)
        wanted = bought(epsilon)
        if wanted > self.terms.most:
            raise ParameterError(
                f"ε = {_typed(wanted)} is more than the owner will ever sell; type at most "
                f"{_typed(self.terms.most)}"
            )
        if len(self.sales) >= MOST_SALES:
            raise ParameterError(f"a market ends after {MOST_SALES} purchases; open another one")
        return _sale(self.terms, len(self.sales) + 1, name, self.held.get(name), wanted)

    def sold(self, sale: Sale) -> "MarketLedger":
        """The ledger with one more purchase.

        Raises:
            ParameterError: it is not the next one, as `quote` gives it.
        """
        return replace(self, sales=(*self.sales, sale))


class DataMarket:
    """A ledger and the owner's session: sells numbers, each drawn when it is first bought.

    >>> from dpviz import streams
    >>> terms = MarketTerms(curve=PriceCurve.linear(4), limit=2, sensitivity=1)
    >>> market = DataMarket([147.0], terms, rng=streams.teaching(7))
    >>> first, other = market.sell("city", 0.5), market.sell("insurer", 0.5)
    >>> market.number(first) is market.number(other)  # equal ε, the same number
    True
    >>> better = market.sell("city", 1)
    >>> str(better.paid), str(market.ledger.revenue), str(market.ledger.loss)
    ('2', '6', '1')
    """

    __slots__ = ("_ledger", "_lock", "_session")

    def __init__(self, values: Any, terms: MarketTerms, *, rng: np.random.Generator) -> None:
        """Open a market.

        Args:
            values: the owner's exact value or values, of any shape; they stay in the session.
            terms: prices, limit and noise.
            rng: the generator of all noise; its mode is the market's for good.

        Raises:
            ParameterError: a value is no finite number, or not whole where the noise is.
            HardenedModeError: noise of floats is given a hardened generator.
        """
        self._ledger = MarketLedger(terms=terms)
        self._session = MultipleRelease(values, terms.family, rng=rng)
        self._lock = threading.Lock()

    @property
    def ledger(self) -> MarketLedger:
        """What was sold until now."""
        return self._ledger

    @property
    def session(self) -> MultipleRelease:
        """The owner's session, which holds what was handed over."""
        return self._session

    def sell(self, buyer: str, epsilon: Number) -> Sale:
        """Sell a release; who holds one already pays the difference.

        Args:
            buyer: a name; the same name again is an upgrade.
            epsilon: the budget, exact: a float stands for the decimal that it is written as.

        Raises:
            ParameterError: as `MarketLedger.quote`; nothing is sold.
        """
        with self._lock:  # two buyers at once are served one after the other
            sale = self._ledger.quote(buyer, epsilon)
            after = self._ledger.sold(sale)
            self._session.release(sale.level)
            self._ledger = after
            return sale

    def number(self, sale: Sale) -> Array:
        """What was handed over in a purchase: the same array at every look.

        Raises:
            ParameterError: it is no purchase of this market.
        """
        if sale not in self._ledger.sales:
            raise ParameterError("this purchase is not in the ledger of this market; pass one")
        return self._session.held[sale.level]

    def best(self, buyer: str) -> Array:
        """The sharpest number that a buyer holds.

        Raises:
            ParameterError: she has bought nothing.
        """
        return self._session.held[self._ledger.terms.level(self._ledger.loss_of([buyer]))]


def _sale(
    terms: MarketTerms, number: int, buyer: str, held: Fraction | None, epsilon: Fraction
) -> Sale:
    """The purchase that these terms give."""
    before = held or Fraction(0)
    if epsilon <= before:
        has = "as much" if epsilon == before else "a better number"
        raise ParameterError(
            f"{shorten(buyer)} already holds {has}, at ε = {_typed(before)}; type more than "
            f"{_typed(before)} to upgrade"
        )
    return Sale(
        number=number,
        buyer=buyer,
        before=before,
        epsilon=epsilon,
        paid=terms.curve.price(epsilon) - terms.curve.price(before),
        level=terms.level(epsilon),
    )


def _name(buyer: str, known: Iterable[str]) -> str:
    """A buyer's name on one line; one that looks like a known one is refused."""
    if not isinstance(buyer, str) or not buyer.strip():
        raise ParameterError("the buyer has no name; type one, such as insurer")
    name = clean(buyer)
    if len(name) > LONGEST_NAME:
        raise ParameterError(f"the buyer's name is too long; type at most {LONGEST_NAME} letters")
    alike, upright = looks(buyer)
    for other in known:
        first, second = looks(other)
        if other != name and (first == alike or second == upright):
            raise ParameterError(
                f"{shorten(name)} looks like the buyer {shorten(other)}; type exactly that name to "
                "upgrade, or another one"
            )
    return name


def _typed(epsilon: Fraction) -> str:
    return exactly(epsilon, up=True)
