"""How many people have each text of a column: a list that nobody has written down before.

No domain is named: every text that somebody wrote is an item. The same bounds as for items of a
public domain: a person counts in their first ℓ₀ texts in the order of the alphabet, and with their
first ℓ∞ rows of each in the order of the table; both look at one person's rows alone. Which texts
there are is as secret as their counts: publish them as `dpviz.top_k` does.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import DataError, ParameterError
from dpviz.queries.bounds import EACH_ROW_A_PERSON, Bounds
from dpviz.queries.rows import bounded

MOST_TEXTS = 1_000_000


@dataclass(frozen=True, slots=True)
class TextCounts:
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

    def __post_init__(self) -> None:
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
        return f"number of {self.noun} per text of {quoted(self.column)}"

    @property
    def contribution(self) -> str:
        """The rule that bounds what one person contributes."""
        nouns = self.bounds.nouns
        if self.bounds.person is None:
            return f"Each {nouns.row} counts at most once, for the one text that it holds."
        texts, rows = self.bounds.groups_per_person, self.bounds.rows_per_group
        often = "once" if rows == 1 else f"with {rows:,} {nouns.rows}"
        many = "text" if texts == 1 else "texts"
        return (
            f"Each {nouns.one} counts at most {often} per text and in at most {texts:,} {many}: "
            f"{self.bounds.first_in('the order of the alphabet')}. {self.bounds.left_out}"
        )

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
