"""The numbers x of linear queries, what one person adds to them, and how far that moves R·x.

Numbers of people, or rows, and bounded sums per group are such numbers, in whole steps. A total
that is published beside its groups is left out: it is a question about them. A person is in at most
ℓ₀ groups and adds to each between ℓ∞ min(0, l) and ℓ∞ max(0, u) steps, where l and u are the clip
bounds in steps; 0 and 1 where people are counted.

So a person adds to at most ℓ₀ entries of x an amount in [low, high] each, 0 elsewhere. With
M = max(−low, high), W = max(0, high) − min(0, low) and rᵢ the columns of R, one group gives exactly

    add or remove   Δ = M · max ‖rᵢ‖
    replace one     Δ = the largest ‖a rᵢ − b rⱼ‖ with a and b among low, high and 0

because a norm is convex, so it is largest at an end of every amount. The 0 is somebody who counts
in no group: replacing one contains adding one. For more groups Δ₂ is exact as well where all
persons can be tried; else, and for replacing where the pairs of columns are too many, the least of
several upper bounds is taken; each says which one it is, and none is below the truth.
Limits: `MOST_NUMBERS` numbers, of which none is a mean: that is a sum divided by a number of rows.
Pairs and products of columns are formed up to `MOST_WORK` multiplications.
"""

import math
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from dpviz import checks
from dpviz.accounting.bounds import Stated
from dpviz.errors import ParameterError
from dpviz.linear.operators import MOST_ENTRIES, RightFactor, dense
from dpviz.noise import Array
from dpviz.queries import RELATIONS, BoundedSum, Count, Grid, Query, Relation

MOST_WORK = 30_000_000  # about 0.1 s
MOST_REPLACED, MOST_TRIED = 1500, 2_000_000  # persons of whom all pairs are tried; entries, if none
SLACK = 1 + 1e-12  # rounding of sums of squares, to the private side
Candidate = tuple[float, str]
MOST_NUMBERS = 400
Summed = Count | BoundedSum


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one person adds to x, and the two tables between which the guarantee holds.

    Attributes:
        groups: ℓ₀, entries of x that a person is in at most.
        low: least amount a person adds to one of them, at most 0 for sums that may fall.
        high: largest amount.
        relation: "add/remove" or "replace".

    Raises:
        ParameterError: if a number is out of range.

    >>> Contribution(groups=2, high=3.0).largest
    3.0
    """

    groups: int = 1
    low: float = 0.0
    high: float = 1.0
    relation: Relation = "add/remove"

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", checks.integer(1, groups=self.groups))
        for name in ("low", "high"):
            amount = checks.number(**{name: getattr(self, name)})
            checks.non_negative(**{name: abs(amount)})
            object.__setattr__(self, name, amount)
        if self.low > self.high or self.largest == 0:
            raise ParameterError(
                "low must not be above high, and one of them other than 0: pass what one person "
                "adds to a group at least and at most"
            )
        checks.one_of(RELATIONS, relation=self.relation)

    @property
    def largest(self) -> float:
        """M: most that one person adds to, or takes from, one entry."""
        return float(max(abs(self.low), abs(self.high)))

    @property
    def swapped(self) -> float:
        """W: most that one entry moves when a person takes another one's place."""
        return float(max(0.0, self.high) - min(0.0, self.low))

    @property
    def ends(self) -> tuple[float, ...]:
        """The amounts at which a convex function is largest: both ends and 0."""
        return tuple(sorted({min(0.0, self.low), max(0.0, self.high), 0.0}))

    @property
    def one_sided(self) -> bool:
        """Whether amounts are all of one sign."""
        return self.low >= 0 or self.high <= 0


@dataclass(frozen=True, slots=True)
class Moves:
    """How far one person moves R·x, in three norms, each with the rule that gave it."""

    l1: Stated
    l2: Stated
    linf: Stated


def moves(right: RightFactor, contribution: Contribution) -> Moves:
    """Sensitivities of R·x, exact where the module says so, otherwise upper bounds.

    >>> from dpviz.linear.operators import PrefixSums
    >>> found = moves(PrefixSums(4), Contribution())
    >>> found.l1.value, round(found.l2.value, 6), found.linf.value
    (4.0, 2.0, 1.0)
    """
    norms = right.column_norms()
    small = _small(right)
    l1 = _least(_candidates(right, contribution, norms.l1, small, 1))
    l2 = _least(_candidates(right, contribution, norms.l2, small, 2))
    linf = _linf(right, contribution, norms.linf, small)
    inner = right.shape[0]
    linf = _least([linf, (l2[0], l2[1])])
    l1 = _least([l1, (inner * linf[0], "inner dimension · Δ∞")])
    l2 = _least([l2, (l1[0], "Δ₁"), (np.sqrt(inner) * linf[0], "√(inner dimension) · Δ∞")])
    return Moves(_stated(l1, right), _stated(l2, right), _stated(linf, right))


