"""How a column writes its values, by their form alone: what groups on a list are compared with.

It is known without a word of warning, in both modes, and no hand-out notes it: like the type that a
column is found to have when its file is read, it says what *every* value is like, such as that each
has 5 characters. One value that is not so hides it; none can be told from it, nor how many there
are, nor which.
"""

import re
from dataclasses import dataclass

from dpviz import checks
from dpviz.data.table import Kind, Table

_SHAPES: dict[Kind, str] = {  # what a value of each type looks like; of a text see `Form.fits`
    "whole number": r"-?(0|[1-9][0-9]*)",
    "number": r"-?[0-9]*(\.[0-9]*)?([eE][+-][0-9]{1,2})?",
    "yes/no": "(?i:true|false)",
    "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "time": "[0-9T:. Z-]+",
}
_WORDS: dict[Kind, str] = {
    "whole number": "whole numbers without leading zeros",
    "number": "numbers with a decimal point",
    "yes/no": "true or false",
    "date": "dates such as 2025-12-31",
    "time": "dates or times such as 2025-12-31 14:05",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What every value of a column is like, as it is compared with a list.

    Attributes:
        kind: what the file was found to hold.
        length: of every value, in characters; None where values differ, or there are none.
        digits: whether every value is made of digits alone, so that some begin with a zero.

    >>> Form(kind="text", length=5, digits=True).described
    '5 characters, leading zeros kept'
    """

    kind: Kind
    length: int | None = None
    digits: bool = False

    def __post_init__(self) -> None:
        if self.length is not None:
            checks.whole(1, length=self.length)

    @property
    def described(self) -> str:
        """The form in words; empty where nothing is common to all values.

        >>> Form(kind="whole number").described
        'whole numbers without leading zeros'
        """
        if self.kind != "text":
            return _WORDS[self.kind]
        zeros = "leading zeros kept" if self.digits else ""
        if self.length is None:
            return f"digits alone, {zeros}" if zeros else ""
        long = "1 character" if self.length == 1 else f"{self.length:,} characters"
        return f"{long}, {zeros}" if zeros else long

    def fits(self, text: str) -> bool:
        """Whether some value can be written as this text.

        >>> Form(kind="text", length=5, digits=True).fits("1000")
        False
        """
        if self.kind != "text":
            return re.fullmatch(_SHAPES[self.kind], text) is not None
        if self.digits and not (text.isascii() and text.isdigit()):
            return False
        return self.length in (None, len(text))


def form_of(table: Table, column: str) -> Form | None:
    r"""Find the form that every value of a column has, as it is compared with a list.

    Returns:
        None where nobody may ask for it on the way: a table that stays in its engine would be asked
        for all its rows; and of a column that is read as yes or no, whose texts are these.

    Raises:
        DataError: if the table has no such column, or was closed.

    >>> from dpviz.data import read_csv
    >>> towns = read_csv(b"code;name\n01000;Bourg\n01100;Oyonnax\n", name="towns.csv")
    >>> form_of(towns, "code").described
    '5 characters, leading zeros kept'
    >>> form_of(towns, "name")
    Form(kind='text', length=None, digits=False)
    """
    found = (table.loaded or table).column(column).kind
    if table.seconds is not None or table.reading(column).kind == "yes/no":
        return None
    if found != "text":
        return Form(kind=found)
    rows = table.expression.select(text=table.text(column))
    length, digits = rows.text.length(), rows.text.re_search("^[0-9]+$").cast("int64")
    answer = table.collect(
        rows.aggregate(least=length.min(), most=length.max(), digits=digits.min())
    )
    least, most, all_digits = (answer[name][0].as_py() for name in ("least", "most", "digits"))
    return Form(
        kind=found, length=int(most) if least == most and most else None, digits=all_digits == 1
    )
