"""Groupings by the values of up to three columns that are on public lists.

Values are compared as text, as written in the file, never by a type that was found by looking at
everybody: the type of a column changes with one odd value, and no sensitivity would hold.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.queries.groupings import MAX_GROUPS, Grouping, OneColumn
from dpviz.words import join


@dataclass(frozen=True, slots=True)
class ByColumn(OneColumn):
    """The values of one column that are on a public list.

    Values are compared as text, as written in the file (`Table.text`); white space at both ends of
    a group is dropped, as it is in the table. Values outside the list and missing values belong
    nowhere, nor is their number shown.

    Attributes:
        column: the column that is grouped.
        groups: public list of the groups, in the order of the statistic; they differ.
        names: what the groups are called where they are shown, one for each; empty: as they are
            written. Only words: under other names it is the same statistic.

    Raises:
        ParameterError: if the groups or their names cannot be used.

    >>> ByColumn("ward", ("A ", "B")).labels
    ('A', 'B')
    >>> ByColumn("sex", ("0", "1"), names=("men", "women")).labels
    ('men', 'women')
    """

    groups: tuple[str, ...]
    names: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "groups", _checked_texts("group", self.groups))
        names = tuple(checks.listed(names=self.names))
        if names:
            names = _checked_texts("name", names)
            if len(names) != len(self.groups):
                raise ParameterError(
                    f"there are {len(names):,} names for {len(self.groups):,} groups; give each "
                    "group one, or none"
                )
        object.__setattr__(self, "names", () if names == self.groups else names)

    @classmethod
    def coded(cls, table: Table, column: str) -> "ByColumn":
        """The values that the file's own codebook lists for a column, by what it calls them.

        The people who designed the table wrote that list (value labels of Stata or SPSS), so it
        does not depend on the rows. Values that the column's reading takes for missing are not on
        it.

        Raises:
            ParameterError: if the codebook lists no value of this column, or too many, or the
                column is read as yes or no.
            DataError: if the table has no such column.
        """
        reading = table.reading(column)
        listed = dict(table.file.labels_of(table.column(column).name))
        pairs = [(code, name) for code, name in listed.items() if code not in reading.missing]
        if not pairs or reading.kind == "yes/no":
            raise ParameterError(f"the codebook lists no values of {quoted(column)}; type groups")
        often = Counter(name for _, name in pairs)
        names = (name if often[name] == 1 else f"{name} ({code})" for code, name in pairs)
        return cls(column, tuple(code for code, _ in pairs), tuple(names))

    @property
    def labels(self) -> tuple[str, ...]:
        """The groups, as they are shown."""
        return self.names or self.groups

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
        rows = table.expression.select(key0=table.text(self.column), **carried)
        with self._among(table, rows) as found:
            yield found

    @contextmanager
    def tallied(self, table: Table) -> Iterator[Any]:
        """The values on the list, with how many rows have them; see `Tallying.tallied`."""
        with self._among(table, table.tallied([self.column])) as found:
            yield found

    @contextmanager
    def _among(self, table: Table, rows: Any) -> Iterator[Any]:
        """Those of the rows whose key is on the list, with its place."""
        with table.listed(self.groups) as listed:
            yield rows.join(listed, rows.key0 == listed.value)


@dataclass(frozen=True, slots=True)
class _Combined:
    """What combinations of values of several columns have in common."""

    first: ByColumn
    second: ByColumn

    @property
    def parts(self) -> tuple[ByColumn, ...]:
        """The columns with their lists."""
        return (self.first, self.second)

    def _checked(self, called: str) -> tuple[str, ...]:
        """The names of the combinations, or why no combination can be used."""
        lists = self.parts
        for place, part in zip(("first", "second", "third"), lists, strict=False):
            checks.instance(ByColumn, **{place: part})
        if len({part.column for part in lists}) < len(lists):
            raise ParameterError(
                "the two columns are the same; choose two different ones"
                if len(lists) == 2
                else "two of the three columns are the same; choose different ones"
            )
        made = math.prod(len(part.groups) for part in lists)
        if made > MAX_GROUPS:
            raise ParameterError(
                f"there may be at most {MAX_GROUPS:,} {called} of groups, and these lists make "
                f"{made:,}; shorten one of them"
            )
        labels = tuple(" × ".join(each) for each in itertools.product(*(p.labels for p in lists)))
        if max(Counter(labels).values()) > 1:
            raise ParameterError(
                f"two {called} of groups read the same because of a × in a name; count one column "
                "only"
            )
        return labels

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(part.column for part in self.parts)

    @property
    def title(self) -> str:
        """The columns' names."""
        return " × ".join(part.title for part in self.parts)

    @property
    def per(self) -> str:
        """The cut, in words."""
        return f" per group of {self.title}"

    @property
    def described(self) -> str:
        """How values are compared."""
        lists = join([f"{len(part.groups):,}" for part in self.parts])
        where = "either column" if len(self.parts) == 2 else "any of these columns"
        return (
            f"Values of {join([part.title for part in self.parts])} are compared as written with "
            f"lists of {lists}; rows with others, or with none, in {where} are not counted."
        )

    @contextmanager
    def placed(self, table: Table, carried: Mapping[str, Any]) -> Iterator[Any]:
        """The rows with all values on their lists; see `Placing.placed`."""
        keys = {f"key{i}": table.text(part.column) for i, part in enumerate(self.parts)}
        with self._among(table, table.expression.select(**keys, **carried)) as found:
            yield found

    @contextmanager
    def tallied(self, table: Table) -> Iterator[Any]:
        """The combinations on the lists, with how many rows have them; see `Tallying.tallied`."""
        with self._among(table, table.tallied(self.columns)) as found:
            yield found

    @contextmanager
    def _among(self, table: Table, rows: Any) -> Iterator[Any]:
        """Those of the rows whose keys are all on their lists, with their place."""
        with table.listed([g for part in self.parts for g in part.groups]) as every:
            start = 0  # all lists in one loan, since one at a time is lent
            for i, part in enumerate(self.parts):
                mine = every.filter(every.position.between(start, start + len(part.groups) - 1))
                place = {f"key{i}": mine.value, f"place{i}": mine.position - start}
                rows = rows.join(mine.select(**place), f"key{i}")
                start += len(part.groups)
            position = rows["place0"]
            for i, part in enumerate(self.parts[1:], start=1):
                position = position * len(part.groups) + rows[f"place{i}"]
            yield rows.mutate(position=position)


