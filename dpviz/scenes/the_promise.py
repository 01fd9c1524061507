"""What the promise says: two towns, two ratios, tricks, families, and a limit of a sum.

All people are invented, so exact counts may be shown. Numbers are draws of sessions with a seed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting import (
    Pair,
    gaussian_right_guesses,
    pair_advantage,
    right_guesses,
)
from dpviz.accounting.conversions import group_rho
from dpviz.accounting.levels import gaussian_level
from dpviz.planning import cast
from dpviz.planning.cast import ILL, KNOWN, PUBLIC, STYLES
from dpviz.scenes.lessons import Settings, number_for, session_on
from dpviz.scenes.threads import GAUSSIAN

RHO = cast.RHO[PUBLIC]
STYLE = STYLES[PUBLIC]
Floats = NDArray[np.float64]


# --- 1: two towns, one person apart ---

FIRST = 343  # seed of the number that the real town gives: 313.0, as on the next screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The number of one of two towns: with Maria, or without her.

    Attributes:
        number: the count of the real town, with noise.
        settings: what the visitor wants to see.
    """

    number: float
    settings: Settings

    def noise(self, count: int) -> float:
        """What was added, if this is the count of the real town."""
        return self.number - count


def public_number() -> float:
    """The public number of the town, drawn from a session with a seed."""
    return number_for(session_on(float(ILL), FIRST), RHO)


# --- 2 and 5: hills with some people and without them ---

PEOPLE, PLACE, WITH, WITHOUT, LOSS, GROUP_RHO, RIGHT = (
    *("people", "place", "with", "without", "loss", "rho", "right"),
)
HILLS = (PEOPLE, PLACE, WITH, WITHOUT, LOSS)
REACH, POINTS = 3.4, 241  # standard deviations beyond the centres; points of a hill
FAMILY = (1, 2, 4, 8)  # people of groups that are all ill
FOUR = FAMILY[2]


def hills_frame(count: int, rho: float, groups: Sequence[int] = (1,)) -> pd.DataFrame:
    """For groups of people of whom all count, how likely each number is.

    Columns: people (of the group), place (the number), with, without (densities with them in the
    town and without them), loss (the logarithm of their ratio).

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

    Columns: people, rho (of the group), right (guesses of 1,000 whether all are in).

    Args:
        rho: budget for one person.
        groups: how many people each group has.

    >>> groups_frame(0.1, (1, 2)).round(1).values.tolist()
    [[1.0, 0.1, 588.5], [2.0, 0.4, 672.6]]
    """
    rows = [(size, group_rho(rho, size)) for size in groups]
    return pd.DataFrame(
        [(size, joint, gaussian_right_guesses(joint)) for size, joint in rows],
        columns=[PEOPLE, GROUP_RHO, RIGHT],
    )


