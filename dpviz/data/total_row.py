"""A last row that is no record but a total of those above, which would be counted like any other.

It is known by a word such as Total or Summe, by a first text that begins so and stands in no other
row, such as "Total 2024", or by its numbers, which are the sums of those above. Empty rows and a
few notes below it, such as a source, do not hide it.
It is left out by what stands in one of its columns, so that each row is still looked at by itself,
a file with another person in it is read alike, and so is next year's. What leaves the engine is of
a row that is about nobody: so this is no look at the data, in either mode. Limits: of a file that
ends with two such rows, the last is found first; where nothing in it is its own but the sums, the
file has to be changed, since a reading that names a sum would tell it.
"""

import functools
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpviz.data.table import Table
from dpviz.errors import ParameterError

_WORDS = (  # small, in the languages of files
    *("total", "totals", "grand total", "sum", "σ", "∑"),
    *("totaux", "subtotal", "sub total", "sub-total", "sous-total", "sous total", "zwischensumme"),
    *("totale", "totaal", "eindtotaal", "gesamtergebnis", "gesamt", "gesamtsumme", "insgesamt"),
    *("summe", "somme", "ensemble", "somma"),
    *("suma", "soma", "som", "summa", "totalt", "i alt", "yhteensä", "razem", "ogółem", "celkem"),
    *("összesen", "toplam", "σύνολο", "итого", "всего", "合計", "合计", "总计"),
)
_BEGINNINGS = (  # of a text in which more follows, such as what is added, or the year
    *("total", "totals", "totale", "totaux", "totaal", "grand total", "subtotal", "sub-total"),
    *("sous-total", "summe", "gesamtsumme", "somme", "suma", "soma"),
)
_ENDS = " \t\u00a0\u202f:.*–—-=#"
_LONGEST = 40  # of a text that begins so: longer ones are what somebody wrote
_LEAST = 3  # rows above, so that a number is the sum of the others by chance no more
_NOTES = 5  # rows with one text and nothing else, below a total
_MOST = 40  # columns of numbers that are added
_CLOSE = 1e-9  # relative; floats add up to so much of the sum
_NUMBERS = ("int64", "uint64", "float64")


@dataclass(frozen=True, slots=True)
class TotalRow:
    """What tells the last row of a table from a record.

    Attributes:
        column: in which it has a text that tells it; empty where there is none.
        text: that text; empty where the cell is, alone in its column.
        sums: whether its numbers are the sums of those above.
    """

    column: str
    text: str
    sums: bool


def find_total_row(table: Table) -> TotalRow | None:
    r"""Find out whether the last row of a table is a total.

    Returns:
        None where it looks like any other; and for a table that stays in its engine, which has no
        last row.

    Raises:
        DataError: if the table was closed, or the engine cannot compute it.

    >>> from dpviz.data import read_csv
    >>> find_total_row(read_csv(b"id;cost\n1;20\n2;22\nTotal;42\n", name="costs.csv"))
    TotalRow(column='id', text='Total', sums=False)
    """
    if table.seconds is not None:
        return None
    names = [column.name for column in table.columns]
    texts = {f"t{i}": (table.loaded or table).text(name) for i, name in enumerate(names)}
    rows = table.expression.select(**texts, **table.turns())
    there = rows.filter(functools.reduce(operator.or_, [rows[t].notnull() for t in texts]))
    ends = there.order_by(there.place.desc()).limit(_NOTES + 1)
    for last in table.collect(ends, keep=False).to_pylist():
        written = [last[name] for name in texts]
        found = _told_by(table, rows, names, written, last["place"])
        if found is not None or sum(text is not None for text in written) > 1:
            return found
    return None


