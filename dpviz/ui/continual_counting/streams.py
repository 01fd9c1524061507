"""Streams of the visitor's: the table counted by times, or a list of typed counts.

Nothing is drawn here, and no exact count is made: a stream knows how to make them.
"""

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz.data import Table
from dpviz.errors import DataError, ParameterError
from dpviz.parameters import plain
from dpviz.planning.typed import whole
from dpviz.queries import ByTime, Count
from dpviz.ui.kit import bound_controls, controls, group_controls, parts
from dpviz.ui.kit.code import query_code
from dpviz.workspace.sessions import PUBLIC, Statistic
from dpviz.workspace.workspace import Workspace

MOST_TYPED = 100_000  # counts in a typed list
MOST_MOVED = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """A stream of the visitor's, before anything is drawn of it."""

    key: Hashable  # what its exact counts are made of
    table: Table | None  # that is counted; None for typed counts
    exact: Callable[[], NDArray[np.int64]]
    steps: int
    every: str
    noun: str
    labels: tuple[str, ...] | None
    moved: int  # c
    statistic: str
    data: str
    unit: str
    neighbours: str
    contribution: str
    loading: str  # Python that defines `counts`


def of_table(ws: Workspace) -> Stream | None:
    """The table counted by a column of times; None with the reason on screen."""
    mine = ws.statistic.query if ws.statistic.table.digest == ws.table.digest else None
    used = mine.by if mine and isinstance(mine.by, ByTime) else None
    if used is None and not group_controls.columns_of(ws.table, *group_controls.TIMES):
        st.info(
            "This table has no column of times, such as 2025-01-31 13:05. Load the sample visits "
            "on the page Data, upload a table with one, or type counts here.",
            icon=":material/schedule:",
        )
        parts.link("data")
        return None
    by = group_controls.times(ws, used, usual="day")
    bounds = bound_controls.choose(ws, mine.bounds if mine else None)
    try:
        split = by()
        query = Count(split, bounds(len(split.labels)))
    except ParameterError as error:
        parts.problem(error)
        return None
    if not query.sensitivity.l1 > 0:
        parts.refusal(PUBLIC)
        return None
    st.caption(
        "Rows may stand in any order: each is counted at its time. Rows whose time cannot be read, "
        "or lies outside, are not counted."
    )
    return of_query(ws, query)


def of_query(ws: Workspace, query: Count) -> Stream:
    """A query that counts the table by times, as a stream."""
    table, by = ws.table, query.by
    statistic = Statistic(table, query, ws.loading)
    return Stream(
        key=statistic.key,
        table=table,
        exact=lambda: query.values(table),
        steps=len(query.labels),
        every=by.every if isinstance(by, ByTime) else "step",
        noun=query.noun_released,
        labels=query.labels,
        moved=round(query.sensitivity.l1),
        statistic=query.statistic,
        data=table.name,
        unit=query.unit,
        neighbours=query.neighbours,
        contribution=query.contribution,
        loading=query_code(statistic) + "\ncounts = query.values(table)",
    )


def of_list() -> Stream | None:
    """A list of counts, typed or pasted; None with the reason on screen."""
    text = controls.text_area(
        "Counts, one per line",
        placeholder="12\n7\n0\n31",
        height=150,
        key="counting_typed",
        help="New events of each step, in order of time. They are your data: hidden from all "
        "pictures until a tier draws its noisy running count.",
    )
    most = controls.text_input(
        "One person moves the counts by at most",
        "1",
        key="counting_typed_moved",
        help="c: at how many steps a person may be counted, times how often at each. Larger: more "
        "noise.",
    )
    if not text.strip():
        st.caption("Nothing is typed yet: paste a column of whole numbers.")
        return None
    try:
        counts = read_counts(text)
        moved = whole(most, where="One person moves the counts by", least=1, most=MOST_MOVED)
    except ParameterError as error:
        parts.refusal(str(error))
        return None
    return Stream(
        table=None,
        key=("typed counts", hashlib.sha256(repr(counts).encode()).hexdigest()),
        exact=lambda: np.array(counts, dtype=np.int64),
        steps=len(counts),
        every="step",
        noun="events",
        labels=None,
        moved=moved,
        statistic="number of events per step",
        data="a typed list of counts",
        unit="one person",
        neighbours="add or remove one person",
        contribution=f"One person moves all counts together by at most {moved:,} (as typed).",
        loading="counts = [...]  # the list that was typed: it stays on the page",
    )


def read_counts(text: str) -> tuple[int, ...]:
    """Whole numbers of at least 0, set apart by lines, spaces or commas; no value is repeated.

    A comma inside a number is refused, as in 1,000 on a line of its own: read as two counts, it
    would be another stream.

    Raises:
        DataError: one sentence that names a place and never a value.

    >>> read_counts("3, 0 2")
    (3, 0, 2)
    """
    _no_comma_inside(text)
    pieces = text.replace(",", " ").replace(";", " ").split()
    if len(pieces) > MOST_TYPED:
        raise DataError(f"Counts: there may be at most {MOST_TYPED:,}. Type fewer, or upload rows.")
    found = []
    for place, piece in enumerate(pieces, start=1):
        try:
            number = float(piece) if plain(piece) else float("nan")
        except ValueError:
            number = float("nan")
        if not number == number or abs(number) > 2**53:
            raise DataError(f"Counts: number {place:,} is none. Type a whole number, such as 12.")
        if number != int(number):
            raise DataError(
                f"Counts: number {place:,} is a fraction. Type whole numbers, such as 12; count in "
                "smaller units first."
            )
        if number < 0:
            raise DataError(
                f"Counts: number {place:,} is below 0. Type new events only, at least 0 each."
            )
        found.append(int(number))
    return tuple(found)


def _no_comma_inside(text: str) -> None:
    """A list may be set apart by commas alone, or not at all by commas without a space.

    Raises:
        DataError: if a number has a comma inside.
    """
    apart = [piece.strip(",;") for piece in text.split()]
    for place, piece in enumerate(apart, start=1):
        if len(apart) > 1 and "," in piece:
            raise DataError(
                f"Counts: number {place:,} has a comma inside. Type 1000, not 1,000, and each "
                "count on a line of its own."
            )
