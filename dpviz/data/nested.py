"""Columns that hold more than one value a row: they are named, and can be left out."""

from collections.abc import Sequence

from dpviz.errors import DataError
from dpviz.words import join
from dpviz.words.names import quoted

MORE = "lists, records or bytes"
_NAMED = 3  # columns in a sentence


class NestedError(DataError):
    """Columns hold what no row of a table can; the file can be read without them.

    Attributes:
        columns: their names.
    """

    def __init__(self, columns: Sequence[str], what: str = MORE) -> None:
        self.columns = tuple(columns)
        named = join([quoted(name) for name in self.columns], most=_NAMED)
        one = len(self.columns) == 1
        super().__init__(
            f"the column{'' if one else 's'} {named} {'holds' if one else 'hold'} {what}; leave "
            f"{'it' if one else 'them'} out, or give each row one value per column"
        )


def check_left_out(names: Sequence[str], left_out: Sequence[str]) -> None:
    """Refuse to leave out a column that is not there, or all of them.

    Raises:
        DataError: names the first column that is not there.

    >>> check_left_out(("id", "tags"), ("tags",))
    """
    for name in left_out:
        if name not in names:
            raise DataError(
                f"the file has no column {quoted(name)} to leave out; check how it is written"
            )
    if set(names) <= set(left_out):
        raise DataError("no column would be left; leave out fewer")


def left_marks(left_out: Sequence[str]) -> tuple[str, ...]:
    """What `dpviz.data.read.digest_of` takes of columns that are left out; nothing of none.

    >>> left_marks(["tags"]), left_marks([])
    (("without ['tags']",), ())
    """
    return (f"without {sorted(left_out)}",) if left_out else ()
