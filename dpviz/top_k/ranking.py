"""A list of the most common items, in noisy order, drawn once and kept; counts fitted to its order.

A list is drawn from the front, so a longer one that is asked for later begins with the shorter one,
and the two cost what the longer one costs alone. That is all that is known of releasing a list more
than once: whether lists of different ε can be lossless, so that the more exact one is worth all of
them, is not known (MATHEMATICS 13.5). The *values* of a list can: they are a statistic with a fixed
list of items, and any number of tiers may hold them at different exactness, in any order.

Noisy counts are moved as little as possible until they keep the published order:

    min Σ (xⱼ - yⱼ)²   such that   x₁ >= x₂ >= … >= x_k   (and x_k >= 0)

These are the maximum-likelihood counts of Gaussian noise, given that the order is right.
Post-processing of what was released: it costs nothing and reads no data. Pool adjacent violators,
O(k).
Limits: practice mode draws Gumbel noise in floating point; hardened mode draws exactly.
Source: MATHEMATICS 13.3; [BCT20] Algorithm 1, equation 9.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np
from scipy import optimize

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import DataError, ParameterError
from dpviz.noise.arguments import GENERATOR, additive_family
from dpviz.noise.family import Array, Family
from dpviz.parameters import exact
from dpviz.release import MultipleRelease, Uncopied
from dpviz.top_k.costs import ListCost, PrepaidDraws
from dpviz.top_k.draws import by_gumbel, exactly
from dpviz.top_k.reach import Reach, UnknownDomain

LARGEST = 1e300  # of counts to be fitted
MOST_ITEMS = 10**6
LARGEST_COUNT = 10**15

Item = int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A list that was drawn, with what it cost; it holds nothing else about the data.

    Attributes:
        items: the items found, the most common one first as far as noise lets them be.
        asked: how many were asked for.
        ended: whether the sign ⊥ ended the list before that; of an unknown domain only.
        cost: what a list of the length asked for costs.
    """

    items: tuple[Item, ...]
    asked: int
    ended: bool
    cost: ListCost = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", checks.integer(1, asked=self.asked))
        checks.instance(bool, ended=self.ended)
        checks.instance(ListCost, cost=self.cost)
        items = tuple(checks.listed(items=self.items))
        if len(items) + self.ended > self.asked or not all(isinstance(i, Item) for i in items):
            raise ParameterError("items must be texts or whole numbers, no more than asked for")
        object.__setattr__(self, "items", items)

    @property
    def draws(self) -> int:
        """How many draws it took: one for each item, and one for the sign that it has ended."""
        return len(self.items) + self.ended

    def first(self, k: int) -> "Ranking":
        """The list of k items that this one begins with, or of more if it has ended.

        >>> found = Ranking(items=("a", "b"), asked=2, ended=False, cost=ListCost(steps=2, step=1))
        >>> found.first(1).items, found.first(1).cost.steps
        (('a',), 1)
        """
        items = self.items[:k]
        cost = replace(self.cost, steps=min(k, self.asked))  # once it has ended, more costs nothing
        return Ranking(items=items, asked=k, ended=self.ended and len(items) < k, cost=cost)


