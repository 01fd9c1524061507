"""What every figure asks of its frame: columns by name, and the tiers in it with their looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.words import plain
from dpviz.workspace.facts import shortened

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tier:
    """One tier of a frame: its name as in the frame, its style and its rows."""

    key: Any
    style: TierStyle
    rows: pd.DataFrame

    @property
    def name(self) -> str:
        """The name, safe in a figure."""
        return self.short(40)

    def short(self, limit: int = 24) -> str:
        """The name as a label: at most `limit` letters wide, safe in a figure."""
        return plain(shortened(str(self.key), limit), limit)


def require_columns(frame: pd.DataFrame, *names: str) -> None:
    """Refuse a frame that lacks one of these columns, or that has no row to draw.

    Raises:
        ParameterError: says which columns are missing.

    >>> require_columns(pd.DataFrame({"x": [1]}), "x", "y")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: the frame lacks y: pass one with the columns x, y
    """
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise ParameterError(
            f"the frame lacks {', '.join(missing)}: pass one with the columns {', '.join(names)}"
        )
    if frame.empty:
        raise ParameterError("the frame has no rows: show the empty state of the page instead")


def completed(frame: pd.DataFrame, **usual: Any) -> pd.DataFrame:
    """A frame with the usual value in each column that it lacks.

    >>> completed(pd.DataFrame({"x": [1], "y": [2]}), y=0, z=0).values.tolist()
    [[1, 2, 0]]
    """
    return frame.assign(**{name: usual[name] for name in usual if name not in frame.columns})


def tiers(frame: pd.DataFrame) -> list[Tier]:
    """The tiers of a frame in order of appearance; each has one style.

    Columns: tier, style.
    """
    return list(_tiers(frame))


def _tiers(frame: pd.DataFrame) -> Iterator[Tier]:
    for key, rows in frame.groupby("tier", sort=False, dropna=False, observed=True):
        yield Tier(key, rows["style"].iloc[0], rows)


def half_widths(rows: pd.DataFrame) -> Floats:
    """The column half_width as floats; what is not a finite number becomes NaN: no guarantee."""
    half: Floats = rows["half_width"].to_numpy(float, copy=True)
    half[~np.isfinite(half)] = np.nan
    return half


@dataclass(frozen=True)
class Intervals:
    """Released values with the interval around each, shape (marks,) all three.

    NaN as a value: too little was released to tell, and then there is no interval either. NaN as
    the ends beside a value: no guarantee.
    """

    value: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        value, low, high = (np.nan_to_num(x) for x in (self.value, self.low, self.high))
        checks.arrays(1, value=value, low=low, high=high)

    @classmethod
    def of(cls, rows: pd.DataFrame) -> "Intervals":
        """Columns value, low, high; one with an end that is not finite is left out."""
        value, low, high = (rows[name].to_numpy(float) for name in ("value", "low", "high"))
        known = np.isfinite(value)
        sure = known & np.isfinite(low) & np.isfinite(high)
        return cls(
            *(np.where(a, x, np.nan) for a, x in ((known, value), (sure, low), (sure, high)))
        )

    def at(self, places: NDArray[np.intp]) -> "Intervals":
        """Those at some places, in that order."""
        return Intervals(self.value[places], self.low[places], self.high[places])

    @property
    def half(self) -> Floats:
        """Half the width of each interval."""
        return (self.high - self.low) / 2

    @property
    def common_half(self) -> float:
        """Half the width around all that can be told, NaN if widths differ or one is missing.

        >>> Intervals(np.array([5.0, 9.0]), np.array([4.0, 7.0]), np.array([6.0, 9.0])).common_half
        1.0
        """
        half = self.half[np.isfinite(self.value)]
        if len(half) == 1:  # one mark of a ruler, and there are hundreds
            return float(half[0]) if np.isfinite(half[0]) else float("nan")
        if not len(half) or not np.isfinite(half).all() or np.ptp(half) > self._dust:
            return float("nan")
        return float(np.median(half))

    @property
    def centred(self) -> NDArray[np.bool_]:
        """Whether each value is in the middle of its interval."""
        return np.abs((self.low + self.high) / 2 - self.value) <= self._dust

    @property
    def _dust(self) -> float:
        """What rounding may leave of a difference that is 0."""
        far, half = (np.nan_to_num(x) for x in (np.abs([self.low, self.high]), self.half))
        return 1e-12 * float(far.max(initial=0.0)) + 1e-6 * float(half.max(initial=0.0))


def extent(frame: pd.DataFrame, exact: pd.DataFrame | None = None) -> tuple[float, float]:
    """Least and largest number that has to be seen, intervals included; (0, 0) without numbers.

    Columns: value, low, high; of `exact`: value.

    >>> extent(pd.DataFrame({"value": [5.0, 9.0], "low": [-2.0, 8.0], "high": [12.0, 9.5]}))
    (-2.0, 12.0)
    """
    marks = Intervals.of(frame)
    ends = [marks.value, marks.low, marks.high]
    if exact is not None:
        ends.append(exact["value"].to_numpy(float))
    seen = np.concatenate(ends)
    seen = seen[np.isfinite(seen)]
    return (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 0.0)
