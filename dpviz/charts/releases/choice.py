"""Which of many groups to show: searched, ordered by what one tier holds, the surest and the least.

Everything here reads the released numbers of a frame and nothing else, so an order or a choice
tells no more than the release of the least private tier in it.
"""

from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.checks import whole
from dpviz.errors import ParameterError

Order = Literal["list", "largest", "smallest", "name", "least certain"]
ORDERS: tuple[Order, ...] = get_args(Order)


def pick_groups(
    frame: pd.DataFrame, *, search: str = "", order: Order = "list", show: int = 20
) -> pd.DataFrame:
    """The rows of the first `show` groups that the search finds, in the order asked for.

    Every tier's rows stay, in the order of the frame; within a tier the groups run as ordered. A
    group that the least private tier cannot tell is last, and first where the least certain come
    first.

    Args:
        frame: columns `RELEASE`.
        search: plain text that the name of a group contains, in small or capital letters.
        order: "list" keeps the order of the frame; "largest" and "smallest" go by the released
            value; "least certain" by half the interval relative to the value, the largest first.
            The numbers of the last tier decide, the least private one.
        show: how many groups, at least 1.

    Returns:
        Rows of the frame; none if the search finds nothing.

    Raises:
        ParameterError: if there is no such order, or `show` is not at least 1.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "tier": "x", "value": [1.0, 9.0],
    ...     "low": [0.0, 8.0], "high": [2.0, 10.0]})
    >>> list(pick_groups(frame, order="largest")["group"])
    ['b', 'a']
    """
    whole(1, show=show)
    if order not in ORDERS:
        raise ParameterError(f"there is no such order: choose one of {', '.join(ORDERS)}")
    rows = frame if frame.empty else frame[frame["tier"] == frame["tier"].iloc[-1]]
    rows = _found(rows, search)
    keys = _keys(rows, order)
    ranked = rows if keys is None else rows.iloc[np.argsort(keys, kind="stable")]
    return _only(frame, ranked["group"].head(show))


def _found(rows: pd.DataFrame, search: str) -> pd.DataFrame:
    wanted = search.strip().casefold()
    if not wanted or rows.empty:
        return rows
    return rows[[wanted in str(group).casefold() for group in rows["group"]]]


def _keys(rows: pd.DataFrame, order: Order) -> NDArray[np.float64] | None:
    """Numbers by which to sort upwards; NaN sorts last. None: as they stand."""
    if order == "list" or rows.empty:
        return None
    if order == "name":
        folded = np.array([str(group).casefold() for group in rows["group"]])
        return np.asarray(np.unique(folded, return_inverse=True)[1], dtype=np.float64)
    if order == "least certain":
        return -_uncertainty(rows)
    value: NDArray[np.float64] = rows["value"].to_numpy(np.float64)
    return np.negative(value) if order == "largest" else value


def _uncertainty(rows: pd.DataFrame) -> NDArray[np.float64]:
    """Half of the interval over the size of the value; ∞ where there is nothing to relate to."""
    value, low, high = (rows[name].to_numpy(np.float64) for name in ("value", "low", "high"))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = (high - low) / 2 / np.abs(value)
    return np.where(np.isnan(relative), np.inf, relative)


def _only(frame: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """The rows of these groups, tier by tier as in the frame, in the order given."""
    place = {group: float(rank) for rank, group in enumerate(groups)}
    rank = frame["group"].map(place).to_numpy(np.float64)  # NaN: not among them
    tier = pd.factorize(frame["tier"])[0]
    kept = np.lexsort((rank, tier))
    return frame.iloc[kept[~np.isnan(rank[kept])]].reset_index(drop=True)
