"""The best membership test of all that one person moves; simulated attackers are held against it.

A person moves several coordinates, each of them with noise of its own, so the privacy losses add.
Gaussian noise has a closed form for any vector and any number of releases, Laplace noise for one
release of one coordinate (dpviz.accounting.tradeoff). All else is summed over outcomes: those of a
coordinate are exact, and the losses of several are convolved on a grid (`joint_pair`). The
likelihood ratio of Laplace and discrete Laplace noise is flat beyond 0 and the shift, so both tails
are one outcome each; tails of Poisson and Skellam noise are cut where less than 1e-15 is left. What
has more than `MOST_OUTCOMES` outcomes, and any other noise of real numbers, is put into cells.
Limits: `MOST_TOGETHER` coordinates in all releases together; beyond, only Gaussian noise is exact,
and callers have the bound of (ε, δ), `promised_trade_off`.
Source: MATHEMATICS 5.6.

The vector that one person moves: what a membership test of all numbers is a test of.

A query says which farthest moves one person can really make (`dpviz.queries.Query.moves`); by which
of them the person is found most easily depends on the noise, see
`dpviz.experiments.attack_tests.most_exposed`.
Source: MATHEMATICS 5.6.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz import checks
from dpviz.accounting import (
    Pair,
    gaussian_advantage,
    gaussian_trade_off,
    joint_pair,
    laplace_advantage,
    laplace_trade_off,
    pair_advantage,
    pair_trade_off,
)
from dpviz.errors import ParameterError
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Family
from dpviz.queries import Query


@dataclass(frozen=True, slots=True)
class Moved:
    """By how much one person moves the coordinates: (shift, number of coordinates), in steps.

    A negative shift makes a coordinate smaller. Under replacement the shifts are from the one
    person to the other.

    >>> moved = Moved(((1.0, 5), (-2.0, 1)))
    >>> moved.count, moved.l2, moved.largest
    (6, 3.0, 2.0)
    """

    shifts: tuple[tuple[float, int], ...]

    def __post_init__(self) -> None:
        for shift, count in self.shifts:
            checks.positive(shift=abs(checks.number(shift=shift)))
            checks.whole(1, count=count)
        if not self.shifts:
            raise ParameterError(
                "a person who moves nothing cannot be found; pass at least one shift"
            )

    @property
    def count(self) -> int:
        """Number of coordinates that move."""
        return sum(count for _, count in self.shifts)

    @property
    def largest(self) -> float:
        """Size of the largest shift."""
        return max(abs(shift) for shift, _ in self.shifts)

    @property
    def l2(self) -> float:
        """Euclidean length."""
        return math.sqrt(math.fsum(count * shift * shift for shift, count in self.shifts))


def moves_of(query: Query) -> tuple[Moved, ...]:
    """The farthest moves of a statistic that one person can make.

    Raises:
        ParameterError: the statistic is public: nobody moves it.

    >>> from dpviz.queries import Bounds, BoundedSum
    >>> moves_of(BoundedSum("cost", 0, 50, step=1, bounds=Bounds("id", rows_per_group=2)))
    (Moved(shifts=((100.0, 1),)),)
    """
    if not query.moves:
        raise ParameterError("nobody can move this statistic; choose another one")
    return tuple(map(Moved, query.moves))


Floats = NDArray[np.float64]
CELLS = 2000  # of continuous noise between 0 and what one person moves
MOST_OUTCOMES = 4000  # wider noise of whole numbers is taken at evenly spaced counts
MOST_TOGETHER = 10_000  # coordinates of all releases; the grid of more would be felt
TOLD_APART = Pair(np.array([1.0, 0.0]), np.array([0.0, 1.0]))


def can_be_summed(family: Family, levels: Sequence[float], moved: Moved) -> bool:
    """Whether the best test of these releases is computed here; else there is only a bound.

    >>> from dpviz.noise import FAMILIES
    >>> many = Moved(((1.0, 20_000),))
    >>> [can_be_summed(FAMILIES[name], [1.0], many) for name in ("gaussian", "laplace")]
    [True, False]
    """
    return family.shape == NORMAL or moved.count * len(levels) <= MOST_TOGETHER


def best_misses(family: Family, levels: Sequence[float], moved: Moved, alarms: ArrayLike) -> Floats:
    """Least share of misses at each share of false alarms, against independent releases.

    Args:
        family: a noise family.
        levels: noise level of every release; one level for a lossless coalition, its least.
        moved: by how much the person moves the coordinates; whole for whole-number noise.
        alarms: shares of false alarms, between 0 and 1.

    Raises:
        ParameterError: no level, too many coordinates, or a value out of range.

    >>> from dpviz.noise import FAMILIES
    >>> one, five = Moved(((1.0, 1),)), Moved(((1.0, 5),))
    >>> [best_misses(FAMILIES["laplace"], [2.0], m, [0.25]).round(4).item() for m in (one, five)]
    [0.5878, 0.3501]
    """
    if family.shape == NORMAL:
        return gaussian_trade_off(_mu(levels, moved), alarms)
    if _one_laplace(family, levels, moved):
        return laplace_trade_off(moved.largest / levels[0], alarms)
    misses: Floats = pair_trade_off(_joint(family, tuple(sorted(levels)), moved), alarms)
    return misses


def best_success(family: Family, levels: Sequence[float], moved: Moved) -> float:
    """Share of right guesses of the best test at even odds, against independent releases.

    Args:
        family: as in `best_misses`.
        levels: as in `best_misses`.
        moved: as in `best_misses`.

    Raises:
        ParameterError: as `best_misses`.

    >>> from dpviz.noise import FAMILIES
    >>> round(best_success(FAMILIES["gaussian"], [1.0], Moved(((1.0, 1),))), 4)
    0.6915
    """
    if family.shape == NORMAL:
        return (1 + gaussian_advantage(_mu(levels, moved))) / 2
    if _one_laplace(family, levels, moved):
        return (1 + laplace_advantage(moved.largest / levels[0])) / 2
    return (1 + pair_advantage(_joint(family, tuple(sorted(levels)), moved))) / 2


def most_exposed(family: Family, level: float, moves: Sequence[Moved]) -> Moved:
    """Of several moves that a person can make, the one by which one release shows them best.

    Where the best test of one of them cannot be summed, it is the longest.

    >>> from dpviz.noise import FAMILIES
    >>> apart, met = Moved(((50.0, 1), (-50.0, 1))), Moved(((80.0, 1),))
    >>> most_exposed(FAMILIES["laplace"], 100.0, (apart, met)) == met
    True
    """
    if len(moves) == 1:
        return moves[0]
    if family.shape == NORMAL or not all(can_be_summed(family, [level], m) for m in moves):
        return max(moves, key=lambda m: m.l2)
    return max(moves, key=lambda m: best_success(family, [level], m))


def _one_laplace(family: Family, levels: Sequence[float], moved: Moved) -> bool:
    plain = family.shape == DOUBLE_EXPONENTIAL and not family.integer
    return plain and moved.count == len(levels) == 1


def _mu(levels: Sequence[float], moved: Moved) -> float:
    return moved.l2 * math.sqrt(math.fsum(1 / level for level in levels))


@lru_cache(maxsize=64)  # pure mathematics of public numbers
def _joint(family: Family, levels: tuple[float, ...], moved: Moved) -> Pair:
    if not can_be_summed(family, levels, moved):
        raise ParameterError(
            f"the best test is summed over at most {MOST_TOGETHER:,} coordinates of all releases; "
            "pass fewer, or take the bound promised_trade_off"
        )
    pairs = [
        (outcomes(family, level, shift), releases * coordinates)
        for level, releases in Counter(levels).items()
        for shift, coordinates in moved.shifts
    ]
    if any(not ((pair.out > 0) & (pair.inside > 0)).any() for pair, _ in pairs):
        return TOLD_APART
    return pairs[0][0] if len(pairs) == pairs[0][1] == 1 else joint_pair(pairs)


def outcomes(family: Family, level: float, shift: float) -> Pair:
    """Masses of the outcomes of one coordinate of one release, without the shift and with it.

    Args:
        family: any but Gaussian noise, which has a closed form.
        level: of the release.
        shift: by how much the person moves the coordinate, not 0; below 0 if they make it smaller.

    Raises:
        ParameterError: no such outcomes, or a shift that whole-number noise cannot have.

    >>> from dpviz.noise import FAMILIES
    >>> pair = outcomes(FAMILIES["discrete_laplace"], 1.0, 1)
    >>> pair.out.round(4), pair.inside.round(4)  # at most 0, at least 1
    (array([0.7311, 0.2689]), array([0.2689, 0.7311]))
    """
    if family.shape == NORMAL:
        raise ParameterError(
            f"{family.label} noise has no outcomes to sum; use Poisson, for example"
        )
    if shift == 0 or (family.integer and shift != int(shift)):
        raise ParameterError("a person moves a whole number by a whole number, not 0; round up")
    if shift < 0:  # the same two laws, seen from the other one
        return outcomes(family, level, -shift).swapped
    if family.shape == DOUBLE_EXPONENTIAL:
        return _flat_beyond(family, level, shift)
    spread, mean = math.sqrt(family.variance(level)), family.mean(level)
    if not family.integer:
        edges = np.linspace(mean - 9 * spread, mean + 9 * spread + shift, MOST_OUTCOMES - 1)
        edges = np.concatenate([[-np.inf], edges, [np.inf]])
        out, inside = (np.maximum(np.diff(family.cdf(x, level)), 0) for x in (edges, edges - shift))
        return Pair(out, inside)
    reach = 9 * spread + 40
    if shift > 2 * reach:
        return TOLD_APART
    low, high = math.floor(mean - reach), math.ceil(mean + reach + shift)
    step = max(1, (high - low) // MOST_OUTCOMES)
    counts = np.arange(low, high + 1, step)
    out, inside = (
        np.asarray(family.density(x, level), dtype=float) for x in (counts, counts - int(shift))
    )
    return Pair(out / out.sum(), inside / inside.sum())


def _flat_beyond(family: Family, level: float, shift: float) -> Pair:
    """Flat ratios beyond both ends: all up to 0 is one outcome, all from `shift` another."""
    if not family.integer:
        edges = np.linspace(0, shift, CELLS + 1)
    elif shift <= MOST_OUTCOMES:
        edges = np.arange(shift)
    else:
        edges = np.unique(np.rint(np.linspace(0, shift - 1, MOST_OUTCOMES)))
    upto = np.concatenate([[0.0], np.asarray(family.cdf(edges, level), dtype=float), [1.0]])
    out = np.diff(upto)
    return Pair(out, out[::-1].copy())
