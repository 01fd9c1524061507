"""Sum of a numeric column per group, each value clipped to a typed range and put on a grid.

A value x counts as q(x) = ⌊clip(x, L, U)/s + ½⌋ whole steps s. The steps are summed as whole
numbers, so the sum is exact and one row's part in it depends on this row alone; a sum of floats
would depend on the order in which they are added.

How far one person moves bounded sums, with the formulas in words.

A person's part in one sum lies between ℓ∞ l and ℓ∞ u steps, and is 0 where they have no row.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.queries.bounds import EACH_ROW_A_PERSON, Bounds
from dpviz.queries.clip import MOST_STEPS, Clip, Grid, default_step, least_step
from dpviz.queries.groupings import EVERYBODY, Grouping
from dpviz.queries.query import Described
from dpviz.queries.rows import bounded, check_sums, clipped, per_group, whole_steps
from dpviz.queries.sensitivity import (
    Directions,
    Move,
    Norm,
    Sensitivity,
    equation,
    plain,
    real_moves,
    root,
    short,
    symbol,
)


@dataclass(frozen=True, slots=True)
class SumMoves:
    r"""The sensitivities of k bounded sums, in steps.

    With M = ℓ∞ max(|l|, |u|) and W = ℓ∞ (max(0, u) − min(0, l)):

        add or remove   Δ₁ = ℓ₀ M                       Δ₂ = √ℓ₀ M    Δ∞ = M
        replace         Δ₁ = j₀ W + 2(ℓ₀ − j₀) M        Δ∞ = W        j₀ = max(0, 2ℓ₀ − k)
                        Δ₂² = max of j W² + 2(ℓ₀ − j) M² at j = j₀ and j = ℓ₀

    Two persons who meet in j groups move j sums by W and 2(ℓ₀ − j) others by M. Both norms are
    largest at an end of j₀ ≤ j ≤ ℓ₀, since they are linear in j; Δ₁ at j₀, because M ≤ W ≤ 2M.

    Attributes:
        bounds: ℓ₀, ℓ∞ and the neighbouring relation.
        k: number of groups.
        low: l, the smallest value in whole steps.
        high: u, the largest one.
    """

    bounds: Bounds
    k: int
    low: int
    high: int

    def __post_init__(self) -> None:
        checks.whole(1, k=self.k)
        checks.whole(-MOST_STEPS, low=self.low)
        checks.whole(self.low, high=self.high)

    @property
    def alone(self) -> int:
        """M: most by which a person moves a sum that the other one of a pair does not."""
        return self.bounds.rows_per_group * max(abs(self.low), abs(self.high))

    @property
    def swapped(self) -> int:
        """W: most by which a person moves a sum by taking the place of another one."""
        return self.bounds.rows_per_group * (max(0, self.high) - min(0, self.low))

    @property
    def sensitivity(self) -> Sensitivity:
        """All norms, in steps."""
        l0 = self.bounds.groups_per_person
        if self.bounds.relation == "add/remove":
            return Sensitivity.bounded(l0, float(self.alone))
        least = self.bounds.shared(self.k)
        return Sensitivity(
            self.bounds.moved(self.k)[0],
            float(least * self.swapped + 2 * (l0 - least) * self.alone),
            math.sqrt(self._square(self._meet("l2"))),
            float(self.swapped),
        )

    @property
    def moves(self) -> tuple[Move, ...]:
        """The farthest moves: all apart, or as many as can be in the groups of both.

        >>> SumMoves(Bounds(relation="replace"), k=2, low=-3, high=5).moves
        (((5.0, 1), (-5.0, 1)), ((8.0, 1),))
        """
        l0, side = self.bounds.groups_per_person, 1.0 if self.high >= -self.low else -1.0
        alone = side * self.alone
        if self.bounds.relation == "add/remove":
            mixed = ((alone, (l0 + 1) // 2), (-alone, l0 // 2))
            ways: list[Move] = [((alone, l0),), *([mixed] if self.high == -self.low else [])]
        else:
            ways = [
                ((float(self.swapped), meet), (alone, l0 - meet), (-alone, l0 - meet))
                for meet in (self.bounds.shared(self.k), l0)
            ]
        return real_moves(*ways)

    def formula(self, norm: Norm, step: float) -> str:
        """One sensitivity as formula with the numbers in, in units of which a step has `step`.

        Raises:
            ParameterError: for any name but those of the norms.

        >>> pairs = Bounds(person="id", groups_per_person=2, relation="replace")
        >>> print(SumMoves(pairs, k=3, low=0, high=5).formula("linf", 1))
        Δ∞ = ℓ∞ · (max(0, U) − min(0, L)) = 1 · (5 − 0) = 5
        >>> print(SumMoves(pairs, k=4, low=0, high=5).formula("l2", 1))
        Δ₂ = √(2ℓ₀) · ℓ∞ · max(|L|, |U|) = √(2·2) · 1 · 5 = 10
        """
        symbol(norm)  # refuses other names
        l0, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        value = getattr(self.sensitivity, norm) * (1.0 if norm == "l0" else step)
        if norm == "l0":
            return equation(norm, *self.bounds.moved(self.k)[1:], value)
        low, high = short(min(0, self.low) * step), short(max(0, self.high) * step)
        low = f"({low})" if self.low < 0 else low
        alone = ("ℓ∞ · max(|L|, |U|)", f"{rows:,} · {short(self.alone // rows * step)}")
        swapped = ("ℓ∞ · (max(0, U) − min(0, L))", f"{rows:,} · ({high} − {low})")
        if norm == "linf":
            size = swapped if self.bounds.relation == "replace" else alone
            return equation(norm, *size, value, step)
        meet, twice = self._meet(norm), ("2ℓ₀", f"2·{l0}")
        if self.bounds.relation == "add/remove":
            times, size = ("ℓ₀", f"{l0}"), alone
        elif meet == 0:
            times, size = twice, alone
        elif meet == l0:
            times, size = ("ℓ₀", f"{l0}"), swapped
        else:
            return self._mixed(norm, meet, value, step)
        sign = root if norm == "l2" else str
        name, number = (f"{sign(a)} · {b}" for a, b in zip(times, size, strict=True))
        return equation(norm, name, number, value, step)

    def _mixed(self, norm: Norm, meet: int, value: float, step: float) -> str:
        """Where two persons meet in some of their groups, but not in all."""
        apart = 2 * (self.bounds.groups_per_person - meet)
        w, m = (short(size * step) for size in (self.swapped, self.alone))
        name, number = "j · W + 2(ℓ₀ − j) · M", f"{meet} · {w} + {apart} · {m}"
        if norm == "l2":
            name, number = "√(j · W² + 2(ℓ₀ − j) · M²)", f"√({meet} · {w}² + {apart} · {m}²)"
        letters = "j = 2ℓ₀ − k, W = ℓ∞ · (max(0, U) − min(0, L)), M = ℓ∞ · max(|L|, |U|)"
        return f"{equation(norm, name, number, value, step)}, where {letters}"

    def _meet(self, norm: Norm) -> int:
        """In how many groups two persons meet who move the sums farthest."""
        least, most = self.bounds.shared(self.k), self.bounds.groups_per_person
        return most if norm == "l2" and self._square(most) > self._square(least) else least

    def _square(self, meet: int) -> int:
        """The square of the ℓ₂ distance of two persons who meet in `meet` groups."""
        apart = 2 * (self.bounds.groups_per_person - meet)
        return meet * self.swapped**2 + apart * self.alone**2


@dataclass(frozen=True, slots=True)
class BoundedSum(Described):
    r"""Sum a column per group, at most ℓ∞ clipped values of a person in each of ℓ₀ groups.

    Rows whose value is not a finite number contribute nothing and use up nothing of the bounds.

    Attributes:
        column: the column that is summed.
        lower: L; smaller values count as L.
        upper: U; larger values count as U.
        by: the groups.
        bounds: what one person contributes at most, and the neighbouring relation.
        step: s, a power of two in units of the column; None: `default_step(lower, upper)`.

    Raises:
        ParameterError: if the range, the step or the bounds cannot be used.
        DataError: if the person's column is summed or is one of the grouping.

    >>> from dpviz.data import read_csv
    >>> pay = read_csv(b"id,euros\n1,10\n1,70\n2,3.3\n3,none\n", name="pay")
    >>> query = BoundedSum("euros", 0, 50, step=0.5)
    >>> query.values(pay)  # 10 + 50 + 3.5, in steps
    array([127])
    >>> query.estimate(query.values(pay))
    array([63.5])
    """

    column: str
    lower: float
    upper: float
    by: Grouping = EVERYBODY
    bounds: Bounds = EACH_ROW_A_PERSON
    step: float = None  # type: ignore[assignment]  # __post_init__ puts the number

    def __post_init__(self) -> None:
        clip = self.clip  # refuses a range that cannot be used
        self._check()
        object.__setattr__(self, "lower", clip.lower)
        object.__setattr__(self, "upper", clip.upper)
        if self.step is None:
            object.__setattr__(self, "step", default_step(clip.lower, clip.upper))
        object.__setattr__(self, "step", float(Grid(self.step).step))
        if self.step > clip.upper - clip.lower:
            raise ParameterError(
                f"the step must be at most upper − lower, {plain(clip.upper - clip.lower)}, got "
                f"{plain(self.step)}; type for example {default_step(clip.lower, clip.upper)!r}"
            )
        if clip.farthest / self.step > MOST_STEPS:
            raise ParameterError(
                "the bounds are too many steps from 0 to be summed exactly; widen the step to at "
                f"least {least_step(clip.farthest)!r}"
            )

    @property
    def clip(self) -> Clip:
        """The column and its range."""
        return Clip(self.column, self.lower, self.upper)

    @property
    def moves(self) -> tuple[Move, ...]:
        """See `SumMoves.moves`.

        >>> BoundedSum("euros", 0, 50, step=1, bounds=Bounds("id", rows_per_group=2)).moves
        (((100.0, 1),),)
        """
        return self._moves.moves

    @property
    def directions(self) -> Directions | None:
        """As for counts, if no value can be below (above) 0; else any."""
        (low, high), l0 = self._steps, self.bounds.groups_per_person
        if low < 0 < high:
            return None
        return l0, 0 if self.bounds.relation == "add/remove" else l0

    @property
    def statistic(self) -> str:
        """What is computed, for people to read.

        >>> BoundedSum("euros", 0, 50).statistic
        'sum of “euros”, each row at most 50'
        """
        return f"sum of {quoted(self.column)}{self._measured}{self.by.per}, {self._each_row}"

    def _rounding(self) -> str:
        return f" and rounded to multiples of {plain(self.step)}"

    @property
    def _steps(self) -> tuple[int, int]:
        """The range in whole steps: q(L) and q(U)."""
        low, high = Grid(self.step).steps(np.array([self.lower, self.upper])).tolist()
        return low, high

    @property
    def _moves(self) -> SumMoves:
        return SumMoves(self.bounds, len(self.by.labels), *self._steps)

    @property
    def sensitivity(self) -> Sensitivity:
        """Largest change of the sums, in steps; see `SumMoves`.

        >>> BoundedSum("euros", -10, 50, step=1).sensitivity.l1
        50.0
        >>> BoundedSum("euros", -10, 50, step=1, bounds=Bounds(relation="replace")).sensitivity.l1
        60.0
        """
        return self._moves.sensitivity

    def formula(self, norm: Norm) -> str:
        """One sensitivity as formula with the numbers in, in units of the column and in steps.

        L and U stand for the bounds as rounded to whole steps.

        Raises:
            ParameterError: for any name but those of the norms.

        >>> BoundedSum("euros", 0, 100).formula("l1")
        'Δ₁ = ℓ₀ · ℓ∞ · max(|L|, |U|) = 1 · 1 · 100 = 100 (1,600 steps of 0.0625)'
        """
        return self._moves.formula(norm, self.step)

    def values(self, table: Table) -> NDArray[np.int64]:
        """The exact sums in steps, shape (k,), in the order of the groups. Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute the sums.
        """
        check_sums(table, self.clip.farthest / self.step)
        with bounded(table, self.by, self.bounds, self.clip) as rows:
            stepped = rows.mutate(steps=whole_steps(clipped(rows, self.clip), self.step))
            return per_group(table, stepped, len(self.by.labels), "steps")[0]

    def estimate(self, released: NDArray[Any]) -> NDArray[np.float64]:
        """The sums in units of the column, shape (k,)."""
        return Grid(self.step).values(released)

    def interval(
        self, released: NDArray[Any], half_width: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Released sum ± half width in units of the column, each end of shape (k,)."""
        sums, half = self.estimate(released), half_width * self.step
        return sums - half, sums + half
