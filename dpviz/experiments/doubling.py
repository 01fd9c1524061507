"""Sharpening on one path against starting again at twice the budget: what each had to pay.

Both look at the same levels, each half as noisy as the one before, and stop by the same rule. The
path pays for its last release. Who starts again has all releases with noise of their own, so their
losses add: doubling pays less than twice what its last release costs, and never less than that.
Source: Ligett, Neel, Roth, Waggoner and Wu (2017); MATHEMATICS 5.13.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting.levels import laplace_epsilon
from dpviz.noise import ADDITIVE
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.release.sharpening import Rule, sharpen

COLUMNS = ("run", "way", "level", "epsilon", "met")
SHARPEN, DOUBLING = "one path", "start again"


def halved(first: float, steps: int) -> list[float]:
    """Levels, each half as noisy as the one before.

    Raises:
        ParameterError: the first is not above 0, or there is none.

    >>> halved(64.0, 4)
    [64.0, 32.0, 16.0, 8.0]
    """
    checks.positive(first=first)
    checks.whole(1, steps=steps)
    return [first / 2**step for step in range(steps)]


def compare(
    values: Sequence[float],
    first: float,
    steps: int,
    enough: Rule,
    *,
    runs: int,
    rng: np.random.Generator,
    sensitivity: Sensitivity | None = None,
) -> pd.DataFrame:
    """What both ways pay in every run, with Laplace noise.

    Args:
        values: the exact values, in steps.
        first: scale of the first release.
        steps: how many releases are on offer.
        enough: the rule that stops both.
        runs: how many times, with new noise.
        rng: the generator of its noise, of practice.
        sensitivity: of the values; None: one person moves one of them by 1.

    Returns:
        Columns `COLUMNS`, two rows for each run; `epsilon` is what the outcome costs, in nats.

    Raises:
        ParameterError: an argument is out of range.

    >>> from dpviz import streams
    >>> from dpviz.release.sharpening import relative
    >>> rng = streams.teaching(7)
    >>> found = compare([300.0], 64.0, 8, relative(0.1, 3.0), runs=20, rng=rng)
    >>> found.groupby("way")["epsilon"].median().round(4).to_dict()
    {'one path': 0.125, 'start again': 0.2344}
    """
    checks.whole(1, runs=runs)
    moved = sensitivity or Sensitivity.bounded(1)
    levels, laplace, rows = halved(first, steps), ADDITIVE["laplace"], []
    exact = np.asarray(values, dtype=np.float64)
    for run in range(runs):
        session = MultipleRelease(exact, laplace, rng=rng)
        found = sharpen(session, levels, enough, sensitivity=moved)
        rows.append((run, SHARPEN, found.level, found.loss.epsilon, found.met))
        paid = 0.0
        for level in levels:
            paid += laplace_epsilon(level, moved.l1)
            met = enough(MultipleRelease(exact, laplace, rng=rng).release(level), level)
            if met:
                break
        rows.append((run, DOUBLING, level, paid, met))
    return pd.DataFrame(rows, columns=list(COLUMNS))
