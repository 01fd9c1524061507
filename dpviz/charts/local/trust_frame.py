"""The frame of the lesson on trust: reports that add up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.charts.threads_frame import half_of
from dpviz.charts.tidy import Floats
from dpviz.errors import ParameterError

ASKED, PEOPLE, TRUE, MEAN, HALF = "asked", "people", "true", "mean", "half"
CROWD = (ASKED, PEOPLE, TRUE, MEAN, HALF)


@dataclass(frozen=True)
class Crowd:
    """Everybody's answer, in the order in which they are asked, and what each one reported.

    Attributes:
        answers: 0 or 1 per person.
        reports: the same with noise.
        rho: budget of each report.

    Raises:
        ParameterError: there are not as many reports as answers, or an answer is not 0 or 1.
    """

    answers: Floats
    reports: Floats
    rho: float

    def __post_init__(self) -> None:
        checks.arrays(1, answers=self.answers, reports=self.reports)
        checks.positive(rho=self.rho)
        if self.answers.shape != self.reports.shape or not np.isin(self.answers, (0, 1)).all():
            raise ParameterError("the answers are not 0 or 1, or a report is missing: pass both")


def crowd_frame(crowd: Crowd, groups: Sequence[tuple[str, int]]) -> pd.DataFrame:
    """The mean report of ever more people, beside the true one of the same people.

    Columns: asked (name of the group), people, true (their true mean), mean (of their reports),
    half (95 % of the noise in that mean: that of one report divided by √people, exact).

    Args:
        crowd: answers and reports.
        groups: name and size of each group: its people are the first ones of the crowd.

    Raises:
        ParameterError: a group is empty or larger than the crowd.

    >>> crowd = Crowd(np.array([1.0, 0.0]), np.array([1.5, 0.7]), 0.5)
    >>> crowd_frame(crowd, [("both", 2)])[["true", "mean"]].round(2).values.tolist()
    [[0.5, 1.1]]
    """
    rows = []
    for name, size in groups:
        checks.integer(1, people=size)
        if size > len(crowd.answers):
            raise ParameterError("a group is larger than the crowd: name one that is part of it")
        means = (float(each[:size].mean()) for each in (crowd.answers, crowd.reports))
        rows.append((name, size, *means, half_of(crowd.rho * size)))
    return pd.DataFrame(rows, columns=list(CROWD))
