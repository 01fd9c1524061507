"""Lists drawn many times: how often an item is missed, and how near the counts come.

Made-up lists on counts that may be shown, or simulated ones of a visitor's own: no release is made,
and what is drawn here is not one (the counts are known exactly while it is drawn).
Source: the comparison of [BCT20, Figure 6]; MATHEMATICS 13.1, 13.3.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.top_k.draws import by_gumbel
from dpviz.top_k.ranking import fit_in_order

MOST_DRAWS = 10**8  # repetitions × counts: some seconds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repetitions:
    """Lists of k items drawn r times, each array of shape (r, k); a list that ended is padded.

    Attributes:
        places: true place of each item, from 0; -1 beyond the end of a list.
        truth: exact counts of these items; NaN beyond the end, as below.
        values: the counts with noise.
        fitted: these fitted to the order of the list, and at least 0.
    """

    places: NDArray[np.int64]
    truth: NDArray[np.float64]
    values: NDArray[np.float64]
    fitted: NDArray[np.float64]

    def __post_init__(self) -> None:
        checks.arrays(2, least=-1, places=self.places)
        shown = self.places >= 0
        for name in ("truth", "values", "fitted"):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.shape != shown.shape:
                raise ParameterError(f"{name} must be an array of the shape of places")
        truth, values, fitted = (a[shown] for a in (self.truth, self.values, self.fitted))
        checks.arrays(1, truth=truth, values=values, fitted=fitted)

    @property
    def missed(self) -> NDArray[np.int64]:
        """How many of the true k most common items each list has not, shape (r,)."""
        k = self.places.shape[1]
        return np.asarray(k - ((self.places >= 0) & (self.places < k)).sum(axis=1))

    @property
    def wrongly_shown(self) -> NDArray[np.int64]:
        """How many items of each list are not among the true k most common ones, shape (r,)."""
        return np.asarray((self.places >= self.places.shape[1]).sum(axis=1))

    def error(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Root mean squared error at each place of the list, shape (k,); NaN where all had ended.

        Args:
            numbers: `values` or `fitted`.

        Raises:
            ParameterError: they are of another shape.
        """
        mean, deviation = self.spread(numbers)
        return np.asarray(np.hypot(mean, deviation))

    def spread(
        self, numbers: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation of the error at each place; NaN where all had ended.

        Args:
            numbers: `values` or `fitted`.

        Raises:
            ParameterError: they are of another shape.
        """
        if numbers.shape != self.places.shape:
            raise ParameterError("numbers must be values or fitted, of the shape of places")
        shown = self.places >= 0
        errors = np.where(shown, numbers - self.truth, 0.0)
        often = np.where(shown.any(axis=0), shown.sum(axis=0), np.nan)
        mean = errors.sum(axis=0) / often
        squares = np.where(shown, (errors - mean) ** 2, 0.0).sum(axis=0)
        return mean, np.sqrt(squares / often)


def repeated_lists(
    counts: Any,
    k: int,
    *,
    scale: float,
    family: Family,
    level: float,
    repetitions: int,
    rng: np.random.Generator,
    end: float | None = None,
) -> Repetitions:
    """Draw a list and its counts again and again, each time with new noise.

    Args:
        counts: exact counts, the largest first, shape (d,).
        k: length of the list, at most d.
        scale: of the Gumbel noise of the list.
        family: noise of the counts.
        level: its level.
        repetitions: how often.
        rng: generator of all noise.
        end: what ⊥ competes with, where lists can end.

    Raises:
        ParameterError: an argument is out of range, or counts do not fall.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> made = repeated_lists(
    ...     [60, 58, 57, 55, 9], 3, scale=2.0, family=FAMILIES["gaussian"], level=100.0,
    ...     repetitions=100, rng=streams.teaching(7),
    ... )
    >>> bool((made.error(made.fitted) < made.error(made.values)).all())
    True
    """
    exact, k, repetitions = _checked(counts, k, repetitions)
    checks.positive(scale=scale, level=level)
    checks.known(checks.positive, end=end)
    scores = exact if end is None else np.append(exact, end)
    places = np.full((repetitions, k), -1, dtype=np.int64)
    for row in places:
        found = by_gumbel(scores, scale, k, rng=rng)
        found = found[: found.index(exact.size)] if exact.size in found else found
        row[: len(found)] = found
    noise = family.extend(np.zeros(places.size, dtype=np.int64), 0.0, level, rng=rng)
    return _fitted(exact, places, (noise - family.mean(level)).reshape(places.shape))


def _checked(counts: Any, k: int, repetitions: int) -> tuple[NDArray[np.float64], int, int]:
    exact = checks.reals(counts=counts)
    checks.arrays(1, least=0, counts=exact)
    k, repetitions = checks.integer(1, k=k), checks.integer(1, repetitions=repetitions)
    if exact.size * repetitions > MOST_DRAWS:
        raise ParameterError(f"counts × repetitions must be at most {MOST_DRAWS:.0e}; pass fewer")
    if k > exact.size or (np.diff(exact) > 0).any():
        raise ParameterError("counts must fall, and k be no more than they are")
    return exact, k, repetitions


def _fitted(
    exact: NDArray[np.float64], places: NDArray[np.int64], noise: NDArray[np.float64]
) -> Repetitions:
    """The counts of these lists with this noise, and fitted to the order of each."""
    truth = np.where(places >= 0, exact[places], np.nan)
    values = truth + noise
    fitted = np.full(places.shape, np.nan)
    for row, numbers, shown in zip(fitted, values, places >= 0, strict=True):
        row[shown] = fit_in_order(numbers[shown], non_negative=True)
    return Repetitions(places=places, truth=truth, values=values, fitted=fitted)
