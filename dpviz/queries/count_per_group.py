"""Number of people per group of one column, with a bound on what one person contributes.

A histogram over a public list of groups. One person moves at most ℓ₀ counts, each by at most 1
(add or remove one person), because the query itself keeps the bound: it counts a person once per
group, and only in the first ℓ₀ of their groups in the order of the list. That rule is fixed and
looks at nobody else, so adding or removing somebody changes nothing for the others; for the same
reason values are compared as written, never by a type that was found by looking at everybody.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.data import Table, quoted
from dpviz.errors import DataError, ParameterError
from dpviz.queries.sensitivity import Sensitivity

MAX_GROUPS = 100_000


@dataclass(frozen=True, slots=True)
class CountPerGroup:
    r"""Count people per group of a column.

    Values and people are compared as text, as written in the file (`Table.text`); white space at
    both ends of a group is dropped, as it is in the table. Values outside the list, missing values,
    and rows without a person are not counted, and how many they are is not told.

    Attributes:
        column: the column that is grouped.
        groups: public list of the groups, in the order of the counts; they differ.
        person: the column that identifies the person; None: each row is one person.
        groups_per_person: ℓ₀, in how many groups a person counts at most.

    Raises:
        ParameterError: if the groups or ℓ₀ cannot be used.
        DataError: if `person` is the column itself.

    >>> from dpviz.data import read_csv
    >>> visits = read_csv(b"id,ward\n1,A\n1,B\n1,B\n2,B\n,A\n", name="visits")
    >>> CountPerGroup("ward", ("A", "B", "C")).counts(visits)
    array([2, 3, 0])
    >>> CountPerGroup("ward", ("A", "B", "C"), person="id", groups_per_person=2).counts(visits)
    array([1, 2, 0])
    >>> CountPerGroup("ward", ("A", "B", "C"), person="id", groups_per_person=1).counts(visits)
    array([1, 1, 0])
    """

    column: str
    groups: tuple[str, ...]
    person: str | None = None
    groups_per_person: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", _checked_groups(self.groups))
        if self.person == self.column:
            raise DataError(
                "the column that names the person cannot also be the column that is counted; "
                "choose another one for either"
            )
        checks.whole(1, groups_per_person=self.groups_per_person)
        if self.person is None and self.groups_per_person != 1:
            raise ParameterError(
                "groups_per_person must be 1 where each row is one person, because a row is in "
                f"one group; got {self.groups_per_person}"
            )
        if self.groups_per_person > len(self.groups):
            raise ParameterError(
                f"groups_per_person must be at most the number of groups, {len(self.groups)}, "
                f"got {self.groups_per_person}"
            )

    def counts(self, table: Table) -> NDArray[np.int64]:
        """The exact counts, shape (number of groups,), in the order of the list. Not private.

        Raises:
            DataError: if the table lacks a column, or the engine cannot compute the counts.
        """
        wanted = {"value": table.text(self.column)}
        if self.person is not None:
            wanted["person"] = table.text(self.person)
        rows = table.expression.select(**wanted)
        with table.listed(self.groups) as listed:
            matched = rows.join(listed, "value")
            if self.person is not None:
                matched = self._bounded(matched)
            answer = table.collect(matched.group_by("position").aggregate(people=matched.count()))
        counts = np.zeros(len(self.groups), dtype=np.int64)
        counts[answer["position"].to_numpy()] = answer["people"].to_numpy()
        return counts

    def _bounded(self, matched: Any) -> Any:
        """Each person once per group, in the first ℓ₀ of their groups in the order of the list."""
        import ibis  # only where it is needed: it takes half a second

        pairs = matched.filter(matched.person.notnull()).select("person", "position").distinct()
        place = ibis.row_number().over(group_by="person", order_by="position")  # from 0
        return pairs.mutate(place=place).filter(lambda row: row.place < self.groups_per_person)

    @property
    def sensitivity(self) -> Sensitivity:
        """Largest change of the counts when one person is added or removed: ℓ₀ counts by 1.

        >>> CountPerGroup("ward", ("A", "B", "C"), person="id", groups_per_person=3).sensitivity.l1
        3.0
        """
        return Sensitivity.bounded(self.groups_per_person)

    @property
    def statistic(self) -> str:
        """What is counted, for people to read."""
        return f"number of people per group of {quoted(self.column)}"

    @property
    def unit(self) -> str:
        """The unit of privacy: what is one person."""
        if self.person is None:
            return "one person = one row"
        return f"one person = all rows with the same {quoted(self.person)}"

    @property
    def neighbours(self) -> str:
        """The neighbouring relation: which two tables the guarantee holds apart."""
        return "add or remove one person"

    @property
    def contribution(self) -> str:
        """The rule that bounds what one person contributes, one or two sentences.

        >>> CountPerGroup("ward", ("A", "B"), person="id").contribution[:56]
        'Each person counts at most once per group and in at most'
        """
        if self.person is None:
            return "Each row counts at most once, in the one group that it names."
        number, many = self.groups_per_person, "group" if self.groups_per_person == 1 else "groups"
        return (
            f"Each person counts at most once per group and in at most {number} {many}: the first "
            f"{number} in the order of the list. "
            f"Rows without {quoted(self.person)} are not counted."
        )


def _checked_groups(groups: Iterable[str]) -> tuple[str, ...]:
    """The groups without white space around them; sentences name positions, not the groups."""
    if isinstance(groups, str) or not isinstance(groups, Iterable):
        raise ParameterError("groups must be a list of texts, one for each group")
    trimmed: list[str] = []
    first: dict[str, int] = {}
    for position, group in enumerate(groups, start=1):
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
