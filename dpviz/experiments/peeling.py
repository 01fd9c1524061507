"""A list that is peeled off with Gumbel noise, against what rounds cost that are fixed in advance.

The k largest of counts with Gumbel noise are k rounds of the exponential mechanism, each on what
the earlier ones have left: so the rounds are chosen as results come in. For abstract rounds of
bounded range that costs more than k rounds that are fixed in advance. Whether it does for lists is
open; here it can be tried. Items that are alike are a group, so that of long lists of items only
the order of groups matters, and all G^k orders are summed:

    δ(g) = Σ over orders [P(order) - e^g P'(order)]_+

A group of n items and one of m, of which a neighbour raises the second by ε, come as near as one
likes to k independent rounds as n and m grow; so no list could promise less than the bound that is
fixed in advance, and if the conjecture holds, that bound is what a list costs.
Limits: sums of floats, to a relative 1e-12 or so; what a search finds is a lower bound of the
worst list, and a search that finds nothing proves nothing.
Source: [BCT20], [DDR20]; MATHEMATICS 5.9, 5.10, 13.1 and 17.2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from dpviz import checks
from dpviz.accounting.adaptive_composition import adaptive_composition_log_delta, worst_order
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.mixed_composition import mixed_composition_log_delta
from dpviz.errors import ParameterError

Floats = NDArray[np.float64]
MOST_ORDERS = 2**20  # of groups on a list
MOST_ITEMS = 10**6
FURTHEST = 500.0  # between scores, so that no chance is 0
NEAR = 30.0  # of scores in a search
ROUNDING = 1e-9  # of a quotient of two curves


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemGroup:
    """Items that are alike.

    Attributes:
        size: how many.
        score: count of each, divided by the scale of the Gumbel noise, at most 500 from 0.
        moved: by how much a neighbour raises it, in the same unit, at least 0.
    """

    size: int
    score: float
    moved: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checks.integer(1, size=self.size))
        checks.between(1, MOST_ITEMS, size=self.size)
        checks.between(-FURTHEST, FURTHEST, score=self.score)
        checks.between(0, FURTHEST, moved=self.moved)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeelingCurves:
    """What a list costs for one pair of neighbours, beside what k rounds cost at most.

    Attributes:
        totals: ε of everything together, nats.
        peeled: δ of the list at each of them, of both directions the larger.
        in_advance: δ of k rounds of bounded range that are fixed in advance: MATHEMATICS 5.9.
        adaptive: an upper bound of δ where they are chosen as results come in: MATHEMATICS 5.10.
    """

    totals: Floats
    peeled: Floats
    in_advance: Floats
    adaptive: Floats

    def __post_init__(self) -> None:
        checks.arrays(1, totals=self.totals)
        for name in ("peeled", "in_advance", "adaptive"):
            array = getattr(self, name)
            checks.arrays(1, least=0, **{name: array})
            if array.shape != self.totals.shape:
                raise ParameterError(f"{name} must have a δ for each total")

    @property
    def ratio(self) -> float:
        """The largest quotient of the list's δ and the one in advance, where that is above 0."""
        there = self.in_advance > 0
        return float(np.max(self.peeled[there] / self.in_advance[there], initial=0.0))

    @property
    def refutes(self) -> bool:
        """Whether the list costs more than rounds fixed in advance, beyond rounding."""
        return self.ratio > 1 + ROUNDING


def peeling_curves(
    groups: Sequence[ItemGroup], k: int, epsilon: Number, totals: Sequence[float] | Floats
) -> PeelingCurves:
    """The exact δ of a list of k items, beside the two bounds of k rounds.

    Args:
        groups: the items, at least k in all; no neighbour moves two of them by numbers that differ
            by more than epsilon.
        k: items on the list.
        epsilon: of each round, above 0, nats.
        totals: at which ε the δ are asked for, nats.

    Raises:
        ParameterError: an argument is out of range, a move is too large, or there are too many
            orders of groups.

    >>> alike = [ItemGroup(size=n, score=0.0, moved=move) for n, move in ((100, 0.0), (60, 1.0))]
    >>> found = peeling_curves(alike, 2, 1.0, [0.0, 0.5])
    >>> [curve.round(4).tolist() for curve in (found.peeled, found.in_advance, found.adaptive)]
    [[0.2456, 0.1524], [0.2883, 0.1525], [0.3034, 0.1525]]
    """
    given = _checked(groups, k, positive(epsilon=epsilon))
    at = np.atleast_1d(np.asarray(totals, dtype=float))
    checks.arrays(1, totals=at)
    sizes, scores, moved = given
    chances = _orders(sizes, scores, k), _orders(sizes, scores + moved, k)
    order = worst_order(0, k)
    return PeelingCurves(
        totals=at,
        peeled=np.array([_delta(chances, total) for total in at]),
        in_advance=np.exp([mixed_composition_log_delta(0, k, epsilon, g) for g in at]),
        adaptive=np.exp([adaptive_composition_log_delta(order, epsilon, g).value for g in at]),
    )


