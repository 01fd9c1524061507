"""How a file became a table: facts of its format, and what was chosen; none of the people in it.

Columns that hold more than one value a row: they are named, and can be left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from dpviz import checks
from dpviz.errors import DataError
from dpviz.words import join
from dpviz.words.names import quoted, visible

_QUOTES = ("''", '""', "``", "´´", "‘’", "“”", "„“", "«»")  # around a name: left and right


@dataclass(frozen=True, slots=True, kw_only=True)
class HowRead:
    """What somebody chose for reading a file; by default nothing.

    Attributes:
        encoding: of text, see `dpviz.data.text`.
        sheet: of a workbook.
        header: the row with the names of the columns, from 1, of a workbook or a CSV file.
        leave_out: names of columns that are not read, of a Parquet or a JSON Lines file.

    >>> HowRead(header=3).chosen
    {'header': 3}
    """

    encoding: str | None = None
    sheet: str | None = None
    header: int | None = None
    leave_out: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.header is not None:
            object.__setattr__(self, "header", checks.integer(1, header=self.header))
        left = tuple(checks.listed(leave_out=self.leave_out))
        for name in left:
            checks.instance(str, leave_out=name)
        object.__setattr__(self, "leave_out", left)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was chosen, by the names under which readers take it."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @property
    def described(self) -> str:
        """What was chosen, in words; empty if nothing was.

        >>> HowRead(sheet="2026", header=3).described
        'from the sheet “2026”, with the names in row 3'
        """
        left = join([quoted(name) for name in self.leave_out])
        said = (
            self.sheet is not None and f"from the sheet {quoted(self.sheet)}",
            self.header is not None and f"with the names in row {self.header:,}",
            self.encoding is not None and f"as {self.encoding} text",
            left and f"without {left}",
        )
        return ", ".join(words for words in said if words)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """What was found of a file's format, or chosen, when it was read.

    Attributes:
        kind: of a file of a statistics program, or of JSON Lines; empty of others.
        encoding: of a text file, see `dpviz.data.text`; None of other files.
        chosen: whether somebody chose it.
        sheet: the sheet that was read; None of files without sheets.
        sheets: all sheets with cells, hidden ones last.
        packed: whether the file was compressed by gzip.
        unnamed: positions, from 1, of the columns that had no name and were given one.
        header: the row with the names, where another than the first one was chosen.
        merged: whether merged cells were filled with their value.
        left_out: names of columns that were left out.
        emptied: whether rows without any value were left out.
        labels: what the file's own codebook calls the values of a column, by the column's name.
        missing: columns of which the file declares values that stand for nothing known.
    """

    kind: str = ""
    encoding: str | None = None
    chosen: bool = False
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    packed: bool = False
    unnamed: tuple[int, ...] = ()
    header: int | None = None
    merged: bool = False
    left_out: tuple[str, ...] = ()
    emptied: bool = False
    labels: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for position in (*self.unnamed, *([] if self.header is None else [self.header])):
            checks.whole(1, unnamed=position)

    @classmethod
    def chosen_as(cls, how: HowRead) -> "FileFormat":
        """What is known of a file that is not loaded: how it was read.

        >>> FileFormat.chosen_as(HowRead(sheet="2026")).how.sheet
        '2026'
        """
        return cls(
            encoding=how.encoding,
            chosen=how.encoding is not None,
            sheet=how.sheet,
            header=how.header,
            left_out=tuple(how.leave_out),
        )

    @property
    def how(self) -> HowRead:
        """What somebody chose, so that the same file can be read in the same way again.

        >>> FileFormat(sheet="2026", sheets=("2025", "2026")).how.chosen
        {'sheet': '2026'}
        """
        return HowRead(
            encoding=self.encoding if self.chosen else None,
            sheet=None if self.sheet in (None, *self.sheets[:1]) else self.sheet,
            header=self.header,
            leave_out=self.left_out,
        )

    def labels_of(self, column: str) -> tuple[tuple[str, str], ...]:
        """Values of a column, each with what the file's own codebook calls it.

        >>> FileFormat(labels=(("sex", (("1", "men"), ("2", "women"))),)).labels_of("sex")
        (('1', 'men'), ('2', 'women'))
        """
        return dict(self.labels).get(column, ())

    def loading(self, name: str) -> str:
        """The expression that reads the file of this name in the same way.

        >>> FileFormat(sheet="2026", sheets=("2025", "2026"), header=3).loading("people.xlsx")
        "read_table('people.xlsx', sheet='2026', header=3)"
        """
        more = "".join(f", {option}={value!r}" for option, value in self.how.chosen.items())
        return f"read_table({name!r}{more})"


def name_columns(header: Iterable[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names to be seen in full, without quotation marks around them, each of some letters.

    Empty ones become "column 7", different from all others. Where names differ in nothing but
    their quotation marks, all keep them.

    Returns:
        The names, and the positions, from 1, of those that were empty.

    >>> name_columns(["id", " ", "column 2"])
    (('id', 'column 2 (2)', 'column 2'), (2,))
    >>> name_columns(["'popul'", "age"])[0]
    ('popul', 'age')
    """
    written = [visible(name.strip()) for name in header]
    plain = [unquoted(name) for name in written]
    names = plain if _alike(plain) == _alike(written) else written
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


def _alike(names: list[str]) -> int:
    """How many names are there already."""
    return len(names) - len({*names})


def unquoted(name: str) -> str:
    r"""A name without the one pair of quotation marks around all of it.

    >>> unquoted("'popul'"), unquoted("'t Hooft"), unquoted("'a' or 'b'")
    ('popul', "'t Hooft", "'a' or 'b'")
    """
    inside = name[1:-1].strip()
    if len(name) < 3 or not inside or name[0] + name[-1] not in _QUOTES:
        return name
    return name if name[0] in inside or name[-1] in inside else inside


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
