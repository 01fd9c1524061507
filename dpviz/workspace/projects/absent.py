"""A table that is not loaded: its name, how its columns are read, and the mark that it is known by.

It is a table that was closed, so whatever needs its rows is refused.
"""

import io

from dpviz.data import Table
from dpviz.workspace.plan_file.schema import Readings

_AWAY = "not loaded: "


def absent_table(name: str, mark: str, readings: Readings = ()) -> Table:
    """The place of a table that is not loaded.

    >>> absent_table("visits.csv", "0f")
    Table(“visits.csv”, 0 columns)
    """
    table = Table(
        name=name,
        digest=digest_of_absent(mark),
        columns=(),
        types=(),
        connection=io.BytesIO(),
        readings=readings,
    )
    table.close()
    return table


def digest_of_absent(mark: str) -> str:
    """What stands in the place of the digest while the table of this mark is not loaded.

    >>> absent_table("visits.csv", "0f").digest == digest_of_absent("0f")
    True
    """
    return _AWAY + mark


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