class TopK(Uncopied):
    """The most common items of one table: ask for a list, and then for the counts on it.

    >>> words = {"the": 650, "and": 546, "to": 384, "of": 338, "thane": 40}
    >>> top = TopK(words, epsilon=0.1, reach=Reach(), rng=streams.teaching(7))
    >>> top.rank(2).items, top.rank(3).items  # the longer list begins with the shorter one
    (('the', 'and'), ('the', 'and', 'to'))
    >>> top
    TopK(domain='known', asked=3, mode='teaching')
    """

    __slots__ = (
        "_any_order",
        "_asked",
        "_counts",
        "_ended",
        "_found",
        "_lock",
        "_mode",
        "_names",
        "_prepaid",
        "_reach",
        "_rng",
        "_scores",
        "_step",
        "_unknown",
        "_values",
    )

    def __init__(
        self,
        counts: Mapping[Any, Any],
        *,
        epsilon: Number,
        reach: Reach,
        rng: np.random.Generator,
        unknown: UnknownDomain | None = None,
        prepaid: PrepaidDraws | None = None,
        any_order: bool = False,
    ) -> None:
        """Open a list.

        Args:
            counts: count of each item, whole numbers of at least 0; items are texts, or whole
                numbers. Of a known domain every item has one, also those that nobody has; of an
                unknown one, those that somebody has.
            epsilon: ε of each draw, above 0; decimals are exact.
            reach: what one person can do to the counts.
            rng: generator that the list is drawn from.
            unknown: how the list is drawn where the domain is unknown; None: it is known.
            prepaid: the budget that the draws are taken from, if one was opened.
            any_order: whether the list of a seed is the same whatever shorter ones were asked for
                before; of a teaching generator only.

        Raises:
            ParameterError: if an argument cannot be used, or the prepaid budget has no call left.
            DataError: if counts are not of that kind; no sentence holds one.
        """
        if not isinstance(rng, np.random.Generator):
            raise ParameterError(GENERATOR)
        checks.instance(Reach, reach=reach)
        positive(epsilon=epsilon)
        self._mode = streams.mode_of(rng)
        checks.instance(bool, any_order=any_order)
        self._any_order = any_order
        self._rng = streams.for_levels(rng=rng) if any_order else rng
        self._reach, self._unknown, self._step = reach, unknown, exact(epsilon)
        names, numbers = checked_counts(counts)
        self._scores: list[Fraction] | Array
        if unknown is not None:
            checks.instance(UnknownDomain, unknown=unknown)
            names, numbers, score = _in_sight(names, numbers, unknown, self._step, reach)
            self._scores = [*map(Fraction, numbers.tolist()), score]  # ⊥ is the last one
        elif not names:
            raise ParameterError("a known domain needs at least one item; pass its counts")
        else:
            self._scores = [*map(Fraction, numbers.tolist())]
        self._names, self._counts = names, numbers
        self._found: list[int] = []
        self._asked, self._ended = 0, False
        self._values: dict[tuple[str, int], MultipleRelease] = {}
        self._lock = threading.RLock()
        self._prepaid = prepaid
        if prepaid is not None:
            checks.instance(PrepaidDraws, prepaid=prepaid)
            prepaid.call(self._step, reach, unknown)

    @classmethod
    def continued(
        cls,
        counts: Mapping[Any, Any],
        found: Ranking,
        *,
        epsilon: Number,
        reach: Reach,
        rng: np.random.Generator,
        unknown: UnknownDomain | None = None,
    ) -> Self:
        """Go on from a list that was drawn earlier, by this program or by another.

        The law is that of one list: each item is drawn from those that are left, whatever was drawn
        before (MATHEMATICS 13.1). It holds only if `found` is the longest list that was ever drawn.

        Args:
            counts: as they were when the list was opened.
            found: the longest list so far.
            epsilon: as the list was opened with, like those that follow.
            reach: what one person can do to the counts.
            rng: generator of all further draws.
            unknown: how the list is drawn where the domain is unknown.

        Raises:
            ParameterError: if an argument cannot be used, or an item is not among those of counts.
            DataError: if counts are not of that kind.

        >>> words = {"the": 650, "and": 546, "to": 384}
        >>> known = {"epsilon": 0.1, "reach": Reach()}
        >>> found = TopK(words, rng=streams.teaching(7), **known).rank(1)
        >>> again = TopK.continued(words, found, rng=streams.teaching(8), **known)
        >>> again.rank(2).items
        ('the', 'and')
        """
        checks.instance(Ranking, found=found)
        top = cls(counts, epsilon=epsilon, reach=reach, rng=rng, unknown=unknown)
        places = {name: place for place, name in enumerate(top._names)}
        if not places.keys() >= set(found.items):
            raise ParameterError(
                "found has an item that is not among those of counts; pass the counts that the "
                "list was drawn from"
            )
        top._found = [places[item] for item in found.items]
        top._asked, top._ended = found.asked, found.ended
        return top

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the list was opened with."""
        return self._mode

    @property
    def reach(self) -> Reach:
        """What one person can do to the counts."""
        return self._reach

    @property
    def scale(self) -> float:
        """Scale of the Gumbel noise: Δ∞/ε, or 2Δ∞/ε where counts may move both ways."""
        return float(1 / self._rate)

    @property
    def cost(self) -> ListCost:
        """What the longest list asked for so far costs; 0 draws before the first one."""
        return self._cost_of(self._asked)

    @property
    def ranking(self) -> Ranking | None:
        """The longest list asked for so far, or None; draws nothing."""
        return self.rank(self._asked) if self._asked else None

    def rank(self, k: int) -> Ranking:
        """The k most common items, in noisy order; asked again, the same ones.

        Args:
            k: how many items, at most. A prepaid budget may leave fewer draws.

        Returns:
            Fewer where the sign ⊥ was drawn, or where the known domain has no more.

        Raises:
            ParameterError: k is no whole number of at least 1, or the prepaid budget is spent.
        """
        k = checks.integer(1, k=k)
        if k > MOST_ITEMS:
            raise ParameterError(f"k must be at most {MOST_ITEMS:,}; type a smaller one")
        with self._lock:  # two threads that ask at once must not both draw
            k = min(k, len(self._names)) if self._unknown is None else k
            if k > self._asked and not self._ended:
                k = self._go_on(k)
            items = tuple(self._names[place] for place in self._found)
            longest = Ranking(items=items, asked=self._asked, ended=self._ended, cost=self.cost)
            return longest.first(k)

    def values(
        self, family: Family, *, rng: np.random.Generator, any_order: bool = False
    ) -> MultipleRelease:
        """A session on the counts of the list as it is now: several tiers, any order, lossless.

        One person moves at most min(Δ₀, k) of them, by Δ∞ each: `reach.sensitivity`. Asked again
        for the same list and noise, it is the same session.

        Args:
            family: a noise family, as in `dpviz.noise.FAMILIES`.
            rng: generator of the session.
            any_order: as for `MultipleRelease`.

        Raises:
            ParameterError: if no item was found.
            HardenedModeError: if a float family is given a hardened generator.
        """
        with self._lock:
            if not self._found:
                raise ParameterError(
                    "there is no list yet, or nothing on it: ask for rank(k) first"
                )
            key = (additive_family(family).name, len(self._found))
            if key not in self._values:
                self._refuse_in_child()
                counts = self._counts[self._found]
                self._values[key] = MultipleRelease(counts, family, rng=rng, any_order=any_order)
            return self._values[key]

    def __repr__(self) -> str:
        """Domain and state; never an item nor a count."""
        domain = "known" if self._unknown is None else "unknown"
        return f"TopK(domain={domain!r}, asked={self._asked}, mode={self._mode!r})"

    @property
    def _rate(self) -> Fraction:
        """ε over the range of the scores: of one draw P ∝ exp(rate·score)."""
        return self._step / (self._reach.linf * (2 if self._reach.both_ways else 1))

    def _cost_of(self, k: int) -> ListCost:
        hidden = None if self._unknown is None else self._unknown.log_delta
        return ListCost(steps=k, step=self._step, log_hidden=hidden)

    def _go_on(self, k: int) -> int:
        """Draw until the list has k items or has ended; the length that the budget was enough for.

        What was drawn is kept in one step.
        """
        self._refuse_in_child()
        wanted = k - len(self._found)
        if self._prepaid is not None:
            wanted = self._prepaid.reserve(wanted)
        found = self._drawn(wanted)
        end = len(self._names)  # the place of ⊥, of an unknown domain only
        ended = end in found
        if ended:
            found = found[: found.index(end)]
        if self._prepaid is not None:
            self._prepaid.give_back(wanted - len(found) - ended)
        self._asked = len(self._found) + wanted
        self._found, self._ended = [*self._found, *found], ended
        return self._asked

    def _drawn(self, count: int) -> list[int]:
        """The next places, by the law of the exponential mechanism on what is left."""
        if self._any_order:  # the same noise on all of them, as often as it is asked
            scores, rng = (
                np.array([*map(float, self._scores)]),
                streams.at_level(1.0, rng=self._rng),
            )
            places = by_gumbel(scores, self.scale, len(self._found) + count, rng=rng)
            return places[len(self._found) :]
        gone = set(self._found)
        left = [place for place in range(len(self._scores)) if place not in gone]
        if self._mode == "hardened":
            places = exactly([self._scores[p] for p in left], self._rate, count, rng=self._rng)
        else:
            scores = np.array([float(self._scores[p]) for p in left])
            places = by_gumbel(scores, self.scale, count, rng=self._rng)
        return [left[place] for place in places]


def checked_counts(counts: Mapping[Any, Any]) -> tuple[list[Item], Array]:
    """The items in their own order, and their counts as int64.

    Raises:
        DataError: if items are not all texts or all whole numbers, or counts no whole numbers of at
            least 0; no sentence holds one.

    >>> checked_counts({"b": 3, "a": 0})
    (['a', 'b'], array([0, 3]))
    """
    if not isinstance(counts, Mapping):
        raise ParameterError('counts must be a mapping of items to counts, such as {"flu": 12}')
    if len(counts) > MOST_ITEMS:
        raise ParameterError(f"counts may be those of at most {MOST_ITEMS:,} items; pass fewer")
    names = [int(name) if isinstance(name, np.integer) else name for name in counts]
    numbers = [int(n) if isinstance(n, np.integer) else n for n in counts.values()]
    kinds = {type(name) for name in names}
    if not kinds <= {str} and not kinds <= {int}:
        raise DataError("items must be texts only, or whole numbers only")
    if not all(type(n) is int and 0 <= n <= LARGEST_COUNT for n in numbers):
        raise DataError(f"counts must be whole numbers from 0 to {LARGEST_COUNT:.0e}")
    order: Sequence[int] = sorted(range(len(names)), key=lambda place: names[place])
    return [names[p] for p in order], np.array([numbers[p] for p in order], dtype=np.int64)


def _in_sight(
    names: list[Item], numbers: Array, unknown: UnknownDomain, step: Fraction, reach: Reach
) -> tuple[list[Item], Array, Fraction]:
    """The items that compete, their counts, and the score of ⊥.

    An item that nobody has is no item; equal counts are told apart by the order of the items.
    """
    places = np.argsort(-numbers, kind="stable")
    places = places[numbers[places] > 0]
    beyond = int(numbers[places[unknown.seen]]) if places.size > unknown.seen else 0
    kept = np.sort(places[: unknown.seen])
    return [names[p] for p in kept], numbers[kept], beyond + unknown.above(step, reach)


def fit_in_order(values: Any, *, non_negative: bool = False) -> Array:
    """The nearest numbers that do not rise, in the sense of least squares.

    Args:
        values: noisy counts in the order of the list, shape (k,).
        non_negative: whether the counts are known to be at least 0.

    Returns:
        Shape (k,), float64.

    Raises:
        ParameterError: values are not a row of finite numbers.

    >>> fit_in_order([4, 1, 5, 2])
    array([4., 3., 3., 2.])
    >>> fit_in_order([2, -1.5, -2], non_negative=True)
    array([2., 0., 0.])
    """
    checks.instance(bool, non_negative=non_negative)
    row = checks.reals(values=values)
    if row.ndim != 1:
        raise ParameterError("values must be a row of numbers, one for each item of the list")
    checks.arrays(1, least=-LARGEST, most=LARGEST, values=row)
    if not row.size:
        return row
    fitted = optimize.isotonic_regression(row, increasing=False).x
    return np.maximum(fitted, 0.0) if non_negative else np.asarray(fitted)
