"""Number of people, or of their rows, per item of a domain that is too large to list.

The same bounds as for groups on a list: a person counts in their first ℓ₀ items in the order of the
domain, or in that of a salt, and with their first ℓ∞ rows of each in the order of the table. Only
items that somebody has are held; how many these are is as secret as their counts.

How many people have each text of a column: a list that nobody has written down before.

No domain is named: every text that somebody wrote is an item. The same bounds as for items of a
public domain: a person counts in their first ℓ₀ texts in the order of the alphabet, and with their
first ℓ∞ rows of each in the order of the table; both look at one person's rows alone. Which texts
there are is as secret as their counts: publish them as `dpviz.top_k` does.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import DataError, ParameterError
from dpviz.queries.bounds import EACH_ROW_A_PERSON, Bounds
from dpviz.queries.item_names import Coding
from dpviz.queries.rows import bounded
from dpviz.queries.sensitivity import Sensitivity, equation, root
from dpviz.words.grammar import several


class _PerItem:
    """What both have in common: the columns that are looked at, and the words."""

    __slots__ = ()
    column: str
    bounds: Bounds
    _item: ClassVar[str]  # what is counted one by one
    _in_row: ClassVar[str]  # the one that a row counts for
    _order: ClassVar[str]  # in which one person's first ones are found

    def _check(self) -> None:
        checks.instance(str, column=self.column)
        checks.instance(Bounds, bounds=self.bounds)
        if self.bounds.person == self.column:
            raise DataError(
                f"the column that names the {self.bounds.nouns.one} cannot also be the "
                "column that is counted; choose another one for either"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns on which the counts depend."""
        person = self.bounds.person
        return (self.column,) if person is None else (self.column, person)

    @property
    def noun(self) -> str:
        """What is counted: the units of privacy, or their rows where several count."""
        nouns = self.bounds.nouns
        return nouns.many if self.bounds.rows_per_group == 1 else nouns.rows

    @property
    def statistic(self) -> str:
        """What is counted, for people to read."""
        return f"number of {self.noun} per {self._item} of {quoted(self.column)}"

    @property
    def contribution(self) -> str:
        """The rule that bounds what one person contributes."""
        nouns = self.bounds.nouns
        if self.bounds.person is None:
            return f"Each {nouns.row} counts at most once, {self._in_row}."
        items, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        often = "once" if rows == 1 else f"with {rows:,} {nouns.rows}"
        return (
            f"Each {nouns.one} counts at most {often} per {self._item} and in at most "
            f"{several(items, self._item, f'{self._item}s')}: {self.bounds.first_in(self._order)}. "
            f"{self.bounds.left_out}"
        )