def _stated(found: Candidate, right: RightFactor) -> Stated:
    """Rounded up by the last bits, unless whole."""
    value, method = found
    exact = right.whole and value == np.rint(value)
    return Stated(float(value if exact else value * SLACK), method)


def _least(candidates: list[Candidate]) -> Candidate:
    """The least of several upper bounds; the first one if they tie."""
    return min(candidates, key=lambda found: found[0])


def _small(right: RightFactor) -> Array | None:
    """All entries, if the pairs of columns are few enough to be looked at."""
    m, n = right.shape
    return dense(right) if m * n * n <= MOST_WORK and m * n <= MOST_ENTRIES else None


def _candidates(
    right: RightFactor, c: Contribution, norms: Array, small: Array | None, power: int
) -> list[Candidate]:
    """Upper bounds in ℓ₁ or ℓ₂; the first is exact for one group."""
    n = norms.size
    groups = min(c.groups, n)
    if power == 2 and groups > 1 and small is not None and _few(c, small, groups):
        return [_all_tried(c, small, groups)]
    if c.relation == "replace":
        one = _one_replaced(right, c, norms, small, power)
        if groups == 1:
            return [one]
        spread = (_greedy(norms, c.swapped, 2 * groups * c.largest), "Σ of the largest columns")
        bounds = [(groups * one[0], f"ℓ₀ · ({one[1]})"), spread]
        if power == 2 and c.one_sided and right.non_negative:
            whole = _several(c, norms, small, power, groups)
            bounds.append((np.sqrt(2) * whole[0], f"√2 · ({whole[1]})"))
        if power == 2 and small is not None:
            bounds.append(_several_replaced(c, small, groups))
        return bounds
    if groups == 1:
        return [(c.largest * norms.max(), "M · largest column norm")]
    return [_several(c, norms, small, power, groups)]


def _one_replaced(
    right: RightFactor, c: Contribution, norms: Array, small: Array | None, power: int
) -> Candidate:
    """One person with one group in place of another one."""
    alone = c.swapped * norms.max()
    if norms.size == 1:
        return alone, "W · column norm"
    if small is not None:
        return max(alone, _pairs(small, c, power)), "largest norm of a difference of two columns"
    first, second = np.sort(norms)[-2:] * c.largest
    if power == 2 and c.one_sided and right.non_negative:
        apart, words = np.hypot(first, second), "M · √(two largest squared column norms)"
    else:
        apart, words = first + second, "M · (sum of the two largest column norms)"
    return max(alone, apart), words


def _pairs(columns: Array, c: Contribution, power: int) -> float:
    """The largest ‖a rᵢ − b rⱼ‖ over pairs i ≠ j and ends a, b of the amounts."""
    largest = 0.0
    for a in c.ends:
        for b in c.ends:
            for i in range(columns.shape[1] - 1):
                rest = a * columns[:, i : i + 1] - b * columns[:, i + 1 :]
                sizes = np.abs(rest).sum(axis=0) if power == 1 else np.sqrt((rest**2).sum(axis=0))
                largest = max(largest, float(sizes.max()))
    return largest


def _several(
    c: Contribution, norms: Array, small: Array | None, power: int, groups: int
) -> Candidate:
    """One person with several groups more or less."""
    bounds = [(c.largest * _top(norms, groups), "M · (sum of the ℓ₀ largest column norms)")]
    if power == 2 and small is not None:
        products = small.T @ small
        sizes = np.maximum(products, 0.0) if c.one_sided else np.abs(products)
        own = np.diag(sizes).copy()
        np.fill_diagonal(sizes, -1.0)
        others = np.sort(sizes, axis=1)[:, ::-1][:, : groups - 1].sum(axis=1)
        squared = _top(own + others, groups)
        bounds.append((c.largest * np.sqrt(squared), "M · √(ℓ₀ × ℓ₀ largest column products)"))
    return _least(bounds)


def _few(c: Contribution, small: Array, groups: int) -> bool:
    """Whether all persons can be tried: their vectors, and pairs of them if one is replaced."""
    ends = len(c.ends) - 1  # without 0
    persons: int = sum(math.comb(small.shape[1], g) * ends**g for g in range(groups + 1))
    if c.relation == "replace":
        return persons <= MOST_REPLACED
    return bool(persons * max(small.shape) <= MOST_TRIED)


def _all_tried(c: Contribution, small: Array, groups: int) -> Candidate:
    """The largest move of all persons with several groups, the amounts at their ends: exact."""
    ends, images = [end for end in c.ends if end], [np.zeros((1, small.shape[0]))]
    columns = small.T.astype(np.float64)
    for count in range(1, groups + 1):
        chosen = np.array(list(combinations(range(len(columns)), count)))
        for amounts in product(ends, repeat=count):
            images.append(sum(a * columns[chosen[:, g]] for g, a in enumerate(amounts)))
    found = np.vstack(images)
    squares = (found**2).sum(axis=1)
    if c.relation == "replace":
        squares = squares[:, None] + squares - 2 * (found @ found.T)
    return float(np.sqrt(squares.max())), "the largest of all moves"


