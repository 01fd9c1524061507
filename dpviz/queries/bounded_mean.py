"""Mean of a numeric column per group, from a sum and a number of rows released together.

With the middle m = (L + U)/2 and half the range h = (U − L)/2, a value counts as
y = (clip(x, L, U) − m)/h in [−1, 1], on a grid of steps s. Per group the sum S of the y and the
number N of rows are released, both in steps of s, with one budget and one sensitivity for the
vector of all of them; the mean is m + h S/N. One row moves S and N by at most 1, so the two share
the budget evenly.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.queries.bounds import EACH_ROW_A_PERSON, Bounds
from dpviz.queries.clip import Clip, Grid
from dpviz.queries.groupings import EVERYBODY, Grouping
from dpviz.queries.query import Described
from dpviz.queries.rows import (
    bounded,
    check_sums,
    clipped,
    over,
    per_group,
    real,
    whole_steps,
    within,
)
from dpviz.queries.sensitivity import Move, Norm, Sensitivity, equation, real_moves, root, symbol

FINEST = 2.0**-30  # of the step: with the rows that a file can have, all sums fit


@dataclass(frozen=True, slots=True)
class BoundedMean(Described):
    r"""Average a column per group, over at most ℓ∞ clipped values of a person in each of ℓ₀ groups.

    Rows whose value is not a finite number contribute nothing and use up nothing of the bounds.

    Attributes:
        column: the column that is averaged.
        lower: L; smaller values count as L.
        upper: U; larger values count as U.
        by: the groups.
        bounds: what one person contributes at most, and the neighbouring relation.
        step: s, a power of two of at most 1, in units of h (sums) and of rows (numbers of rows).
        entries: names of the released coordinates: first all sums, then all numbers of rows.

    Raises:
        ParameterError: if the range, the step or the bounds cannot be used.
        DataError: if the person's column is averaged or is one of the grouping.

    >>> from dpviz.data import read_csv
    >>> pay = read_csv(b"id,euros\n1,10\n2,70\n3,none\n", name="pay")
    >>> query = BoundedMean("euros", 0, 50, step=0.25)
    >>> query.values(pay)  # (10 - 25)/25 = -0.6 is -2 steps, 70 counts as 50: 4 steps; 2 rows
    array([2, 8])
    >>> query.estimate(query.values(pay))
    array([31.25])
    """

    column: str
    lower: float
    upper: float
    by: Grouping = EVERYBODY
    bounds: Bounds = EACH_ROW_A_PERSON
    step: float = 2.0**-10
    entries: tuple[str, ...] = field(init=False, repr=False, compare=False)
    per_value = 2  # a sum and a number of rows
    counted = "rows"  # rows: sums are in units of what one row moves

    def __post_init__(self) -> None:
        clip = self.clip  # refuses a range that cannot be used
        self._check()
        object.__setattr__(self, "lower", clip.lower)
        object.__setattr__(self, "upper", clip.upper)
        object.__setattr__(self, "step", float(Grid(self.step).step))
        if not FINEST <= self.step <= 1:
            raise ParameterError(
                f"the step of a mean must be between {FINEST!r} and 1, because it is in units of "
                f"half the range; got {self.step!r}"
            )
        both = ("sum", self.nouns.rows)
        names = [f"{what}: {label}" for what in both for label in self.by.labels]
        object.__setattr__(self, "entries", tuple(names))

    @property
    def clip(self) -> Clip:
        """The column and its range."""
        return Clip(self.column, self.lower, self.upper)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The farthest moves: sums with or against their numbers of rows, apart or together.

        >>> BoundedMean("euros", 0, 50, step=1).moves
        (((1.0, 2),), ((1.0, 1), (-1.0, 1)))
        """
        l0, c = self.bounds.groups_per_person, self.bounds.rows_per_group / self.step
        if self.bounds.relation == "add/remove":
            return real_moves(((c, 2 * l0),), ((c, l0), (-c, l0)))
        ways: list[Move] = []
        for meet in (self.bounds.shared(len(self.by.labels)), l0):
            apart = l0 - meet
            ways.append(((2 * c, meet), (c, 2 * apart), (-c, 2 * apart)))
            ways.append(((2 * c, meet), (c, 3 * apart), (-c, apart)))
        return real_moves(*ways)

    @property
    def directions(self) -> None:
        """Any: the number of rows rises with a person, the sum may rise or fall."""

    @property
    def noun_released(self) -> str:
        """Sums are scaled so that one row moves them by at most 1, as it moves the number."""
        return self.nouns.rows

    @property
    def statistic(self) -> str:
        """What is computed, for people to read.

        >>> BoundedMean("euros", 0, 50).statistic
        'mean of “euros”, each row at most 50'
        """
        return f"mean of {quoted(self.column)}{self._measured}{self.by.per}, {self._each_row}"

    def _rounding(self) -> str:
        return f", and rounded to steps of 1/{1 / self.step:,.0f} of half that range"

    @property
    def sensitivity(self) -> Sensitivity:
        r"""Largest change of sums and numbers of rows together, in steps, with c = ℓ∞/s.

            add or remove   Δ₁ = 2ℓ₀ c             Δ₂ = √(2ℓ₀) c    Δ∞ = c
            replace         Δ₁ = 2 min(2ℓ₀, k) c   Δ₂ = 2√ℓ₀ c      Δ∞ = 2c

        Two persons with n and n′ rows in one group move its pair by |S − S′| + |n − n′| ≤
        2 max(n, n′), and by (n + n′)² + (n − n′)² ≤ 4ℓ∞² squared: as far as in two groups apart,
        where each moves a pair by 2ℓ∞, or 2ℓ∞² squared.

        >>> BoundedMean("euros", 0, 50, step=1).sensitivity.l1
        2.0
        """
        l0, c = self.bounds.groups_per_person, self.bounds.rows_per_group / self.step
        if self.bounds.relation == "add/remove":
            return Sensitivity.bounded(2 * l0, c)
        moved = 2 * self.bounds.moved(len(self.by.labels))[0]
        return Sensitivity(moved, moved * c, 2 * math.sqrt(l0) * c, 2 * c)

    def formula(self, norm: Norm) -> str:
        """One sensitivity as formula with the numbers in, and in steps.

        Raises:
            ParameterError: for any name but those of the norms.

        >>> BoundedMean("euros", 0, 50).formula("l1")
        'Δ₁ = 2ℓ₀ · ℓ∞ = 2·1 · 1 = 2 (2,048 steps of 0.0009766)'
        """
        symbol(norm)  # refuses other names
        value = getattr(self.sensitivity, norm) * (1.0 if norm == "l0" else self.step)
        l0, rows = self.bounds.groups_per_person, f"{self.bounds.rows_per_group:,}"
        name, number = "2ℓ₀", f"2·{l0}"
        second, largest = (root(name), root(number)), ("ℓ∞", rows)
        if self.bounds.relation == "replace":
            if 2 * l0 <= len(self.by.labels):
                name, number = "4ℓ₀", f"4·{l0}"
            else:
                name, number = "2k", f"2·{len(self.by.labels)}"
            second, largest = ("2√ℓ₀", f"2·√{l0}"), ("2 · ℓ∞", f"2 · {rows}")
        lines = {
            "l0": (name, number),
            "l1": (f"{name} · ℓ∞", f"{number} · {rows}"),
            "l2": (f"{second[0]} · ℓ∞", f"{second[1]} · {rows}"),
            "linf": largest,
        }
        return equation(norm, *lines[norm], value, self.step)

    def values(self, table: Table) -> NDArray[np.int64]:
        """The exact sums, then the numbers of rows, all in steps, shape (2k,). Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute them.
        """
        k, per_row = len(self.by.labels), int(1 / self.step)
        middle, half = self._middle_and_half
        check_sums(table, per_row)
        with bounded(table, self.by, self.bounds, self.clip) as rows:
            from_middle = clipped(rows, self.clip) - real(middle)
            scaled = over(from_middle, half, half * self.step)
            # the division may round past the ends
            steps = whole_steps(within(scaled, -1.0, 1.0), self.step)
            stepped = rows.mutate(steps=steps, one=1)
            sums, counts = per_group(table, stepped, k, "steps", "one")
        return np.append(sums, counts * per_row)

    @property
    def _middle_and_half(self) -> tuple[float, float]:
        """The middle m of the range and half its width, h."""
        return self.lower / 2 + self.upper / 2, self.upper / 2 - self.lower / 2

    def estimate(self, released: NDArray[Any]) -> NDArray[np.float64]:
        """The means m + h S/N in units of the column, within [L, U], shape (k,).

        NaN where the released number of rows N is not above 0, which says: too few to tell.
        """
        sums, rows = np.split(np.asarray(released, dtype=np.float64), 2)
        means = np.divide(sums, rows, out=np.full(sums.shape, np.nan), where=rows > 0)
        return self._in_units(means)

    def interval(
        self, released: NDArray[Any], half_width: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """All means that S ± a and N ± a allow, each end of shape (k,).

            m + h · min and max of (S ± a)/(N ± a), within [L, U]; all of [L, U] where N ≤ a

        It holds whenever both coordinates are within a; one budget for both makes it wider than
        the noise of the mean itself, never narrower.
        """
        sums, rows = np.split(np.asarray(released, dtype=np.float64), 2)
        few, many = rows - half_width, rows + half_width
        told = few > 0
        few, many = np.where(told, few, 1.0), np.where(told, many, 1.0)
        ends = []
        for end, pick, none in (
            (sums - half_width, np.minimum, -1.0),
            (sums + half_width, np.maximum, 1.0),
        ):
            ends.append(self._in_units(np.where(told, pick(end / few, end / many), none)))
        return ends[0], ends[1]

    def within(self, rows: float, half_width: float) -> float:
        """How far off the mean of a group of this many rows may be, whatever it is.

        Half of the widest `interval`, with α = a/n for the ±a of its sum and its number n of rows:

            (U − L)/2 · max(2α/(1 + α), α/(1 − α)), at most (U − L)/2

        Args:
            rows: n, above 0.
            half_width: a, in steps.

        Raises:
            ParameterError: if a number is out of range.

        >>> round(BoundedMean("euros", 0, 50, step=1).within(100, 4.0), 3)
        1.923
        """
        checks.positive(rows=rows)
        checks.non_negative(half_width=half_width)
        share = half_width * self.step / rows
        part = 1.0 if share >= 0.5 else max(2 * share / (1 + share), share / (1 - share))
        return self._middle_and_half[1] * part

    def _in_units(self, scaled: NDArray[np.float64]) -> NDArray[np.float64]:
        """From [−1, 1] to [L, U]; NaN stays."""
        middle, half = self._middle_and_half
        means: NDArray[np.float64] = np.clip(middle + half * scaled, self.lower, self.upper)
        return means