@dataclass(frozen=True, slots=True)
class ItemCounts(_PerItem):
    r"""Count people per item of a column, or their rows where ℓ∞ > 1.

    Attributes:
        column: whose values are the items.
        coding: which items there are, and their indices.
        bounds: what one person contributes at most, and the neighbouring relation.

    Raises:
        ParameterError: if ℓ₀ exceeds the number of items.
        DataError: if the person's column is the column of the items.

    >>> from dpviz.data import read_csv
    >>> from dpviz.queries.item_names import Words
    >>> text = read_csv(b"id,word\n1,the\n1,The\n1,a\n2,a\n3,antidisestablishment\n", name="text")
    >>> query = ItemCounts("word", Words(3), Bounds(person="id"))
    >>> indices, counts = query.values(text)
    >>> query.coding.names(indices), counts
    (['a'], array([2]))
    """

    column: str
    coding: Coding
    bounds: Bounds = EACH_ROW_A_PERSON
    _item, _in_row, _order = "item", "in the one item that it names", "the order of the domain"

    def __post_init__(self) -> None:
        self._check()
        if isinstance(self.coding, type) or not callable(getattr(self.coding, "names", None)):
            raise ParameterError(
                "coding must say which items there are, for example WholeNumbers(0, 999)"
            )
        if self.bounds.groups_per_person > self.coding.size:
            raise ParameterError(
                f"groups_per_person must be at most the number of items, {self.coding.size:,}, "
                f"got {self.bounds.groups_per_person}"
            )

    @property
    def sensitivity(self) -> Sensitivity:
        """Largest change of the counts, with m = ℓ₀, or min(2ℓ₀, d) if a person is replaced.

        Δ₁ = m ℓ∞        Δ₂ = √m ℓ∞        Δ∞ = ℓ∞

        >>> from dpviz.queries.item_names import Words
        >>> ItemCounts("word", Words(3), Bounds(person="id", groups_per_person=4)).sensitivity.l2
        2.0
        """
        moved, _, _ = self.bounds.moved(self.coding.size)
        return Sensitivity.bounded(moved, float(self.bounds.rows_per_group))

    @property
    def formula(self) -> str:
        """Δ₂ as formula with the numbers in.

        >>> from dpviz.queries.item_names import Words
        >>> ItemCounts("word", Words(3)).formula
        'Δ₂ = √ℓ₀ · ℓ∞ = √1 · 1 = 1'
        """
        _, name, number = self.bounds.moved(self.coding.size)
        rows = self.bounds.rows_per_group
        return equation("l2", f"{root(name)} · ℓ∞", f"{root(number)} · {rows}", self.sensitivity.l2)

    def values(self, table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The items that somebody has, as indices, ascending, and their counts. Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute the counts.
        """
        with bounded(table, _ByItem(self.column, self.coding), self.bounds, None) as rows:
            counts = rows.group_by("position").aggregate(count=rows.count())
            answer = table.collect(counts.order_by("position"))
        return (
            answer["position"].to_numpy().astype(np.int64),
            answer["count"].to_numpy().astype(np.int64),
        )


@dataclass(frozen=True, slots=True)
class _ByItem:
    """How a row finds its item: by its own text alone."""

    column: str
    coding: Coding

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows whose text is an item; see `Placing.placed`."""
        position = self.coding.position(table.text(self.column))
        rows = table.expression.select(position=position, **carried)
        yield rows.filter(rows.position.notnull())


MOST_TEXTS = 1_000_000


@dataclass(frozen=True, slots=True)
class TextCounts(_PerItem):
    r"""Count people per text of a column, or their rows where ℓ∞ > 1.

    Attributes:
        column: whose texts are counted, as they are written.
        bounds: what one person contributes at most, and the neighbouring relation.

    Raises:
        ParameterError: if the column is no text, or bounds are no `Bounds`.
        DataError: if the person's column is the column of the texts.

    >>> from dpviz.data import read_csv
    >>> trips = read_csv(b"id,to\n1,Rome\n1,Rome\n1,Oslo\n2,Rome\n3,\n", name="trips")
    >>> TextCounts("to", Bounds(person="id", groups_per_person=2)).values(trips)
    {'Oslo': 1, 'Rome': 2}
    """

    column: str
    bounds: Bounds = EACH_ROW_A_PERSON
    _item, _in_row = "text", "for the one text that it holds"
    _order = "the order of the alphabet"

    def __post_init__(self) -> None:
        self._check()

    def values(self, table: Table) -> dict[str, int]:
        """The texts that somebody has, in the order of the alphabet, and their counts. Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute the counts.
            ParameterError: if there are too many texts.
        """
        with bounded(table, _ByText(self.column), self.bounds, None) as rows:
            counts = rows.group_by("position").aggregate(count=rows.count())
            answer = table.collect(counts.order_by("position").limit(MOST_TEXTS + 1))
        if len(answer) > MOST_TEXTS:
            raise ParameterError(
                f"{quoted(self.column)} has more than {MOST_TEXTS:,} texts, which are no list; "
                "choose another column"
            )
        return dict(zip(answer["position"].to_pylist(), answer["count"].to_pylist(), strict=True))


@dataclass(frozen=True, slots=True)
class _ByText:
    """How a row finds its text: it is its own place, so that others do not move it."""

    column: str

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows that hold a text; see `Placing.placed`."""
        rows = table.expression.select(position=table.text(self.column), **carried)
        yield rows.filter(rows.position.notnull())