def search_peeling(
    k: int,
    epsilon: Number,
    epsilon_total: float,
    *,
    rng: np.random.Generator,
    sizes: Sequence[int] = (50, 50),
    starts: int = 6,
) -> tuple[tuple[ItemGroup, ...], PeelingCurves]:
    """Look for a list that costs more than rounds fixed in advance, at one total.

    Scores and moves of the groups are improved from several starts: the first three move every
    other group, which has a quarter, half or three quarters of the chances, the others are drawn.
    A quotient above 1 would refute the conjecture of MATHEMATICS 5.10.

    Args:
        k: items on the list.
        epsilon: of each round, above 0, nats.
        epsilon_total: at which δ is to be large, below k times epsilon, nats.
        rng: of the starts that are drawn.
        sizes: how many items each group has.
        starts: how often to begin.

    Returns:
        The groups with the largest quotient, and their curves at the total.

    Raises:
        ParameterError: an argument is out of range.

    >>> from dpviz import streams
    >>> groups, found = search_peeling(2, 1.0, 0.0, rng=streams.teaching(7), sizes=(20, 20))
    >>> round(found.ratio, 4), found.refutes
    (0.9999, False)
    """
    value = positive(epsilon=epsilon)
    many = np.array(checks.listed(sizes=sizes))
    begun = [ItemGroup(size=int(n), score=0.0, moved=0.0) for n in many]
    _checked(begun, k, value)
    checks.between(1, 1000, starts=checks.integer(1, starts=starts))
    if not epsilon_total < k * value:
        raise ParameterError("epsilon_total must be below k times epsilon, where δ is above 0")
    checks.instance(np.random.Generator, rng=rng)

    fixed = math.exp(mixed_composition_log_delta(0, k, value, epsilon_total))

    def of(x: Floats) -> tuple[Floats, Floats]:
        scores, moved = x.reshape(2, -1)
        return np.clip(scores, -NEAR, NEAR), value * special.expit(moved)

    def short(x: Floats) -> float:
        scores, moved = of(x)
        chances = _orders(many, scores, k), _orders(many, scores + moved, k)
        return -_delta(chances, epsilon_total) / fixed

    every_other = np.arange(len(many)) % 2
    begin = [
        np.array([shift * every_other - np.log(many), 8.0 * every_other - 4.0])
        for shift in (-math.log(3), 0.0, math.log(3))
    ]
    begin += [rng.normal(0, 3, (2, len(many))) for _ in range(starts - 3)]
    tried = [optimize.minimize(short, e.ravel(), method="L-BFGS-B") for e in begin[:starts]]
    scores, moved = of(min(tried, key=lambda each: float(each.fun)).x)
    found = tuple(
        ItemGroup(size=int(n), score=float(score), moved=float(move))
        for n, score, move in zip(many, scores, moved, strict=True)
    )
    return found, peeling_curves(found, k, value, [epsilon_total])


def _checked(groups: Sequence[ItemGroup], k: int, epsilon: float) -> tuple[Floats, Floats, Floats]:
    """Sizes, scores and moves of the groups."""
    given = checks.listed(groups=groups)
    for each in given:
        checks.instance(ItemGroup, groups=each)
    count = checks.integer(1, k=k)
    if sum(each.size for each in given) < count:
        raise ParameterError("there must be at least k items; pass more, or ask for a shorter list")
    if len(given) ** count > MOST_ORDERS:
        raise ParameterError(
            f"there may be at most {MOST_ORDERS:,} orders of groups on a list; pass fewer groups, "
            "or ask for a shorter list"
        )
    moved = [each.moved for each in given]
    if max(moved) - min(moved) > epsilon * (1 + ROUNDING):
        raise ParameterError("moves of two groups may differ by at most epsilon")
    sizes = np.array([each.size for each in given], dtype=float)
    return sizes, np.array([each.score for each in given]), np.array(moved)


def _orders(sizes: Floats, scores: Floats, k: int) -> Floats:
    """The chance of each order of groups on a list: what is drawn is not put back."""
    weights = np.exp(scores - scores.max())
    chances, left = np.ones(1), np.array([sizes], dtype=float)
    for _ in range(k):
        round_ = left * weights
        whole = round_.sum(axis=1, keepdims=True)
        round_ = np.divide(round_, whole, out=np.zeros_like(round_), where=whole > 0)
        chances = (chances[:, np.newaxis] * round_).ravel()
        left = (left[:, np.newaxis, :] - np.eye(len(sizes))).reshape(-1, len(sizes))
        left = np.maximum(left, 0.0)
    return chances


def _delta(chances: tuple[Floats, Floats], total: float) -> float:
    """The δ of two laws at an ε, of both directions the larger."""
    p, q = chances
    ratio = math.exp(total)
    return max(float(np.maximum(a - ratio * b, 0.0).sum()) for a, b in ((p, q), (q, p)))