@dataclass(frozen=True, slots=True)
class ByTwoColumns(_Combined):
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

    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", self._checked("pairs"))


@dataclass(frozen=True, slots=True)
class ByThreeColumns(_Combined):
    """Combinations of values of three columns, each from a public list.

    Attributes:
        first: the first column; all its combinations with one group are together.
        second: the second column.
        third: the third one, which changes from each group to the next.
        labels: the combinations, "a × b × c".

    Raises:
        ParameterError: if there are too many combinations or two of them read the same.

    >>> smoker, treated = (ByColumn(c, ("1", "0"), (c, f"no {c}")) for c in ("smoker", "treated"))
    >>> ByThreeColumns(smoker, treated, ByColumn("sex", ("f", "m"))).labels[:3]
    ('smoker × treated × f', 'smoker × treated × m', 'smoker × no treated × f')
    """

    third: ByColumn
    labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", self._checked("combinations"))

    @property
    def parts(self) -> tuple[ByColumn, ...]:
        """The columns with their lists."""
        return (self.first, self.second, self.third)


def listed_in(by: Grouping) -> tuple[ByColumn, ...]:
    """The columns of a grouping whose groups are a list, with their lists.

    >>> listed_in(ByTwoColumns(ByColumn("ward", ("A",)), ByColumn("sex", ("f", "m"))))[1].groups
    ('f', 'm')
    """
    if isinstance(by, ByTwoColumns | ByThreeColumns):
        return by.parts
    return (by,) if isinstance(by, ByColumn) else ()


def _checked_texts(what: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Groups, or names of them, without white space around; sentences name positions, no text."""
    trimmed: list[str] = []
    first: dict[str, int] = {}
    for position, each in enumerate(checks.listed(**{f"{what}s": texts}), start=1):
        if position > MAX_GROUPS:
            raise ParameterError(f"there may be at most {MAX_GROUPS:,} {what}s; shorten the list")
        if not isinstance(each, str) or not _storable(each):
            raise ParameterError(f"{what} {position} is not text; write it as a string")
        text = each.strip()
        if not text:
            raise ParameterError(f"{what} {position} is empty; write one or remove it")
        if text in first:
            raise ParameterError(f"{what}s {first[text]} and {position} are the same; remove one")
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