AT, RARE = 313.0, 317.0  # the number in question, and one that seldom comes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Two hills, and a number in question.

    Attributes:
        frame: as `hills_frame` makes it, of one person.
        settings: what the visitor wants to see.
    """

    frame: pd.DataFrame
    settings: Settings

    def loss(self, at: float = AT) -> float:
        """The logarithm of the ratio of both hills at a number."""
        return float(np.interp(at, self.frame[PLACE], self.frame[LOSS]))

    def times(self, at: float = AT) -> float:
        """How many times likelier a number is with Maria."""
        return math.exp(self.loss(at))


def ratio(settings: Settings) -> Ratio:
    """Both hills, and the number in question."""
    return Ratio(frame=hills_frame(ILL, RHO), settings=settings)


# --- 3: how often the line is crossed ---

LINE = 2  # times likelier with Maria
OFTEN = "often"
LOSSES = (LOSS, OFTEN)
NEAR, FAR = -1.6, 2.4  # losses that are shown


def more_than_twice() -> float:
    """In how many draws of 100 the number is more than twice as likely with Maria as without.

    >>> round(more_than_twice(), 2)
    9.24
    """
    return 100 * float(1 - GAUSSIAN.cdf(math.log(LINE) - RHO, 2 * RHO))


def loss_frame(rho: float) -> pd.DataFrame:
    """How often each loss comes up: the logarithm of how many times likelier a number is.

    The loss of Gaussian noise is a normal number with mean rho and variance 2 rho.

    Columns: loss, often (density).

    >>> loss_frame(0.1)["often"].max().round(2).item()
    0.89
    """
    losses = np.linspace(NEAR, FAR, 401)
    return pd.DataFrame({LOSS: losses, OFTEN: GAUSSIAN.density(losses - rho, 2 * rho)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """How often each ratio comes up, and what the visitor wants to see."""

    frame: pd.DataFrame
    settings: Settings


def losses(settings: Settings) -> Losses:
    """All losses of the public number."""
    return Losses(frame=loss_frame(RHO), settings=settings)


# --- 4: tricks ---

TENS, OLD_GUESS = 10, 310  # rounded to; averaged with
AS_IT_IS = "as published"
FARTHEST = 9.0  # standard deviations beyond which no noise falls


def rounded_right(rho: float, counts: tuple[float, float], step: float) -> float:
    """Guesses right of 1,000 by a noisy count that is rounded to multiples of a step; exact.

    Args:
        rho: budget of the count, for a person who moves it by 1.
        counts: without the person and with them.
        step: to which it is rounded.

    >>> round(rounded_right(0.1, (311, 312), 0.001)), round(rounded_right(0.1, (311, 312), 10))
    (588, 527)
    """
    level = gaussian_level(rho, 1.0)
    far = FARTHEST * math.sqrt(level)
    first, last = math.floor((min(counts) - far) / step), math.ceil((max(counts) + far) / step)
    edges: Floats = (np.arange(first, last + 2, dtype=np.float64) - 0.5) * step
    out, inside = (_masses(edges - count, level) for count in counts)
    return right_guesses(pair_advantage(Pair(out, inside)))


def _masses(edges: Floats, level: float) -> Floats:
    return np.diff(np.asarray(GAUSSIAN.cdf(edges, level), dtype=np.float64))


def tricks() -> dict[str, float]:
    """Guesses right of 1,000 by the public number as it is, and after each trick.

    Squaring and averaging with an old guess can be undone, so they leave what was there.
    """
    plain = gaussian_right_guesses(RHO)
    return {
        AS_IT_IS: plain,
        f"rounded to {TENS}s": rounded_right(RHO, (KNOWN, ILL), TENS),
        "squared": plain,
        f"averaged with an old guess, {OLD_GUESS}": plain,
    }


# --- 6: a limit of one person's visits ---

# Visits to the doctor within a year: how many of the people with high blood pressure have each.
VISITS = {
    **{1: 70, 2: 64, 3: 52, 4: 40, 5: 30, 6: 20, 7: 13, 8: 9, 9: 6, 10: 4},
    **{12: 2, 15: 1, 60: 1},
}
GIVEN = 12  # a limit that is known before anyone looks: hardly anyone goes more than once a month
CLOSE = 1.1  # times the error at that limit: as good
LIMIT, CUT, NOISE, ERROR = "limit", "cut", "noise", "error"
LIMITS = (LIMIT, CUT, NOISE, ERROR)


def limits_frame(values: Mapping[int, int], rho: float) -> pd.DataFrame:
    """The error of a noisy sum, for every limit up to the largest value.

    Values above the limit count as the limit, so the sum is too small by a fixed amount; one person
    moves it by at most the limit, which the noise must hide. Both together: the root of the sum
    of their squares.

    Columns: limit, cut (by how much the sum is too small), noise (its standard deviation), error
    (root mean square).

    Args:
        values: how many people have each value, a whole number of at least 1.
        rho: budget of the sum.

    Raises:
        ParameterError: a value is not a whole number of at least 1.

    >>> limits_frame({1: 10, 3: 1}, 0.5).values.tolist()[0]
    [1.0, 2.0, 1.0, 2.23606797749979]
    """
    checks.whole(1, **{f"value_{k}": value for k, value in enumerate(values)})
    each, people = np.array([*values]), np.array([*values.values()])
    limits = np.arange(1, each.max() + 1)
    cut = np.array([float(people @ np.maximum(each - limit, 0)) for limit in limits])
    noise = np.sqrt([gaussian_level(rho, float(limit)) for limit in limits])
    columns = {LIMIT: limits, CUT: cut, NOISE: noise, ERROR: np.hypot(cut, noise)}
    return pd.DataFrame(columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The errors of a sum at each limit, and the visitor's limit.

    Attributes:
        frame: as `limits_frame` makes it.
        at: the limit that was chosen; None before that.
        settings: what the visitor wants to see.
    """

    frame: pd.DataFrame
    at: int | None
    settings: Settings

    def row(self, limit: int) -> dict[str, float]:
        """What is cut away at a limit, its noise and both together."""
        row = self.frame.set_index(LIMIT).loc[limit]
        return {str(name): float(value) for name, value in row.items()}

    @property
    def given(self) -> float:
        """The error at the limit that is known before anyone looks."""
        return self.row(GIVEN)[ERROR]

    @property
    def least(self) -> int:
        """The limit with the least error, which only a look at the people tells."""
        return int(self.frame.loc[self.frame[ERROR].idxmin(), LIMIT])

    @property
    def is_close(self) -> bool:
        """Whether the chosen limit does about as well as the one that is known before."""
        return self.at is not None and self.row(self.at)[ERROR] <= CLOSE * self.given


def limits(settings: Settings) -> Limits:
    """Every limit, and the one that was chosen."""
    at = int(settings.chosen.split()[0]) if settings.chosen else None
    return Limits(frame=limits_frame(VISITS, RHO), at=at, settings=settings)
