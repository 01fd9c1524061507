"""A table that is not loaded: its name, and the mark by which its project knows it again.

It is a table that was closed, so whatever needs its rows is refused.
"""

import io

from dpviz.data import Table

_AWAY = "not loaded: "


def absent_table(name: str, mark: str) -> Table:
    """The place of a table that is not loaded.

    >>> absent_table("visits.csv", "0f")
    Table(“visits.csv”, 0 columns)
    """
    table = Table(name=name, digest=_AWAY + mark, columns=(), types=(), connection=io.BytesIO())
    table.close()
    return table


def is_absent(table: Table) -> bool:
    """Whether the table is not loaded.

    >>> is_absent(absent_table("visits.csv", "0f"))
    True
    """
    return table.digest.startswith(_AWAY)


def mark_of_absent(table: Table) -> str:
    """The mark of a table that is not loaded.

    >>> mark_of_absent(absent_table("visits.csv", "0f"))
    '0f'
    """
    return table.digest.removeprefix(_AWAY)
