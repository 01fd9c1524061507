"""Which groups are still readable at a tier: the error ±a against the size of the group.

    relative error = a / size        readable: at most the limit, e.g. 0.1

Sizes are what somebody expects and types, from public knowledge; they are never read from the data.
Limits: counts and sums, whose ±a is the same for every group. The error of a mean depends on its
own group's released count and is read off the release (`Query.interval`).
"""

from collections.abc import Mapping, Sequence

from dpviz.errors import ParameterError
from dpviz.parameters import SIZE


def rename_sizes(text: str, named: Mapping[str, str]) -> str:
    r"""Typed sizes under other names of the groups; what names none of them stays as it is.

    Args:
        text: what was typed, as for `read_sizes`.
        named: new name of each group, by its former one.

    >>> rename_sizes("A: 120\nC: 3", {"A": "north", "B": "south"})
    'north: 120\nC: 3'
    """
    lines = [line.rpartition(":") for line in text.splitlines()]
    found = [(named.get(group.strip(), group), colon, size) for group, colon, size in lines]
    return "\n".join(map("".join, found))


def read_sizes(text: str, labels: Sequence[str]) -> dict[str, float]:
    """Read typed sizes: one number for all groups, or a line "group: 120" for each that matters.

    Args:
        text: what was typed; empty lines do not count.
        labels: names of the groups.

    Returns:
        Expected size of each group that has one, in the order of `labels`.

    Raises:
        ParameterError: one sentence that names the line and says what to type instead.

    >>> read_sizes("120", ["north", "south"])
    {'north': 120.0, 'south': 120.0}
    >>> read_sizes("south: 80", ["north", "south"])
    {'south': 80.0}
    """
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), start=1)]
    lines = [(n, line) for n, line in lines if line]
    if not lines:
        raise ParameterError("No size is typed. Type one for all groups, for example 120.")
    if len(lines) == 1 and ":" not in lines[0][1]:
        return dict.fromkeys(labels, SIZE.read(lines[0][1], where="Size of a group"))
    known = set(labels)
    typed: dict[str, float] = {}
    for number, line in lines:
        group, colon, size_text = (part.strip() for part in line.rpartition(":"))
        if not colon or group not in known:
            raise ParameterError(
                f"Line {number} of the sizes names no group of this statistic. "
                "Type the group as it is listed, a colon and a number, for example north: 120."
            )
        if group in typed:
            raise ParameterError(f"Line {number} of the sizes names a group again. Delete one.")
        typed[group] = SIZE.read(size_text, where=f"Size in line {number}")
    return {label: typed[label] for label in labels if label in typed}
