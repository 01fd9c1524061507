"""Statistical checks with teeth: each accepts the law and rejects its near misses.

`broken_promises` is the one checker of joint laws. It is used on every family, where it must find
nothing, and on the specimens of `tests/law/specimens.py`, where it must find something.

The level is so small because the full run asks about 100,000 questions (3 families, 24 orders, some
60 statistics, 20 seeds): at 1e-7 all true laws pass together with probability 0.99. With the draws
below a scale wrong by 10 % is still seen at that level: its Kolmogorov distance is 0.0175 for
Laplace, 4.3 in units of 1/sqrt(DRAWS), where 2.9 rejects.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy import special, stats

from dpviz.noise import Family
from tests import oracles_noise

DRAWS = 60_000
LEVEL = 1e-7
MISS = 0.1
WIDE = 6.0  # standard errors; the normal tail beyond is 2e-9, which leaves room for skewness
CELL = 25  # least expected number in a cell of a chi-square test

Cdf = Callable[[Any], Any]


def kolmogorov_pvalue(sample: np.ndarray, cdf: Cdf) -> float:
    """Kolmogorov-Smirnov test of a continuous law, with the limit law (fine for n > 1e4)."""
    n = sample.size
    chance = cdf(np.sort(sample))
    rank = np.arange(n + 1) / n
    distance = max((rank[1:] - chance).max(), (chance - rank[:-1]).max())
    return float(special.kolmogorov(np.sqrt(n) * distance))


def chi_square_pvalue(sample: np.ndarray, cdf: Cdf) -> float:
    """Chi-square test of a law on the integers, cells pooled until `CELL` are expected in each.

    Cells end at the numbers of `grid`, these included; 5,000 of them if the sample is wide.
    """
    n = sample.size
    ends_at_most = min(5000, int(sample.max() - sample.min()) + 2)
    grid = np.unique(np.linspace(sample.min() - 1, sample.max(), ends_at_most).round())
    below = n * cdf(grid)
    ends, expected, reached = [], [], 0.0
    for end, total in zip(grid, below, strict=True):
        if total - reached >= CELL and n - total >= CELL:
            ends.append(end)
            expected.append(total - reached)
            reached = total
    expected.append(n - reached)
    up_to = np.searchsorted(np.sort(sample), ends, side="right")
    seen = np.diff(up_to, prepend=0, append=n)
    statistic = ((seen - expected) ** 2 / np.array(expected)).sum()
    return float(stats.chi2.sf(statistic, len(expected) - 1))


def law_of(first: int, masses: Iterable[Any]) -> Cdf:
    """The law of whole numbers from `first` on that are as likely as these masses are large."""
    reached = np.cumsum([0.0, *map(float, masses)])
    return lambda x: reached[np.clip(np.floor(x).astype(int) + 1 - first, 0, reached.size - 1)]


def law_pvalue(sample: np.ndarray, family: Family, level: float, stretch: float = 1.0) -> float:
    """Does noise follow the law of its family, or that law with its scale times `stretch`?"""
    if family.integer:
        return chi_square_pvalue(sample, lambda x: family.cdf(x, level * stretch))
    return kolmogorov_pvalue(sample, lambda x: family.cdf(x / stretch, level))


def assert_law(sample: np.ndarray, family: Family, level: float) -> None:
    """The law is accepted, and the laws 10 % wider and narrower are rejected."""
    assert law_pvalue(sample, family, level) > LEVEL
    assert law_pvalue(sample, family, level, 1 + MISS) < LEVEL
    assert law_pvalue(sample, family, level, 1 - MISS) < LEVEL


class _Row:
    """A row that is sorted once for all pairs that it is in."""

    def __init__(self, values: np.ndarray) -> None:
        self.order = np.argsort(values)
        rising = values[self.order]
        self.middle = rising[[(values.size - 1) // 2, values.size // 2]].mean()
        self.last = np.flatnonzero(np.append(rising[1:] != rising[:-1], True))  # of its equals
        large = values > self.middle  # or on it, where none is above
        self.large = large if large.any() else values == self.middle


def _split_pvalue(large: np.ndarray, row: _Row) -> float:
    """Two-sample Kolmogorov-Smirnov test of a row, split by whether another one is large.

    The same distance as that of `scipy.stats.ks_2samp`.
    """
    ones = int(large.sum())
    others = large.size - ones
    if not others:  # it never varies: nothing can depend on it
        return 1.0
    above = np.cumsum(large[row.order], dtype=np.int32)[row.last]
    below = row.last + 1 - above
    distance = float(np.abs(above / ones - below / others).max())
    size = ones * others / large.size
    if size > 1e4:  # else the limit law is not near enough
        return float(special.kolmogorov(np.sqrt(size) * distance))
    return float(stats.kstwo.sf(distance, round(size)))


def atom_pvalue(sample: np.ndarray, mass: float) -> float:
    """Is the share of exact zeros the mass of the atom?"""
    zeros = int((sample == 0).sum())
    if mass == 0:
        return float(zeros == 0)
    fewer = special.bdtr(zeros, sample.size, mass)
    return 2 * float(min(fewer, special.bdtrc(zeros - 1, sample.size, mass)))


def broken_promises(family: Family, levels: Sequence[float], noise: np.ndarray) -> list[str]:
    """Everything that is wrong with noise drawn at ascending levels, shape (levels, draws)."""
    return list(_broken(family, levels, noise))


def is_broken(family: Family, levels: Sequence[float], noise: np.ndarray) -> bool:
    """Whether `broken_promises` finds anything; it looks no further than the first."""
    return next(_broken(family, levels, noise), None) is not None


def _broken(family: Family, levels: Sequence[float], noise: np.ndarray) -> Iterator[str]:
    checks = (_moments, _laws, _steps, _independence)
    return (found for check in checks for found in check(family, levels, noise))


def _moments(family: Family, levels: Sequence[float], noise: np.ndarray) -> Iterator[str]:
    """Means; and every covariance, which is the variance of the less noisy of the two."""
    centred = noise - np.array([[family.mean(level)] for level in levels])
    for level, row in zip(levels, centred, strict=True):
        if _errors_away(row, 0.0) > WIDE:
            yield f"mean at {level}"
    for (low, less), (high, more) in _pairs(levels, centred):
        if _errors_away(less * more, family.variance(low)) > WIDE:
            yield f"covariance of {low} and {high}"


def _laws(family: Family, levels: Sequence[float], noise: np.ndarray) -> Iterator[str]:
    """Marginal laws, and whole numbers where they are promised."""
    if family.integer != (noise.dtype.kind == "i"):
        yield "dtype"
    for level, row in zip(levels, noise, strict=True):
        if law_pvalue(row, family, level) < LEVEL:
            yield f"law at {level}"


def _steps(family: Family, levels: Sequence[float], noise: np.ndarray) -> Iterator[str]:
    """Each step from one level to a noisier one: the mass of its atom, and its law."""
    for (low, less), (high, more) in _pairs(levels, noise):
        step = more - less
        if low == high:
            continue
        if atom_pvalue(step, oracles_noise.atom_mass(family.name, low, high)) < LEVEL:
            yield f"atom between {low} and {high}"
        cdf = oracles_noise.step_law(family, low, high)
        moved = step if family.integer else step[step != 0]
        test = chi_square_pvalue if family.integer else kolmogorov_pvalue
        if moved.size and test(moved, cdf) < LEVEL:
            yield f"law of the step from {low} to {high}"


def _independence(_: Family, levels: Sequence[float], noise: np.ndarray) -> Iterator[str]:
    """Steps are independent of each other, in value, in size, and in whether they are zero."""
    steps = np.diff(noise, axis=0, prepend=np.zeros_like(noise[:1]))
    zeros = [(step == 0).astype(float) for step in steps]
    values = [_Row(step) for step in steps]
    sizes = [_Row(np.abs(step - row.middle)) for step, row in zip(steps, values, strict=True)]
    for i, j in combinations(range(len(steps)), 2):
        where = f"of the steps to {levels[i]} and {levels[j]}"
        if _split_pvalue(values[i].large, values[j]) < LEVEL:
            yield f"independence {where}"
        if _split_pvalue(sizes[i].large, sizes[j]) < LEVEL:
            yield f"independence of the sizes {where}"
        product = (zeros[i] - zeros[i].mean()) * (zeros[j] - zeros[j].mean())
        if product.any() and _errors_away(product, 0.0) > WIDE:
            yield f"independence of the atoms {where}"


def _pairs(levels: Sequence[float], rows: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """All pairs of (level, row), less noisy first, each row with itself included."""
    named = list(zip(levels, rows, strict=True))
    yield from ((one, other) for i, one in enumerate(named) for other in named[i:])


def _errors_away(sample: np.ndarray, mean: float) -> float:
    """How many standard errors the average lies from the mean it should have."""
    away = abs(sample.mean() - mean)
    return float(away / (sample.std() / np.sqrt(sample.size))) if away else 0.0
