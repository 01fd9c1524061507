"""How the columns are read: a list of them, and for one of them what a person may correct.

No value is on screen here. A suggestion looks at the values of one column, at their form alone, and
fills the fields; what is in use is what somebody confirmed by the button.
"""

from typing import Any

import pandas as pd
import streamlit as st

from dpviz.data import Reading
from dpviz.data.reading import (
    DATES,
    DECIMALS,
    LAST_FIRST_YEAR,
    NO,
    THOUSANDS,
    TWO_DIGITS,
    USES,
    YES,
)
from dpviz.data.suggestion import nearest, suggest
from dpviz.planning.typed import whole
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.state import Slot, attempt, nothing
from dpviz.words import capitalised
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

LISTED = 20  # columns that are listed at once
AS_FOUND = ""
_WORDS = {"date": "date or time"}
_NUMBERS = {".": "12.5", ",": "12,5"}  # one by its decimal mark
_BETWEEN = {"": "no mark", ".": "1.234", ",": "1,234", " ": "1 234", "'": "1'234"}
FORM_ALONE = "the data were looked at for this, no further than their form."
# digest, column, what fits, and whether it fits all values
_SUGGESTED = Slot[tuple[str, str, tuple[Reading, ...], bool] | None]("reading_suggested", nothing)


def columns(ws: Workspace) -> None:
    """All columns with how they are read, and the fields of the one that is chosen."""
    _list(ws)
    names = [column.name for column in ws.table.columns]
    name = str(
        controls.selectbox(
            "Column to correct",
            names,
            key=f"read_column_{ws.table.digest[:12]}",
            help="Type a part of its name to find it.",
        )
    )
    reading = parts.value_or_refusal(lambda: _fields(ws, name))
    left, right = st.columns(2)
    with left:
        controls.button(
            "Suggest from the data",
            attempt,
            _suggest,
            ws,
            name,
            key="suggest_reading",
            icon="search",
            width="stretch",
            help="Looks at the values of this column, but only at their form, and fills in the "
            "fields. Nothing is in use until you press the other button.",
        )
    with right:
        press.button(
            "Read the column this way",
            _use,
            ws,
            name,
            reading,
            key="use_reading",
            icon="check",
            width="stretch",
            disabled=reading in (None, ws.table.reading(name)),
        )
    _say_what_was_suggested(ws, name)
    st.caption(
        "Each row is read by itself; what does not fit is missing, never guessed. A statistic in "
        "use keeps its reading until you press “Use this statistic” again."
    )


def _list(ws: Workspace) -> None:
    """Name, kind and reading of the columns, some at once where there are many."""
    first, total = 0, len(ws.table.columns)
    if total > LISTED:
        first = controls.selectbox(
            "Columns on the list",
            range(0, total, LISTED),
            format_func=lambda i: f"{i + 1:,} to {min(i + LISTED, total):,} of {total:,}",
            key=f"read_listed_{ws.table.digest[:12]}",
        )
    _list_from(ws, first)


def first_columns(ws: Workspace) -> None:
    """The first columns, for somebody who chooses among them."""
    _list_from(ws, 0)
    if len(ws.table.columns) > LISTED:
        st.caption(f"The first {LISTED} of {len(ws.table.columns):,} columns.")


def _list_from(ws: Workspace, first: int) -> None:
    """The columns from a place on, with how each is read; no value of theirs."""
    shown = ws.table.columns[first : first + LISTED]
    readings = dict(ws.table.readings)
    rows = [
        (c.name, c.kind, readings[c.name].described if c.name in readings else "as in the file")
        for c in shown
    ]
    parts.table(
        pd.DataFrame(rows, columns=["column", "read as", "how"]),
        alt="The columns of the table, and how each is read; no value is shown.",
    )


def _fields(ws: Workspace, name: str) -> Reading:
    """The reading as chosen now.

    Raises:
        ParameterError: its marks cannot be used.
    """
    now = _first(ws, name)
    key = controls.keyed("read", (ws.table.digest, name, now))
    found = (ws.table.loaded or ws.table).column(name).kind
    kind = controls.selectbox(
        "Read as",
        (AS_FOUND, *USES),
        index=(AS_FOUND, *USES).index(now.kind or AS_FOUND),
        format_func=lambda k: _WORDS.get(k, k) if k else f"as in the file: {found}",
        key=f"{key}_kind",
    )
    marks = controls.text_input(
        "Marks for a missing value",
        ", ".join(now.missing),
        placeholder="NA, N/A, null, -",
        key=f"{key}_missing",
        help="What is written in this column where nothing is known, separated by commas. Capital "
        "and small letters differ. An empty cell is missing, always.",
    )
    chosen: dict[str, Any] = {"kind": kind} if kind else {}
    if kind in ("number", "whole number"):
        chosen |= _marks_of_numbers(key, now)
    elif kind == "date":
        chosen |= _dates(key, now)
    elif kind == "yes/no":
        st.caption(
            f"Read as yes: {', '.join(YES)}. Read as no: {', '.join(NO)}. Capital letters change "
            "nothing."
        )
    missing = tuple(mark.strip() for mark in marks.split(",") if mark.strip())
    left_out = ws.table.reading(name).left_out  # on which the page asks beside the table
    return Reading(missing=missing, left_out=left_out, **chosen)


