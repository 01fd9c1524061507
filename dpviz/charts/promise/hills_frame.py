"""How often each number would come up with some people in the table, and without them."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting import gaussian_right_guesses
from dpviz.accounting.group import group_rho
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.threads_frame import GAUSSIAN

PEOPLE, PLACE, WITH, WITHOUT, LOSS, RHO, RIGHT = (
    *("people", "place", "with", "without", "loss", "rho", "right"),
)
HILLS = (PEOPLE, PLACE, WITH, WITHOUT, LOSS)
REACH, POINTS = 3.4, 241  # standard deviations beyond the centres; points of a hill


def hills_frame(count: int, rho: float, groups: Sequence[int] = (1,)) -> pd.DataFrame:
    """For groups of people of whom all count, how often each number would come up.

    Columns: people (of the group), place (the number), with, without (densities with them in the
    table and without them), loss (the logarithm of their ratio).

    Args:
        count: with everybody.
        rho: budget for one person, who moves the count by 1.
        groups: how many people each group has.

    Raises:
        ParameterError: a group is empty, or the budget is not positive.

    >>> hills_frame(312, 0.1)[["with", "without"]].max().round(3).tolist()
    [0.178, 0.178]
    """
    level = gaussian_level(rho, 1.0)
    most = max(checks.integer(1, people=size) for size in groups)
    reach = REACH * math.sqrt(level)
    places = np.linspace(count - most - reach, count + reach, POINTS)
    parts = []
    for size in groups:
        here, away = (GAUSSIAN.density(places - count + gone, level) for gone in (0, size))
        columns = {PEOPLE: size, PLACE: places, WITH: here, WITHOUT: away}
        parts.append(pd.DataFrame(columns | {LOSS: np.log(here) - np.log(away)}))
    return pd.concat(parts, ignore_index=True)


def groups_frame(rho: float, groups: Sequence[int]) -> pd.DataFrame:
    """What the promise to one person is worth to a group, each of whom counts.

    Columns: people, rho (of the group), right (guesses right of 1,000 whether all are in).

    Args:
        rho: budget for one person.
        groups: how many people each group has.

    >>> groups_frame(0.1, (1, 2)).round(1).values.tolist()
    [[1.0, 0.1, 588.5], [2.0, 0.4, 672.6]]
    """
    rows = [(size, group_rho(rho, size)) for size in groups]
    return pd.DataFrame(
        [(size, joint, gaussian_right_guesses(joint)) for size, joint in rows],
        columns=[PEOPLE, RHO, RIGHT],
    )
