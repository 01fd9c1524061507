"""What every figure asks of its frame: columns by name, and the tiers in it with their looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.errors import ParameterError
from dpviz.figures.palette import TierStyle
from dpviz.figures.words import plain


@dataclass(frozen=True)
class Tier:
    """One tier of a frame: its name as it stands there, its style and its rows."""

    key: Any
    style: TierStyle
    rows: pd.DataFrame

    @property
    def name(self) -> str:
        """The name, safe in a figure."""
        return plain(self.key, 40)

    def short(self, limit: int = 24) -> str:
        """The name as a label: at most so many letters wide, safe in a figure."""
        return plain(self.key, limit)


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


def tiers(frame: pd.DataFrame) -> list[Tier]:
    """The tiers of a frame in order of appearance; each has one slot and one symbol.

    Columns: tier, slot, symbol.
    """
    return list(_tiers(frame))


def _tiers(frame: pd.DataFrame) -> Iterator[Tier]:
    for key, rows in frame.groupby("tier", sort=False, dropna=False):
        first = rows.iloc[0]
        yield Tier(key, TierStyle(int(first["slot"]), int(first["symbol"])), rows)


def half_widths(rows: pd.DataFrame) -> NDArray[np.float64]:
    """The column half_width as floats; whatever is no finite number becomes NaN: no guarantee."""
    half: NDArray[np.float64] = rows["half_width"].to_numpy(float, copy=True)
    half[~np.isfinite(half)] = np.nan
    return half


def extent(frame: pd.DataFrame, exact: pd.DataFrame | None = None) -> tuple[float, float]:
    """Least and largest number that has to be seen, intervals included.

    Columns: value, half_width; of `exact`: value.

    >>> extent(pd.DataFrame({"value": [5.0, 9.0], "half_width": [7.0, float("nan")]}))
    (-2.0, 12.0)
    """
    value, half = frame["value"].to_numpy(float), np.nan_to_num(half_widths(frame))
    ends = [value - half, value + half]
    if exact is not None:
        ends.append(exact["value"].to_numpy(float))
    seen = np.concatenate(ends)
    return float(seen.min()), float(seen.max())