def _dates(key: str, now: Reading) -> dict[str, Any]:
    """The order of a date, which hundred years two digits stand for, and how times are written."""
    order = controls.selectbox(
        "Order of day, month and year",
        DATES,
        index=DATES.index(now.dates),
        format_func=lambda order: f"{order}, such as {_new_years_eve(order)}",
        key=f"{key}_dates",
        help="A time may follow. A day that is in no calendar, such as 31.02.2025, is missing.",
    )
    chosen: dict[str, Any] = {"dates": order}
    if order in TWO_DIGITS:
        year = controls.text_input(
            "Years of two digits begin with",
            str(now.first_year),
            key=f"{key}_first_year",
            help="The first of the hundred years that they stand for. With 1950, 49 is 2049 and "
            "50 is 1950; with 1926, 25 is 2025 and 26 is 1926.",
        )
        where = "Years of two digits begin with"
        chosen["first_year"] = whole(year, where=where, least=1000, most=LAST_FIRST_YEAR)
    chosen["clock"] = controls.segmented_control(
        "Times", {"24 hours": "14:05", "AM/PM": "2:05 PM"}, default=now.clock, key=f"{key}_clock"
    )
    return chosen


def _new_years_eve(order: str) -> str:
    """A day as it is written in this order.

    >>> _new_years_eve("mm/dd/yy")
    '12/31/25'
    """
    for part, written in (("yyyy", "2025"), ("yy", "25"), ("mm", "12"), ("dd", "31")):
        order = order.replace(part, written)
    return order


def _marks_of_numbers(key: str, now: Reading) -> dict[str, str]:
    left, right = st.columns(2)
    with left:
        decimal = controls.segmented_control(
            "Decimal mark",
            {mark: f"{name}: {_NUMBERS[mark]}" for mark, name in DECIMALS.items()},
            default=now.decimal,
            key=f"{key}_decimal",
        )
    with right:
        thousands = controls.selectbox(
            "Mark between thousands",
            tuple(THOUSANDS),
            index=tuple(THOUSANDS).index(now.thousands),
            format_func=lambda mark: f"{THOUSANDS[mark]}: {_BETWEEN[mark]}" if mark else "none",
            key=f"{key}_thousands",
        )
    return {"decimal": decimal, "thousands": thousands}


def _first(ws: Workspace, name: str) -> Reading:
    """What the fields of a column begin with: the one that was suggested, or that in use."""
    suggested = _suggested(ws, name) or ()
    return suggested[0] if len(suggested) == 1 else ws.table.reading(name)


def _suggested(ws: Workspace, name: str) -> tuple[Reading, ...] | None:
    """What the last look found, if it was at this column."""
    last = _SUGGESTED.get()
    return last[2] if last is not None and last[:2] == (ws.table.digest, name) else None


def _use(ws: Workspace, name: str, reading: Reading | None) -> None:
    """Confirm a reading; why one cannot be used is said beside its fields."""
    if reading is not None:
        ws.table = ws.table.read_as({name: reading})
        _SUGGESTED.pop()


def _suggest(ws: Workspace, name: str) -> None:
    """Look at the form of the values; where one reading fits all, or most, the fields get it."""
    every = suggest(ws.table, name)
    text = (ws.table.loaded or ws.table).column(name).kind == "text"  # else its own reading fits
    found = every or (nearest(ws.table, name) if text else ())
    _SUGGESTED.set((ws.table.digest, name, found, bool(every)))


def _say_what_was_suggested(ws: Workspace, name: str) -> None:
    """What the look found; of another column nothing is said."""
    found = _suggested(ws, name)
    if found is None:
        return
    said = "; ".join(reading.described for reading in found)
    last = _SUGGESTED.get()
    every = last is not None and last[3]
    if not found:
        text = "Looked at the form of the values: no other reading fits all of them, or even half."
    elif not every:
        text = (
            f"No other reading fits all values. Most of them have this form: {said}. What does not "
            f"fit is missing; {FORM_ALONE}"
        )
    elif len(found) == 1:
        text = f"Filled in, because every value has this form: {said}. {capitalised(FORM_ALONE)}"
    else:
        text = (
            f"Several readings fit every value: {said}. Choose by what you know of the file; "
            f"{FORM_ALONE}"
        )
    st.info(literal(text), icon=":material/search:")