def _several_replaced(c: Contribution, small: Array, groups: int) -> Candidate:
    """One person with several groups in place of another one.

    At most ℓ₀ entries go up and ℓ₀ down if amounts have one sign, by at most M; else any 2ℓ₀ move
    by at most W. The products of columns are signed, so those that help two entries of one
    direction hinder two of opposite ones.
    """
    products = small.T @ small
    own = np.diag(products).copy()
    np.fill_diagonal(products, 0.0)
    if c.one_sided:
        alike, apart = np.maximum(products, 0.0), np.maximum(-products, 0.0)
        others = _row_top(alike, groups - 1, 1.0) + _row_top(apart, groups, 1.0)
    else:
        others = _row_top(np.abs(products), 2 * groups - 1, 1.0)
    squared = _top(own + others, 2 * groups)
    most, letter = (c.largest, "M") if c.one_sided else (c.swapped, "W")
    return most * np.sqrt(squared), f"{letter} · √(2ℓ₀ × 2ℓ₀ largest column products)"


def _linf(right: RightFactor, c: Contribution, norms: Array, small: Array | None) -> Candidate:
    """Δ∞: exact row by row where the entries can be looked at."""
    groups = min(c.groups, norms.size)
    if small is None:
        if c.relation == "replace" and not (c.one_sided and right.non_negative):
            spread = _greedy(norms, c.swapped, 2 * groups * c.largest)
            return spread, "Σ of the largest entries of columns"
        return c.largest * _top(norms, groups), "M · (sum of the ℓ₀ largest entries of columns)"
    up, down = (
        _row_top(pick(small * min(0.0, c.low), small * max(0.0, c.high)), groups, sign)
        for pick, sign in ((np.maximum, 1.0), (np.minimum, -1.0))
    )
    if c.relation == "replace":
        return float((up + down).max()), "largest move of an entry of R·x"
    return float(np.maximum(up, down).max()), "largest move of an entry of R·x"


def _row_top(entries: Array, groups: int, sign: float) -> Array:
    """Per row the most that `groups` entries can add up to in the direction of the sign."""
    largest: Array = np.sort(sign * entries, axis=1)[:, ::-1][:, :groups]
    return np.asarray(np.maximum(largest, 0.0).sum(axis=1))


def _greedy(norms: Array, most: float, total: float) -> float:
    """The most that Σ|vᵢ|‖rᵢ‖ can be with |vᵢ| at most `most` and Σ|vᵢ| at most `total`."""
    full = int(total // most)
    largest = np.sort(norms)[::-1]
    rest = (total - full * most) * largest[full] if full < norms.size else 0.0
    return float(most * largest[:full].sum() + rest)


def _top(numbers: Array, count: int) -> float:
    """Sum of the `count` largest."""
    return float(np.sort(numbers)[-count:].sum())


def numbers_of(query: Query) -> Summed:
    """The query whose values are x: the same without a published total.

    Args:
        query: a number of people or rows, or a bounded sum, per group.

    Raises:
        ParameterError: if it is a mean, or has more than `MOST_NUMBERS` numbers.

    >>> from dpviz.queries import ByColumn
    >>> numbers_of(Count(ByColumn("ward", ("A", "B")), total=True)).dimension
    2
    """
    if not isinstance(query, Count | BoundedSum):
        raise ParameterError(
            "linear queries add numbers up, and means do not add up; choose a number of people or "
            "a sum instead"
        )
    found = replace(query, total=False) if isinstance(query, Count) else query
    if found.dimension > MOST_NUMBERS:
        raise ParameterError(
            f"linear queries take up to {MOST_NUMBERS:,} numbers here, and this statistic has "
            f"{found.dimension:,}; choose fewer groups"
        )
    return found


def contribution_of(query: Summed) -> Contribution:
    """What one person adds to the values of a query, in steps.

    >>> from dpviz.queries import Bounds, ByColumn
    >>> wards = ByColumn("ward", ("A", "B", "C"))
    >>> visits = Bounds(person="id", groups_per_person=2, rows_per_group=5, relation="replace")
    >>> contribution_of(Count(wards, visits))
    Contribution(groups=2, low=0.0, high=5.0, relation='replace')
    >>> contribution_of(BoundedSum("euros", -10, 50, wards, visits, step=2))
    Contribution(groups=2, low=-25.0, high=125.0, relation='replace')
    """
    bounds, low, high = query.bounds, 0, 1
    if isinstance(query, BoundedSum):
        low, high = Grid(query.step).steps(np.array([query.lower, query.upper])).tolist()
    return Contribution(
        groups=bounds.groups_per_person,
        low=float(bounds.rows_per_group * min(0, low)),
        high=float(bounds.rows_per_group * max(0, high)),
        relation=bounds.relation,
    )
