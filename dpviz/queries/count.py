"""Number of people, or of their rows, per group.

A histogram over a public list of groups. One person moves at most ℓ₀ counts by at most ℓ∞ each; if
one person is replaced by another, ℓ₀ counts may fall and ℓ₀ others rise.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.bounds import EACH_ROW_A_PERSON, Bounds
from dpviz.queries.groupings import Everybody, Grouping
from dpviz.queries.query import Described
from dpviz.queries.rows import counted
from dpviz.queries.sensitivity import (
    Directions,
    Move,
    Norm,
    Sensitivity,
    equation,
    real_moves,
    root,
    symbol,
)

TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Count(Described):
    r"""Count people per group, or their rows where ℓ∞ > 1.

    Attributes:
        by: the groups.
        bounds: what one person contributes at most, and the neighbouring relation.
        total: whether the total of all groups is published as one more, the last, coordinate.

    Raises:
        ParameterError: if ℓ₀ exceeds the number of groups, or there is nothing to total.
        DataError: if the person's column is one of the grouping.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries import ByColumn
    >>> visits = read_csv(b"id,ward\n1,A\n1,B\n1,B\n2,B\n,A\n", name="visits")
    >>> wards = ByColumn("ward", ("A", "B", "C"))
    >>> Count(wards).values(visits)
    array([2, 3, 0])
    >>> Count(wards, Bounds(person="id", groups_per_person=2)).values(visits)
    array([1, 2, 0])
    >>> Count(wards, Bounds(person="id", rows_per_group=2), total=True).values(visits)
    array([1, 1, 0, 2])
    """

    by: Grouping
    bounds: Bounds = EACH_ROW_A_PERSON
    total: bool = False
    step = 1.0  # counts are whole

    def __post_init__(self) -> None:
        self._check()
        checks.instance(bool, total=self.total)
        if self.total and isinstance(self.by, Everybody):
            raise ParameterError("a count of everybody is the total already; leave total out")
        if self.total and TOTAL in self.by.labels:
            raise ParameterError(
                f"one of the groups is called “{TOTAL}”, as the total would be; leave total out"
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups, and the total where it is published."""
        return (*self.by.labels, TOTAL) if self.total else self.by.labels

    @property
    def moves(self) -> tuple[Move, ...]:
        """The farthest moves: a groups up and b down, and the total by their difference.

        >>> Count(Everybody(), Bounds(person="id", rows_per_group=3)).moves
        (((3.0, 1),),)
        """
        l0, rows = self.bounds.groups_per_person, float(self.bounds.rows_per_group)
        if self._always:
            return real_moves(((rows - 1, 1),))
        ways = {(l0, 0)}
        if self.bounds.relation == "replace":
            moved = self._moved[0]
            balanced = (moved + 1) // 2, moved // 2
            ways = {(l0, moved - l0), balanced, *(ways if self.total else ())}
        return real_moves(
            *(
                ((rows * (up - down), int(self.total)), (rows, up), (-rows, down))
                for up, down in sorted(ways)
            )
        )

    @property
    def directions(self) -> Directions:
        """All up if one person is added; if one is replaced, ℓ₀ up and ℓ₀ down.

        The total moves with the ones or with the others.

        >>> Count(Everybody()).directions
        (1, 0)
        """
        l0 = self.bounds.groups_per_person
        return l0 + self.total, 0 if self.bounds.relation == "add/remove" else l0

    @property
    def noun(self) -> str:
        """What is counted: the units of privacy, or their rows where several count."""
        return self.nouns.many if self.bounds.rows_per_group == 1 else self.nouns.rows

    @property
    def counted(self) -> str:
        """What is counted, by a name that no other words change."""
        return "people" if self.bounds.rows_per_group == 1 else "rows"

    @property
    def statistic(self) -> str:
        """What is counted, for people to read.

        >>> Count(Everybody()).statistic
        'number of people'
        """
        end = ", and their total" if self.total else ""
        return f"number of {self.noun}{self.by.per}{end}"

    @property
    def sensitivity(self) -> Sensitivity:
        r"""Largest change of the counts, with m = ℓ₀, or min(2ℓ₀, k) if a person is replaced.

            counts        Δ₁ = m ℓ∞      Δ₂ = √m ℓ∞             Δ∞ = ℓ∞
            and total     Δ₁ = 2ℓ₀ ℓ∞    Δ₂ = √(ℓ₀ + ℓ₀²) ℓ∞    Δ∞ = ℓ₀ ℓ∞

        With the total: if a groups gain and b lose, Δ₁ = a + b + |a − b| = 2 max(a, b), and
        Δ₂² = a + b + (a − b)² is convex in b, so largest at b = 0 or b = a [times ℓ∞, ℓ∞²].
        Everybody: each person in the table counts with 1 to ℓ∞ rows, so replacing moves ℓ∞ − 1.

        >>> from dpviz.queries import ByColumn
        >>> Count(ByColumn("ward", ("A", "B", "C")), Bounds(relation="replace")).sensitivity.l1
        2.0
        """
        l0, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        if self._always:
            return Sensitivity(min(rows - 1, 1), *3 * (float(rows - 1),))
        moved = self._moved[0]
        if not self.total:
            return Sensitivity.bounded(moved, float(rows))
        # all 2ℓ₀ groups move with the total only if those that gain do not balance the others
        balanced = moved == 2 * l0 and rows == 1 and self.bounds.relation == "replace"
        return Sensitivity(
            moved + (not balanced), 2.0 * l0 * rows, math.sqrt(l0 + l0**2) * rows, float(l0 * rows)
        )

    def formula(self, norm: Norm) -> str:
        """One sensitivity as formula with the numbers in.

        Raises:
            ParameterError: for any name but those of the norms.

        >>> from dpviz.queries import ByColumn
        >>> wards = ByColumn("ward", ("A", "B", "C"))
        >>> Count(wards, Bounds(person="id", groups_per_person=3)).formula("l2")
        'Δ₂ = √ℓ₀ · ℓ∞ = √3 · 1 = 1.732'
        >>> Count(wards, Bounds(relation="replace")).formula("l2")
        'Δ₂ = √(2ℓ₀) · ℓ∞ = √(2·1) · 1 = 1.414'
        """
        symbol(norm)  # refuses other names
        value = float(getattr(self.sensitivity, norm))
        l0, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        _, name, number = self._moved
        if self._always:
            lines = dict.fromkeys(("l1", "l2", "linf"), ("ℓ∞ − 1", f"{rows} − 1"))
            lines["l0"] = (f"{value:.0f}",) * 2
        elif self.total:
            lines = {
                "l0": (f"{value:.0f}",) * 2,
                "l1": ("2ℓ₀ · ℓ∞", f"2·{l0} · {rows}"),
                "l2": ("√(ℓ₀ + ℓ₀²) · ℓ∞", f"√({l0} + {l0}²) · {rows}"),
                "linf": ("ℓ₀ · ℓ∞", f"{l0} · {rows}"),
            }
        else:
            lines = {
                "l0": (name, number),
                "l1": (f"{name} · ℓ∞", f"{number} · {rows}"),
                "l2": (f"{root(name)} · ℓ∞", f"{root(number)} · {rows}"),
                "linf": ("ℓ∞", f"{rows}"),
            }
        return equation(norm, *lines[norm], value)

    @property
    def _always(self) -> bool:
        """Whether nobody in the table can be left out, so that replacing moves less."""
        return isinstance(self.by, Everybody) and self.bounds.relation == "replace"

    @property
    def _moved(self) -> tuple[int, str, str]:
        """Number of groups that one person moves, its formula, and that with numbers."""
        return self.bounds.moved(len(self.by.labels))

    def values(self, table: Table) -> NDArray[np.int64]:
        """The exact counts, shape (d,), in the order of `labels`. Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute the counts.
        """
        counts = counted(table, self.by, self.bounds, len(self.by.labels))
        return np.append(counts, counts.sum()) if self.total else counts

    def estimate(self, released: NDArray[Any]) -> NDArray[np.float64]:
        """The counts themselves, shape (d,)."""
        return np.asarray(released, dtype=np.float64)

    def interval(
        self, released: NDArray[Any], half_width: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Released count ± half width, each end of shape (d,)."""
        counts = self.estimate(released)
        return counts - half_width, counts + half_width
