"""What every query is, and the words that all of them share.

A query is a statistic of whole numbers (steps) with a bound on what one person contributes, from
which its sensitivities follow. How a person's contribution is kept within the bound:
`dpviz.queries.rows`.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import DataError, ParameterError
from dpviz.queries.bounds import Bounds
from dpviz.queries.clip import Clip
from dpviz.queries.groupings import Grouping
from dpviz.queries.nouns import Nouns
from dpviz.queries.sensitivity import Directions, Move, Norm, Sensitivity
from dpviz.words import capitalised
from dpviz.words.grammar import several


class Query(Protocol):
    """A statistic, its bounds, and how its released coordinates are read; frozen and hashable."""

    @property
    def by(self) -> Grouping:
        """The groups."""

    @property
    def bounds(self) -> Bounds:
        """What one person contributes at most, and which tables are neighbours."""

    @property
    def clip(self) -> Clip | None:
        """The numeric column and its range; None where rows are counted."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns on which the numbers depend."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers that are read."""

    @property
    def entries(self) -> tuple[str, ...]:
        """Names of the d coordinates that are released."""

    @property
    def dimension(self) -> int:
        """Number of released coordinates, d."""

    @property
    def step(self) -> float:
        """One whole step, in units of the statistic."""

    @property
    def sensitivity(self) -> Sensitivity:
        """Of the released coordinates, in steps, for neighbours under `bounds.relation`."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The farthest moves that one unit can really make, up to which groups they are in.

        By one of them the unit is found most easily; which one depends on the noise. None where
        no unit moves anything.
        """

    @property
    def directions(self) -> Directions | None:
        """Most coordinates that one person moves one way, and the other way; None: any."""

    @property
    def per_value(self) -> int:
        """Released coordinates behind one number that is read."""

    @property
    def statistic(self) -> str:
        """What is computed, for people to read."""

    @property
    def nouns(self) -> Nouns:
        """What the unit of privacy, rows and numbers are called."""

    @property
    def noun(self) -> str:
        """Unit of the numbers that are read, for axes."""

    @property
    def counted(self) -> str:
        """What the released coordinates count, by a name that no other words change."""

    @property
    def noun_released(self) -> str:
        """Unit of the released coordinates: `noun`, or rows where a mean is read of them."""

    @property
    def unit(self) -> str:
        """The unit of privacy: what is one person."""

    @property
    def neighbours(self) -> str:
        """The neighbouring relation: which two tables the guarantee holds apart."""

    @property
    def contribution(self) -> str:
        """The rule that bounds what one person contributes."""

    def formula(self, norm: Norm) -> str:
        """One sensitivity as formula with the numbers in, in units of the statistic.

        Raises:
            ParameterError: for any name but those of the norms.
        """

    def values(self, table: Table) -> NDArray[np.int64]:
        """The exact coordinates in steps, shape (d,). Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute them.
        """

    def estimate(self, released: NDArray[Any]) -> NDArray[np.float64]:
        """The numbers that are read, in units, shape (number of labels,).

        Args:
            released: coordinates in steps, their noise without bias, shape (d,).
        """

    def interval(
        self, released: NDArray[Any], half_width: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper ends of what the numbers may be, in units, each (number of labels,).

        Args:
            released: as for `estimate`.
            half_width: in steps, such that `per_value` coordinates are all within it at once.
        """


class Described:
    """The words of a query, made from its groups and bounds, and the check that they agree."""

    __slots__ = ()
    by: Grouping
    bounds: Bounds

    def _check(self) -> None:
        """Refuse bounds that do not go with the columns or the groups."""
        checks.instance(Bounds, bounds=self.bounds)
        if isinstance(self.by, type) or not callable(getattr(self.by, "placed", None)):
            raise ParameterError(
                'by must say which groups there are, for example ByColumn("ward", ["A", "B"])'
            )
        if self.bounds.person in self._looked_at:
            raise DataError(
                f"the column that names the {self.nouns.one} cannot also be the "
                "column that is counted; choose another one for either"
            )
        groups = len(self.by.labels)
        if self.bounds.groups_per_person > groups:
            raise ParameterError(
                f"groups_per_person must be at most the number of groups, {groups:,}, "
                f"got {self.bounds.groups_per_person}"
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers that are read: the groups."""
        return self.by.labels

    @property
    def entries(self) -> tuple[str, ...]:
        """The same: each number is released as it is read."""
        return self.labels

    @property
    def dimension(self) -> int:
        """Number of released coordinates, d."""
        return len(self.entries)

    @property
    def per_value(self) -> int:
        """1: each number is one coordinate."""
        return 1

    @property
    def clip(self) -> Clip | None:
        """None: rows are counted."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns on which the numbers depend: of groups and values, and that of the person."""
        person = self.bounds.person
        return self._looked_at if person is None else (*self._looked_at, person)

    @property
    def _looked_at(self) -> tuple[str, ...]:
        clip = self.clip
        return self.by.columns if clip is None else (*self.by.columns, clip.column)

    @property
    def noun_released(self) -> str:
        """Unit of the released coordinates: that of the numbers read."""
        return self.noun

    @property
    def noun(self) -> str:
        """Unit of the numbers that are read: of the clipped column, or else that column's name."""
        if self.clip is None:
            return self.nouns.many
        return self.nouns.measure or quoted(self.clip.column)

    @property
    def counted(self) -> str:
        """What the released coordinates count, by a name that no other words change."""
        return "people" if self.clip is None else quoted(self.clip.column)

    @property
    def nouns(self) -> Nouns:
        """What the unit of privacy, rows and numbers are called."""
        return self.bounds.nouns

    @property
    def _measured(self) -> str:
        """The unit of the column after its name, where it is known."""
        return f" in {self.nouns.measure}" if self.nouns.measure else ""

    @property
    def _each_row(self) -> str:
        """How far one row counts, for the name of a sum or a mean."""
        return "" if self.clip is None else self.clip.said_of(self.nouns.row)

    @property
    def unit(self) -> str:
        """The unit of privacy: what is one person."""
        return self.bounds.unit

    @property
    def neighbours(self) -> str:
        """The neighbouring relation: which two tables the guarantee holds apart."""
        return self.bounds.neighbours

    @property
    def contribution(self) -> str:
        """The rule that bounds what one person contributes, up to four sentences."""
        clip = self.clip
        sentences = [self._rule()]
        if self.bounds.person is not None:
            sentences.append(self.bounds.left_out)
        if clip is not None:
            sentences.append(
                f"{capitalised(self.nouns.rows)} whose {quoted(clip.column)} is not a number are "
                "left out first."
            )
            sentences.append(f"Values are {clip.described}{self._rounding()}.")
        return " ".join(sentences)

    def _rounding(self) -> str:
        return ""

    def _rule(self) -> str:
        one_group = len(self.by.labels) == 1
        if self.bounds.person is None:
            where = "" if not self.by.columns else ", in the one group that it names"
            return f"Each {self.nouns.row} counts at most once{where}."
        groups, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        of_one = several(rows, self.nouns.row, self.nouns.rows)
        per = "" if one_group else " per group"
        if rows > 1 or self.clip is not None:
            often = f"with at most {of_one}{per}, the first in the order of the table,"
        else:
            often = f"at most once{per}"
        if one_group:
            return f"Each {self.nouns.one} counts {often.removesuffix(',')}."
        many = "group" if groups == 1 else "groups"
        return (
            f"Each {self.nouns.one} counts {often} and in at most {groups:,} {many}: "
            f"{self.bounds.first_in('the order of the list')}."
        )