def _told_by(
    table: Table, rows: Any, names: list[str], written: list[str | None], place: int
) -> TotalRow | None:
    """What tells a row from a record, if it is a total."""
    for name, text in zip(names, written, strict=True):
        if text is not None and _bare(text) in _WORDS:
            return TotalRow(name, text, sums=False)
    first = next(i for i, text in enumerate(written) if text is not None)
    if _begins(_bare(written[first] or "")):
        only = [text if i == first else None for i, text in enumerate(written)]
        column, text = _own(table, rows, names, only)
        if text:
            return TotalRow(column, text, sums=False)
    if not _is_sum(table, place):
        return None
    column, text = _own(table, rows, names, written)
    return TotalRow(column, text, sums=True)


def without_total_row(table: Table, found: TotalRow) -> Table:
    r"""The same table without the row, and without any other in which the same is written.

    Args:
        table: in which it was found.
        found: the row.

    Raises:
        ParameterError: if nothing but its sums tells it from other rows.

    >>> from dpviz.data import read_csv
    >>> table = read_csv(b"id;cost\n1;20\n2;22\nTotal;42\n", name="costs.csv")
    >>> without_total_row(table, find_total_row(table)).reading("id").left_out
    ('Total',)
    """
    if not found.column:
        raise ParameterError(
            "there is no way to leave this row out, because nothing but its sums tells it from "
            "others; delete it in the file, and load the file again"
        )
    reading = table.reading(found.column)
    left_out = (*reading.left_out, found.text)
    return table.read_as({found.column: replace(reading, left_out=left_out)})


def _bare(text: str) -> str:
    """A text without what may stand around a word, small."""
    return " ".join(text.strip(_ENDS).casefold().split())


def _begins(text: str) -> bool:
    """Whether a text that was bared begins with a word for a total, and goes on a little.

    >>> _begins("total (n = 39)"), _begins("totalenergies")
    (True, False)
    """
    return len(text) <= _LONGEST and any(
        text.startswith((f"{word} ", f"{word}:", f"{word},")) for word in _BEGINNINGS
    )


def _is_sum(table: Table, place: int) -> bool:
    """Whether every number of the last row is the sum of those above, and one is no number there.

    A sum that is as large as one of them alone may be a record like that one.
    """
    found = zip(table.columns, table.types, strict=True)
    names = [column.name for column, its in found if its in _NUMBERS][:_MOST]
    numbers = {f"n{i}": table.number(name) for i, name in enumerate(names)}
    rows = table.expression.select(**numbers, **table.turns())
    above = rows.place < place
    asked = {"rows": above.sum()}
    for name in numbers:
        asked[f"sum_{name}"] = above.ifelse(rows[name], None).sum()
        asked[f"most_{name}"] = above.ifelse(rows[name].abs(), None).max()
        asked[f"last_{name}"] = above.ifelse(None, rows[name]).max()
    answer = _one(table, rows.aggregate(**asked))
    there = [name for name in numbers if answer[f"last_{name}"] is not None]
    return (
        (answer["rows"] or 0) >= _LEAST
        and all(_equal(answer[f"sum_{name}"], answer[f"last_{name}"]) for name in there)
        and any(abs(answer[f"last_{name}"]) > answer[f"most_{name}"] for name in there)
    )


def _equal(total: float | None, last: float) -> bool:
    return total is not None and math.isclose(total, last, rel_tol=_CLOSE)


def _own(table: Table, rows: Any, names: list[str], written: list[str | None]) -> tuple[str, str]:
    """The first column in which the last row has a text of its own, else no text, alone there."""
    kinds = [column.kind for column in table.columns]
    asked = {
        f"t{i}": (rows[f"t{i}"].isnull() if text is None else rows[f"t{i}"] == text).sum()
        for i, text in enumerate(written)
        if text is None or kinds[i] == "text"
    }
    answer = _one(table, rows.aggregate(**asked)) if asked else {}
    alone = [int(name[1:]) for name, times in answer.items() if times == 1]
    for i in sorted(alone, key=lambda i: written[i] is None):
        return names[i], written[i] or ""
    return "", ""


def _one(table: Table, expression: Any) -> Mapping[str, Any]:
    """The one row of an answer; nothing where there is none."""
    found = table.collect(expression, keep=False).to_pylist()
    return found[0] if found else {}
