"""The frame of the meter "max, not sum"."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dpviz.workspace.held import Spent

METER = ("row", "tier", "start", "stop", "slot", "symbol", "label", "total", "letter")

EARLIER = "earlier sessions"


def meter_frame(
    spent: Sequence[Spent], *, letter: str, total: float, independent: Sequence[float]
) -> pd.DataFrame:
    """Segments of the meter "max, not sum"; columns `METER`.

    Args:
        spent: releases of the session in use, ascending, in the currency of the totals.
        letter: that currency, ρ or ε.
        total: loss of all sessions taken together; what is not of this session is earlier.
        independent: where each release would end if all were drawn independently, one after the
            other; first of all where the earlier sessions end.
    """
    before = _rest(total, max((s.loss for s in spent), default=0.0))
    nested = [(s, before, before + s.loss) for s in spent]
    chained = list(zip(spent, independent[:-1], independent[1:], strict=True))
    rows: list[tuple[Any, ...]] = []
    for row, segments, earlier, end in (
        ("lossless", nested, before, total),
        ("independent", chained, _rest(independent[0], 0.0), independent[-1]),
    ):
        if earlier > 0:
            rows.append((row, EARLIER, 0.0, earlier, 0, 0, EARLIER, end, letter))
        rows += [(row, s.name, a, b, s.slot, s.symbol, s.name, end, letter) for s, a, b in segments]
    return pd.DataFrame(rows, columns=list(METER))


def _rest(whole: float, part: float) -> float:
    """The difference, without the dust that rounding leaves."""
    return whole - part if whole - part > 1e-9 * whole else 0.0
