"""One release as one CSV file that can be checked by itself.

A folder has a list of its files that is signed; a file that is handed out alone has its signature
in the lines above its table. Signed are the rows as a reader of CSV finds them: line ends, a mark
of the encoding, quotation marks and empty cells at the end of a row make no difference, any other
change does. Limits: a signature shows that the holder of a key signed these rows, and says nothing
of other files.
"""

import csv
import datetime
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.errors import DataError
from dpviz.handout.packs import reader_csv
from dpviz.handout.signing import KEY, SIGNATURE, SigningKey, is_signed, signed
from dpviz.handout.tier_release import TierRelease

FORMAT, MADE, VERSION = "format", "made", 1
LARGEST = 64_000_000  # bytes; 100,000 groups take a twentieth of it
_WRITTEN = "dpviz table "  # and the version
_NAME = "# "  # begins the name of a fact above the table
_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?"?# ')  # a file that may be such a table
_DIGITS = {KEY: re.compile("[0-9a-f]{64}"), SIGNATURE: re.compile("[0-9a-f]{128}")}
_UNREADABLE = "is not a table that dpviz writes; choose the file as it was downloaded"
_UNSIGNED = (
    "has no signature in it: it belongs to a folder, whose SIGNED.json signs it, or a dpviz that "
    "did not sign single files yet wrote it; check the folder, or ask for the file again"
)

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class SignedTable:
    """What a file says of itself, and whether its signature is right for the key in it."""

    facts: Mapping[str, str]
    names: tuple[str, ...]  # of the groups, or of what else the rows are about
    key: str
    is_genuine: bool


def signed_csv(release: TierRelease, made: datetime.date, *, key: SigningKey) -> bytes:
    r"""The released coordinates as `reader_csv` writes them, with the day, a key and a signature.

    Args:
        release: what the tier may have.
        made: the day.
        key: signs the rows.

    Returns:
        UTF-8 text in the form of `reader_csv`, four facts longer.

    >>> import numpy as np
    >>> one = TierRelease(tier="audit", session=1, level=4.0, entries=("a",),
    ...     values=np.array([1.5]), facts=(("unit", "one row"),), labels=("a",))
    >>> key = SigningKey.from_private_bytes(bytes(32))
    >>> file = signed_csv(one, datetime.date(2020, 1, 1), key=key)
    >>> read_signed(file.replace(b"\r", b"")).is_genuine
    True
    >>> read_signed(file.replace(b"a,1.5", b"a,1.6")).is_genuine
    False
    """
    rows = _rows(reader_csv(release))
    table = next(place for place, row in enumerate(rows) if not row[0].startswith(_NAME))
    facts = {FORMAT: f"{_WRITTEN}{VERSION}", MADE: made.isoformat(), KEY: key.public}
    head = [*rows[:table], *([f"{_NAME}{name}", text] for name, text in facts.items())]
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    writer.writerows(head)
    writer.writerow([f"{_NAME}{SIGNATURE}", _signature([*head, *rows[table:]], key)])
    sink.write("\r\n")
    width = len(rows[table])
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows[table:])
    return sink.getvalue().encode("utf-8-sig")


def may_be_table(content: bytes) -> bool:
    """Whether a file begins as a table that dpviz writes does.

    >>> may_be_table(b"# tier,audit"), may_be_table(b"PK")
    (True, False)
    """
    return _BEGINS.match(content) is not None


def read_signed(content: bytes) -> SignedTable:
    r"""A single file from anybody.

    Raises:
        DataError: half a sentence that follows the name of the file: why it cannot be read.

    >>> read_signed(b"\xff")
    Traceback (most recent call last):
    dpviz.errors.DataError: is not a table that dpviz writes; choose the file as it was downloaded
    """
    if len(content) > LARGEST:
        raise DataError("is larger than any file that dpviz hands out")
    try:
        rows = _rows(content)
    except (ValueError, csv.Error):
        raise DataError(_UNREADABLE) from None
    head = [row for row in rows if row[0].startswith(_NAME)]
    facts = {row[0].removeprefix(_NAME): "".join(row[1:]) for row in head}
    if len(facts) < len(head):
        raise DataError("tells a fact twice, so it has two readings; ask for it again")
    if not {FORMAT, MADE, KEY, SIGNATURE} <= facts.keys():
        raise DataError(_UNSIGNED)
    _check_format(facts[FORMAT])
    if not all(digits.fullmatch(facts[name]) for name, digits in _DIGITS.items()):
        raise DataError(_UNREADABLE)
    rest = [row for row in rows if row[0] != f"{_NAME}{SIGNATURE}"]
    genuine = is_signed({**_named(rest), KEY: facts[KEY], SIGNATURE: facts[SIGNATURE]})
    own = {name: facts.pop(name) for name in (KEY, SIGNATURE, FORMAT)}
    names = tuple(row[0] for row in rows if not row[0].startswith(_NAME))[1:]
    return SignedTable(facts=facts, names=names, key=own[KEY], is_genuine=genuine)


def _rows(content: bytes) -> Rows:
    """The rows of a CSV that hold something, each without the empty cells at its end."""
    text = content.decode("utf-8-sig")
    found = [_cut(row) for row in csv.reader(io.StringIO(text, newline=""), strict=True)]
    return [row for row in found if row]


def _cut(row: list[str]) -> list[str]:
    filled = max((place for place, cell in enumerate(row, start=1) if cell), default=0)
    return row[:filled]


def _named(rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """What is signed of a table."""
    return {FORMAT: _WRITTEN.strip(), "version": VERSION, "rows": rows}


def _signature(rows: Rows, key: SigningKey) -> str:
    stated: str = json.loads(signed(_named(rows), key))[SIGNATURE]
    return stated


def _check_format(written: str) -> None:
    """Refuse a format that this dpviz does not read; a newer one is told from a wrong one."""
    version = written.removeprefix(_WRITTEN)
    if written == f"{_WRITTEN}{VERSION}":
        return
    if written.startswith(_WRITTEN) and re.fullmatch("[1-9][0-9]{0,3}", version):
        raise DataError(
            f"is of a newer version than this dpviz reads ({VERSION}); update dpviz to check it"
        )
    raise DataError(_UNREADABLE)
