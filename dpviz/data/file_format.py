"""How a file became a table: facts of its format, none of the people in it."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz import checks
from dpviz.words.names import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """What was found of a file's format, or chosen, when it was read.

    Attributes:
        encoding: of a text file, see `dpviz.data.text`; None of other files.
        chosen: whether somebody chose it.
        sheet: the sheet that was read; None of files without sheets.
        sheets: all sheets with cells, hidden ones last.
        packed: whether the file was compressed by gzip.
        unnamed: positions, from 1, of the columns that had no name and were given one.
    """

    encoding: str | None = None
    chosen: bool = False
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    packed: bool = False
    unnamed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for position in self.unnamed:
            checks.whole(1, unnamed=position)

    def loading(self, name: str) -> str:
        """The expression that reads the file of this name in the same way.

        >>> FileFormat(sheet="2026", sheets=("2025", "2026")).loading("people.xlsx")
        "read_table('people.xlsx', sheet='2026')"
        """
        more = f", encoding={self.encoding!r}" if self.chosen else ""
        if self.sheets and self.sheet != self.sheets[0]:
            more += f", sheet={self.sheet!r}"
        return f"read_table({name!r}{more})"


def name_columns(header: Iterable[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names to be seen in full; empty ones become "column 7", different from all others.

    Returns:
        The names, and the positions, from 1, of those that were empty.

    >>> name_columns(["id", " ", "column 2"])
    (('id', 'column 2 (2)', 'column 2'), (2,))
    """
    names = [visible(name.strip()) for name in header]
    unnamed = tuple(i for i, name in enumerate(names, start=1) if not name)
    taken = set(names)
    for position in unnamed:
        given, number = f"column {position}", 1
        while given in taken:
            number += 1
            given = f"column {position} ({number})"
        names[position - 1] = given
        taken.add(given)
    return tuple(names), unnamed
