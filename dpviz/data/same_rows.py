"""What the rows of a table are known by: the same in another order, or in another file.

Each row is hashed by itself, its columns sorted by their names, and the hashes are added modulo
2^128. So the order of rows and columns, line ends, encodings and the format of the file make no
difference, a row that is there twice counts twice, and no row is kept. What is hashed of a value is
one text for all the ways in which files write it:

    numbers         by their value: 1, 1.0, 1,0 and 1e0; but codes such as 007 by their digits
    dates, times    by what they say: midnight is the day, 13:05 is 13:05:00, T and Z do not count
    yes and no      true, True and TRUE
    missing         empty, NA, NaN, N/A, null, None
    text            as it is, without white space at its ends

Left out is where each row stood before, which pandas writes as columns `__index_level_0__`.

Limits: a table with one row more, or one letter changed, or of which a spreadsheet dropped the last
digits, has another mark: no mark can tell that it is nearly the same. Sums of hashes are no seal
against people who choose the rows: who wants two tables of one mark can find them. Nor is a mark
secret, as rows can be guessed from it: what is kept of it goes through a secret key first. A table
that stays in an engine is known by its place, whatever rows it has by now.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from dpviz.data.engine import TABLE
from dpviz.data.engines.duck import FAILED, Embedded
from dpviz.data.table import Table
from dpviz.errors import DataError

_LIMBS = 2  # of 64 bits, added one by one
_AT_ONCE = 100  # columns that are planned one by one
_BATCH = 100_000  # rows that are taken from the engine together
_ROW_NUMBERS = re.compile(r"__index_level_\d+__")
_WORDS = "'na', 'nan', 'n/a', 'null', 'none'"
_LONGEST_WORD = 5
_DECIMAL = r"-?((0|[1-9]\d*)([.,]\d*)?|[.,]\d+)([eE][+-]?\d{1,3})?"
_CLOCK = r"\d\d:\d\d(:\d\d(\.\d+)?)?"
_MOMENT = rf"\d{{4}}-\d\d-\d\d[ T]{_CLOCK}(Z|[+-]00(:?00)?)?"
_MICROSECONDS = len("00:00:00.000000")


def rows_mark(table: Table) -> str:
    r"""What the rows of a table are known by, in whatever order and file: 64 hexadecimal digits.

    Computed in one pass, in about the time that reading takes, and once for a table.

    Args:
        table: loaded, or marked before.

    Raises:
        DataError: if it was closed, or the engine cannot.

    >>> from dpviz.data import read_csv
    >>> one, other = read_csv(b"id,pay\n1,20\n2,\n"), read_csv(b"pay;id\r\n;2\r\n20.0;1\r\n")
    >>> rows_mark(one) == rows_mark(other) != rows_mark(read_csv(b"id,pay\n1,20\n"))
    True
    """
    return table.engine.place or _marked(table, _of_rows)


def texts_mark(table: Table) -> str:
    r"""What all texts of a table are known by, in the order of its rows: 64 hexadecimal digits.

    Tables of the same one answer every question alike; only the bytes of their files differ.

    Args:
        table: as for `rows_mark`.

    Raises:
        DataError: as `rows_mark`.

    >>> from dpviz.data import read_csv
    >>> one, other = read_csv(b"id,pay\n1,20\n"), read_csv(b"id;pay\r\n1;20\r\n")
    >>> texts_mark(one) == texts_mark(other) != texts_mark(read_csv(b"id,pay\n1,20.0\n"))
    True
    """
    return table.digest if table.engine.place else _marked(table, _of_texts)


def _marked(table: Table, mark: Callable[[Any, Sequence[str], Sequence[str]], str]) -> str:
    """A mark of the rows in memory, also for the same table read otherwise."""
    import duckdb

    file, marks = table.loaded or table, table.engine.marks
    names = [column.name for column in file.columns]
    if mark.__name__ not in marks:
        try:
            with table.in_turn():
                marks[mark.__name__] = mark(
                    cast(Embedded, table.engine).connection, names, file.types
                )
        except duckdb.Error:  # it may quote values, so it is dropped
            pass
    if mark.__name__ not in marks:
        raise DataError(FAILED)
    return marks[mark.__name__]


def _of_rows(connection: Any, names: Sequence[str], types: Sequence[str]) -> str:
    told = [place for place, name in enumerate(names) if not _ROW_NUMBERS.fullmatch(name)]
    places = sorted(told or range(len(names)), key=lambda place: names[place])
    limbs = ", ".join(
        f"sum(CAST('0x' || substr(h, {1 + 16 * limb}, 16) AS UBIGINT))" for limb in range(_LIMBS)
    )
    rows = _wide(places) if len(places) > _AT_ONCE else _narrow(places, types)
    asked = f"SELECT count(*), {limbs} FROM (SELECT sha256(row) AS h FROM ({rows}))"
    (found,) = connection.execute(asked).fetchall()
    kept = [int(each or 0) % 2**64 for each in found[1:]]
    return _digest(["rows", [names[place] for place in places], found[0], kept])


def _of_texts(connection: Any, names: Sequence[str], _types: Sequence[str]) -> str:
    lengths = [hashlib.sha256() for _ in names]
    texts = [hashlib.sha256() for _ in names]
    asked = ", ".join(
        f"CAST(coalesce(strlen(c{i}), -1) AS BIGINT), c{i}" for i in range(len(names))
    )
    for batch in connection.sql(f"SELECT {asked} FROM {TABLE}").to_arrow_reader(_BATCH):
        for i, (length, text) in enumerate(zip(lengths, texts, strict=True)):
            length.update(batch.column(2 * i).to_numpy().astype("<i8").tobytes())
            text.update(_bytes_of(batch.column(2 * i + 1)))
    found = zip(names, lengths, texts, strict=True)
    return _digest(["texts", sorted((n, a.hexdigest(), b.hexdigest()) for n, a, b in found)])


def _bytes_of(texts: Any) -> memoryview:
    """The bytes of the texts of an Arrow array, one after the other."""
    plain = texts.cast("large_string")
    _, ends, content = plain.buffers()
    places = memoryview(ends).cast("q")
    first, last = places[plain.offset], places[plain.offset + len(plain)]
    return memoryview(content or b"")[first:last]


def _digest(parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _narrow(places: Sequence[int], types: Sequence[str]) -> str:
    """SQL of one text for each row; each value says where it ends, so no two rows look alike."""
    said = ", ".join(f"{_said(f'c{place}', types[place])} AS s{place}" for place in places)
    ends = ", ".join(f"{_ended(f's{place}')}" for place in places)
    return f"SELECT concat({ends}) AS row FROM (SELECT {said} FROM {TABLE})"


def _wide(places: Sequence[int]) -> str:
    """The same of many columns: slower for each value, but planned at once and not in minutes."""
    values = f"[{', '.join(f'c{place}' for place in places)}]"
    said = f"list_transform({values}, lambda c: {_said('c', 'string')})"
    return f"""SELECT array_to_string(list_transform({said}, lambda s: {_ended("s")}), '') AS row
        FROM {TABLE}"""


def _ended(text: str) -> str:
    return f"coalesce(strlen({text}) || ':' || {text}, 'n')"


def _said(c: str, kind: str) -> str:
    """SQL: what a value says, whichever file says it; types only leave out what cannot be."""
    if kind in ("int64", "uint64", "date"):
        return c
    if kind == "boolean":
        return f"lower({c})"
    if kind == "float64":
        return _number(c)
    if kind in ("timestamp", "time"):
        return _moment(c)
    return f"""CASE
        WHEN {c}[1] BETWEEN '+' AND '9' THEN CASE
            WHEN {c}[5] = '-' OR {c}[3] = ':' THEN {_moment(c)}
            WHEN ltrim({c}, '0123456789') = '' THEN {c}
            WHEN regexp_full_match({c}, '{_DECIMAL}') THEN {_number(f"replace({c}, ',', '.')")}
            ELSE {c} END
        WHEN strlen({c}) > {_LONGEST_WORD} THEN {c}
        WHEN lower({c}) IN ({_WORDS}) THEN NULL
        WHEN lower({c}) IN ('true', 'false') THEN lower({c})
        ELSE {c} END"""


def _number(x: str) -> str:
    """SQL: 25.50 as 25.5, 25.0 as 25, -0.0 as 0; .5, powers and small numbers as floats are."""
    float_of = f"CAST(try_cast({x} AS DOUBLE) AS VARCHAR)"
    shortest = f"CASE WHEN contains({float_of}, 'e') THEN {float_of} ELSE {_cut(float_of)} END"
    return f"""CASE
        WHEN {x}[1] > '9' THEN CASE WHEN lower({x}) IN ({_WORDS}) THEN NULL ELSE {x} END
        WHEN contains({x}, 'e') OR contains({x}, 'E') THEN coalesce({shortest}, {x})
        WHEN NOT contains({x}, '.') THEN {x}
        WHEN {x}[1] BETWEEN '1' AND '9' THEN {_cut(x)}
        WHEN contains({x}, '.0000') OR {x}[1] = '.' OR {x}[1:2] = '-.' THEN {shortest}
        WHEN ltrim({x}, '-0.') = '' THEN '0'
        ELSE {_cut(x)} END"""


def _cut(x: str) -> str:
    """SQL: a decimal with a point, without zeros at its end."""
    return f"rtrim(rtrim({x}, '0'), '.')"


def _moment(c: str) -> str:
    """SQL: a date or a time of a day, without what does not change it; other texts as they are."""
    clock = f"left(regexp_replace(substr({c}, 12), '(Z|[+-]00(:?00)?)$', ''), {_MICROSECONDS})"
    on_a_day = f"left({c}, 10) || regexp_replace(' ' || {_clock(clock)}, ' 00:00:00', '')"
    return f"""CASE
        WHEN strlen({c}) = 10 AND {c}[5] = '-' THEN {c}
        WHEN strlen({c}) = 19 AND {c}[11] = ' ' AND {c}[12:] <> '00:00:00' THEN {c}
        WHEN regexp_full_match({c}, '{_MOMENT}') THEN {on_a_day}
        WHEN regexp_full_match({c}, '{_CLOCK}') THEN {_clock(f"left({c}, {_MICROSECONDS})")}
        ELSE {c} END"""


def _clock(x: str) -> str:
    """SQL: 13:05 as 13:05:00, and fractions of a second without zeros at their end."""
    return f"""CASE
        WHEN strlen({x}) = 5 THEN {x} || ':00'
        WHEN contains({x}, '.') THEN {_cut(x)}
        ELSE {x} END"""
