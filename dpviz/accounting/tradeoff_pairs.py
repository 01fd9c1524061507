"""The best test between two discrete laws: trade-off curve, advantage, and several releases.

A pair holds the masses of the same outcomes without and with the person. By the lemma of Neyman
and Pearson the best test calls "in" the outcomes of the largest ratio in/out first, and splits the
last of them with a coin: the curve joins the points

    alpha_k = out mass of the k outcomes called "in"      beta_k = in mass of all others

by straight lines. Where the pair is not symmetric the other direction is another curve: swap the
two laws. Independent releases multiply their ratios; logs of ratios are rounded to a grid there,
which is a test that an attacker can really make, and misses the best one by the square of the grid.
Source: MATHEMATICS 5.6; Neyman and Pearson (1933).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft

from dpviz import checks
from dpviz.accounting.arrays import Floats, shaped
from dpviz.accounting.tradeoff import error_probabilities
from dpviz.errors import ParameterError

CELLS = 2**14  # of the grid of log ratios, over all that is likely
REACH = 10.0  # standard deviations that count as likely
SMALLEST = 1e-12  # width of that range


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Masses of the same outcomes without the person and with them, shape (n,) each.

    Each sums to 1, but for outcomes that are cut because they are too rare to matter.
    """

    out: Floats
    inside: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "out", checks.reals(out=self.out))
        object.__setattr__(self, "inside", checks.reals(inside=self.inside))
        if self.out.shape != self.inside.shape or self.out.ndim != 1 or self.out.size == 0:
            raise ParameterError(
                "a pair needs as many masses for one distribution as for the other, at least one"
            )
        for masses in (self.out, self.inside):
            if not np.all((masses >= 0) & (masses < math.inf)):
                raise ParameterError("masses must be finite numbers of at least 0")

    @property
    def swapped(self) -> "Pair":
        """The other direction: the same two laws, exchanged."""
        return Pair(self.inside, self.out)

    @property
    def log_ratio(self) -> Floats:
        """The log of in/out for every outcome; infinite where one law alone has mass."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(self.inside) - np.log(self.out)
        return np.asarray(np.where(np.isnan(ratio), 0.0, ratio), dtype=np.float64)


def pair_trade_off(pair: Pair, alpha: ArrayLike) -> Any:
    """Least type II error of a test between two discrete laws, randomised where it must be.

    Args:
        pair: the masses of the outcomes.
        alpha: type I errors, between 0 and 1.

    Returns:
        beta, a float or an array of the shape of alpha.

    Raises:
        ParameterError: an alpha lies outside 0 to 1.

    Source: Neyman and Pearson (1933).

    >>> coin = Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75]))
    >>> pair_trade_off(coin, [0.0, 0.25, 0.5, 1.0]).round(6)
    array([1.      , 0.25    , 0.166667, 0.      ])
    """
    checks.instance(Pair, pair=pair)
    errors = error_probabilities(alpha)
    alphas, betas = _corners(pair)
    first = np.flatnonzero(alphas == 0)[-1]  # outcomes that "out" never has cost no false alarm
    found = np.interp(errors, alphas[first:], betas[first:])
    return shaped(np.asarray(found, dtype=np.float64))


def pair_advantage(pair: Pair) -> float:
    """Largest 1 - alpha - beta between two discrete laws: their total variation distance.

    Raises:
        ParameterError: it is no pair.

    >>> pair_advantage(Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75])))
    0.5
    """
    checks.instance(Pair, pair=pair)
    return float(np.sum(np.maximum(pair.inside - pair.out, 0.0)))


def _corners(pair: Pair) -> tuple[Floats, Floats]:
    """Corners of the curve, from the test that never says "in" to the one that always does."""
    ratio = pair.log_ratio
    order = np.argsort(-ratio, kind="stable")
    alphas = np.concatenate([[0.0], np.cumsum(pair.out[order]), [1.0]])
    hit = np.concatenate([[0.0], np.cumsum(pair.inside[order]), [1.0]])
    return np.minimum(alphas, 1.0), np.clip(1 - hit, 0.0, 1.0)


def joint_pair(pairs: Sequence[tuple[Pair, int]]) -> Pair:
    """All that independent releases say, as one pair over a grid of log ratios.

    Args:
        pairs: pairs, each with the number of independent releases that have its laws.

    Returns:
        A pair with about CELLS outcomes, ordered by their ratio. Its test is one that can be made,
        so its curve is never below the best; it lies above by the square of the grid's width.

    Raises:
        ParameterError: there is no pair.

    >>> coin = Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75]))
    >>> round(pair_advantage(joint_pair([(coin, 3)])), 6)  # 2 of 3 decide: 27/32 - 5/32
    0.6875
    """
    pairs = [_counted(each) for each in checks.listed(pairs=pairs)]
    if not pairs:
        raise ParameterError("a test needs a release to look at; pass at least one pair")
    low, high = _likely(pairs)
    width = max(high - low, SMALLEST) / CELLS
    size = next_fast_len(CELLS + 3, real=True)
    first = math.floor(low / width) - 1
    out, inside = (_summed(pairs, width, first, size, law) for law in ("out", "inside"))
    # What is missing is certain: one law alone has it.
    sure_out, sure_in = (max(1 - float(law.sum()), 0.0) for law in (out, inside))
    return Pair(np.r_[sure_out, out, 0.0], np.r_[0.0, inside, sure_in])


def _counted(each: tuple[Pair, int]) -> tuple[Pair, int]:
    """A pair and its number of releases, checked."""
    if not isinstance(each, tuple | list) or len(each) != 2:
        raise ParameterError("pairs must hold pairs with their number, for example [(pair, 2)]")
    checks.instance(Pair, pair=each[0])
    return each[0], checks.integer(1, count=each[1])


def _likely(pairs: Sequence[tuple[Pair, int]]) -> tuple[float, float]:
    """Where nearly all sums of log ratios lie, under both laws."""
    ends = []
    for sign, law in ((-1, "out"), (1, "inside")):
        edge, mean, variance = 0.0, 0.0, 0.0
        for pair, count in pairs:
            ratio, mass = _finite(pair, law)
            mean += count * float(mass @ ratio)
            variance += count * float(mass @ (ratio - mass @ ratio) ** 2)
            edge += count * float(ratio.max() if sign > 0 else ratio.min())
        ends.append(sign * min(sign * mean + REACH * math.sqrt(variance), sign * edge))
    return min(ends[0], ends[1]), max(ends[0], ends[1])


def _finite(pair: Pair, law: str) -> tuple[Floats, Floats]:
    """Log ratios and masses of the outcomes that both laws have."""
    kept = (pair.out > 0) & (pair.inside > 0)
    if not kept.any():
        raise ParameterError(
            "distributions without a common outcome need no test: any outcome tells them apart"
        )
    mass = pair.out if law == "out" else pair.inside
    return pair.log_ratio[kept], mass[kept]


def _summed(
    pairs: Sequence[tuple[Pair, int]], width: float, first: int, size: int, law: str
) -> Floats:
    """Masses of the sums of rounded log ratios; the grid index `first` comes first."""
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    for pair, count in pairs:
        ratio, mass = _finite(pair, law)
        index = np.rint(ratio / width).astype(np.int64) % size
        spectrum *= rfft(np.bincount(index, mass, size)) ** count
    return np.asarray(np.maximum(np.roll(irfft(spectrum, size), -(first % size)), 0.0))
