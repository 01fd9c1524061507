"""Groupings by the values of one or two columns that are on a public list.

Values are compared as text, as written in the file, never by a type that was found by looking at
everybody: the type of a column changes with one odd value, and no sensitivity would hold.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dpviz import checks
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.queries.groupings import MAX_GROUPS, OneColumn


@dataclass(frozen=True, slots=True)
class ByColumn(OneColumn):
    """The values of one column that are on a public list.

    Values are compared as text, as written in the file (`Table.text`); white space at both ends of
    a group is dropped, as it is in the table. Values outside the list and missing values belong
    nowhere, nor is their number shown.

    Attributes:
        column: the column that is grouped.
        groups: public list of the groups, in the order of the statistic; they differ.

    Raises:
        ParameterError: if the groups cannot be used.

    >>> ByColumn("ward", ("A ", "B")).labels
    ('A', 'B')
    """

    groups: tuple[str, ...]

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "groups", _checked_groups(self.groups))

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups."""
        return self.groups

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per group of {self.title}"

    @property
    def described(self) -> str:
        """How values are compared."""
        return (
            f"Values of {self.title} are compared as written with a list of "
            f"{len(self.groups):,}; rows with others, or with none, are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows whose value is on the list; see `Placing.placed`."""
        rows = table.expression.select(key=table.text(self.column), **carried)
        with table.listed(self.groups) as listed:
            yield rows.join(listed, rows.key == listed.value)


@dataclass(frozen=True, slots=True)
class ByTwoColumns:
    """Pairs of values of two columns, each from a public list.

    Attributes:
        first: the first column; all its pairs with one group are together.
        second: the other column.
        labels: the pairs, "a × b".

    Raises:
        ParameterError: if there are too many pairs or two of them read the same.

    >>> ByTwoColumns(ByColumn("ward", ("A", "B")), ByColumn("sex", ("f", "m"))).labels
    ('A × f', 'A × m', 'B × f', 'B × m')
    """

    first: ByColumn
    second: ByColumn
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.instance(ByColumn, first=self.first, second=self.second)
        if self.first.column == self.second.column:
            raise ParameterError("the two columns are the same; choose two different ones")
        pairs = len(self.first.groups) * len(self.second.groups)
        if pairs > MAX_GROUPS:
            raise ParameterError(
                f"there may be at most {MAX_GROUPS:,} pairs of groups, and these lists make "
                f"{pairs:,}; shorten one of them"
            )
        labels = tuple(f"{a} × {b}" for a in self.first.groups for b in self.second.groups)
        if max(Counter(labels).values()) > 1:
            raise ParameterError(
                "two pairs of groups read the same because of a × in a name; count one column only"
            )
        object.__setattr__(self, "labels", labels)

    @property
    def columns(self) -> tuple[str, ...]:
        """The two columns."""
        return (self.first.column, self.second.column)

    @property
    def title(self) -> str:
        """The columns' names."""
        return f"{self.first.title} × {self.second.title}"

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per group of {self.title}"

    @property
    def described(self) -> str:
        """How values are compared."""
        return (
            f"Values of {self.first.title} and {self.second.title} are compared as written with "
            f"lists of {len(self.first.groups):,} and {len(self.second.groups):,}; rows with "
            "others, or with none, in either column are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows with both values on their lists; see `Placing.placed`."""
        width = len(self.first.groups)
        rows = table.expression.select(
            one=table.text(self.first.column), two=table.text(self.second.column), **carried
        )
        with table.listed(self.first.groups + self.second.groups) as both:  # one loan at a time
            ones = both.filter(both.position < width)
            twos = both.filter(both.position >= width)
            ones = ones.select(one=ones.value, high=ones.position)
            twos = twos.select(two=twos.value, low=twos.position - width)
            pairs = rows.join(ones, "one").join(twos, "two")
            yield pairs.mutate(position=pairs.high * len(self.second.groups) + pairs.low)


def _checked_groups(groups: Iterable[str]) -> tuple[str, ...]:
    """The groups without white space around them; sentences name positions, not the groups."""
    trimmed: list[str] = []
    first: dict[str, int] = {}
    for position, group in enumerate(checks.listed(groups=groups), start=1):
        if position > MAX_GROUPS:
            raise ParameterError(f"there may be at most {MAX_GROUPS:,} groups; shorten the list")
        if not isinstance(group, str) or not _storable(group):
            raise ParameterError(f"group {position} is not text; write it as a string")
        text = group.strip()
        if not text:
            raise ParameterError(f"group {position} is empty; write its name or remove it")
        if text in first:
            raise ParameterError(f"groups {first[text]} and {position} are the same; remove one")
        first[text] = position
        trimmed.append(text)
    if not trimmed:
        raise ParameterError("there are no groups; list at least one")
    return tuple(trimmed)


def _storable(text: str) -> bool:
    """Half of a surrogate pair is no character and cannot be handed to the engine."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
