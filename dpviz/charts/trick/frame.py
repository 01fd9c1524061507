"""The frames of the lesson on the trick: paths of noise, heaps of runs, right guesses."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.threads_frame import GAUSSIAN, RIGHT, SD, VALUE
from dpviz.charts.tidy import Floats
from dpviz.palette import TierStyle

STRAND = "strand"
STRANDS = (STRAND, SD, VALUE)
ORDER, PLACE, RUNS = "order", "place", "runs"
HEAPS = (ORDER, PLACE, RUNS)
THEORY = "theory"  # in place of an order: the exact distribution
WHAT = "what"
LIMITS = (WHAT, RIGHT, "slot", "symbol")
BINS, REACH = 35, 3.5  # of a heap; standard deviations to each side


def strands_frame(
    paths: Iterable[Mapping[float, float]], sharp: float = 0.0, blurred: float = np.inf
) -> pd.DataFrame:
    """Paths of noise, number by number; columns strand, sd, value.

    Args:
        paths: each has the number at every noise level; level 0 is the truth.
        sharp: least standard deviation that is shown.
        blurred: the largest one.

    >>> strands_frame([{0.0: 312.0, 4.0: 310.5, 9.0: 309.0}], blurred=2.0)["value"].tolist()
    [312.0, 310.5]
    """
    close = 1e-9
    rows = [
        (strand, np.sqrt(level), path[level])
        for strand, path in enumerate(paths)
        for level in sorted(path)
        if sharp - close <= np.sqrt(level) <= blurred + close
    ]
    return pd.DataFrame(rows, columns=list(STRANDS))


def heaps_frame(runs: Mapping[str, Floats], middle: float, level: float) -> pd.DataFrame:
    """How many runs land where, by order of asking, and how many theory expects there.

    Columns: order ("theory" last), place (middle of a bin), runs. Runs beyond the outer bins are
    counted in no bin.

    Args:
        runs: the numbers of each order, equally many.
        middle: of the exact distribution.
        level: its noise level, a variance.

    Raises:
        ParameterError: the level is not above 0.

    >>> frame = heaps_frame({"one": np.array([0.0, 0.1])}, 0.0, 1.0)
    >>> int(frame.loc[frame["order"] == "one", "runs"].sum())
    2
    """
    checks.positive(level=level)
    reach = REACH * np.sqrt(level)
    edges = np.linspace(middle - reach, middle + reach, BINS + 1)
    places = (edges[:-1] + edges[1:]) / 2
    parts = [
        pd.DataFrame({ORDER: order, PLACE: places, RUNS: np.histogram(x, edges)[0].astype(float)})
        for order, x in runs.items()
    ]
    count = max(len(x) for x in runs.values())
    dense = GAUSSIAN.density(places - middle, level) * (edges[1] - edges[0])
    parts.append(pd.DataFrame({ORDER: THEORY, PLACE: places, RUNS: count * dense}))
    return pd.concat(parts, ignore_index=True)


def limits_frame(rows: Sequence[tuple[str, float, TierStyle]]) -> pd.DataFrame:
    """How many of 1,000 guesses are right, row by row; columns what, right, slot, symbol.

    Args:
        rows: who knows what, the budget of all that, and the look of the bar.

    >>> limits_frame([("audit", 0.4, TierStyle(11, 3))])["right"].round().tolist()
    [673.0]
    """
    return pd.DataFrame(
        [(what, gaussian_right_guesses(rho), look.slot, look.symbol) for what, rho, look in rows],
        columns=list(LIMITS),
    )
