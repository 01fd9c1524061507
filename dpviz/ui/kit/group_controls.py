"""How the statistic is split: everybody, groups of up to three columns, bins, or times.

Each control returns a builder: the widgets are all drawn first, and what cannot be used is refused
afterwards in one sentence, with everything still on screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from dpviz.data import Reading, Table, quoted
from dpviz.data.reading import Use
from dpviz.data.suggestion import nearest
from dpviz.planning import typed
from dpviz.planning.group_lists import read_groups
from dpviz.queries import (
    CYCLES,
    SPANS,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Everybody,
    Grouping,
    listed_in,
)
from dpviz.queries.cuts import Span
from dpviz.ui.kit import controls, group_list, press
from dpviz.ui.kit.bound_controls import HOW_READ
from dpviz.ui.kit.state import Shelf
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

Builder = Callable[[], Grouping]

_OF: dict[type[Grouping], str] = {
    Everybody: "everybody together",
    ByColumn: "each group of a column",
    ByTwoColumns: "each pair of groups of two columns",
    ByThreeColumns: "each combination of groups of three columns",
    ByBins: "each bin of a number",
    ByTime: "each hour, day, week, month, quarter or year",
    ByCycle: "each weekday, hour of the day or time of the year",
}
SPLITS = EVERYBODY, COLUMN, TWO, THREE, BINS, TIME, CYCLE = tuple(_OF.values())
_PLACES = {"second": 1, "third": 2}  # of several columns
NO_GROUPS = "The list of groups is empty. Type at least one group to publish, one per line."
NUMBERS, TIMES = ("int64", "uint64", "float64"), ("timestamp", "date")  # types of columns
OFFERED = 3  # forms of a text column
_FORMS = Shelf[tuple[Reading, ...]]("column_nearest")
_USES: dict[tuple[str, ...], tuple[Use, ...]] = {
    NUMBERS: ("whole number", "number"),
    TIMES: ("date",),
}
_READ_AS = {
    NUMBERS: (
        "numbers",
        "Text is read as numbers with a decimal point, such as 12.5. Other ways to write them, "
        f"such as 12,5, are chosen on the page Data, under “{HOW_READ}”. What does not fit is "
        "not counted.",
    ),
    TIMES: (
        "times",
        "Text is read as times such as 2026-11-30 or 2026-11-30 14:00. Other ways to write them, "
        f"such as 30.11.2026, are chosen on the page Data, under “{HOW_READ}”. What does not fit "
        "is not counted.",
    ),
}
NO_DAYS = "From and until are days. Type both, for example 2025-01-01 and 2026-01-01."


def choose(ws: Workspace, mine: Grouping | None) -> Builder:
    """The split as chosen now, to be built once all widgets are there."""
    split = controls.selectbox(
        "For",
        SPLITS,
        index=SPLITS.index(_OF[type(mine)] if mine else COLUMN),
        key=_key(ws, "split"),
    )
    if split == EVERYBODY:
        return Everybody
    if split in (TWO, THREE):
        return _combined(ws, split, listed_in(mine) if mine else ())
    if split == BINS:
        return _bins(ws, mine if isinstance(mine, ByBins) else None)
    if split == TIME:
        return times(ws, mine if isinstance(mine, ByTime) else None)
    if split == CYCLE:
        return _cycle(ws, mine if isinstance(mine, ByCycle) else None)
    return _column(ws, "column", mine if isinstance(mine, ByColumn) else None)


def _key(ws: Workspace, name: str) -> str:
    return f"{name}_{ws.table.digest[:12]}"


def columns_of(table: Table, *types: str) -> list[str]:
    """Names of the columns of these types, as the reader of the file found them."""
    found = zip(table.columns, table.types, strict=True)
    return [column.name for column, its in found if its in types]


def readable(
    ws: Workspace, label: str, role: str, kinds: tuple[str, ...], held: str | None
) -> str | None:
    """A column of numbers, or of times; one of text only if the visitor says so.

    What is offered follows from the types of the columns alone, and each row is read by itself.

    Args:
        ws: whose table.
        label: of the box.
        role: part of the box's key.
        kinds: `NUMBERS` or `TIMES`.
        held: the column to begin with; None: the first.

    Returns:
        Its name; None while there is nothing to choose.
    """
    what, expected = _READ_AS[kinds]
    names, texts = columns_of(ws.table, *kinds), columns_of(ws.table, "string")
    box = st.container()
    if texts:
        if controls.checkbox(
            f"Read a text column as {what}", value=held in texts, key=_key(ws, f"text_{role}")
        ):
            names = [*names, *texts]
        st.caption(expected)
    if not names:  # another key: an empty box would keep its nothing when it is filled
        with box:
            controls.optional_selectbox(
                label,
                (),
                index=None,
                placeholder=f"No column of {what}",
                key=_key(ws, f"no_{role}"),
                lasting=False,
            )
        return None
    with box:
        chosen = controls.selectbox(
            label, names, index=names.index(held) if held in names else 0, key=_key(ws, role)
        )
        if chosen in texts:
            _offer_readings(ws, chosen, kinds)
    return chosen


def _offer_readings(ws: Workspace, column: str, kinds: tuple[str, ...]) -> None:
    """Say that a column is text; where most values have one form, one press reads it so.

    What is looked at is the form of all values alone, as when a file is read.
    """
    what, uses = _READ_AS[kinds][0], _USES[kinds]
    told = f"{literal(quoted(column))} is read as text, so it may hold no {what}."
    found: tuple[Reading, ...] = ()
    if ws.table.seconds is None:  # one that stays in its engine is not asked while a page is made
        key = ws.table.source([column]), column, uses
        found = _FORMS.take(key, lambda: nearest(ws.table, column, *uses))
    if not found:
        instead = f" On the page Data, under “{HOW_READ}”, say how its {what} are written."
        st.warning(f"{told}{instead}", icon=":material/warning:")
        return
    st.warning(f"{told} Most of its values can be read, though:", icon=":material/warning:")
    for place, reading in enumerate(found[:OFFERED]):
        label = f"Read it {replace(reading, missing=()).described}"  # marks would fill the button
        press.button(
            label,
            _read_so,
            ws,
            column,
            reading,
            key=f"read_so_{ws.table.digest[:12]}_{column}_{place}",
            icon="check",
            width="stretch",
        )


def _read_so(ws: Workspace, column: str, reading: Reading) -> None:
    """Read a column in a form that was offered; rows that are left out stay so."""
    left_out = ws.table.reading(column).left_out
    ws.table = ws.table.read_as({column: replace(reading, left_out=left_out)})


def chosen_column(ws: Workspace, column: str | None, kinds: tuple[str, ...]) -> str:
    """The column that was chosen.

    Raises:
        NothingTyped: there was none to choose; says what to do.
    """
    if column is not None:
        return column
    what = _READ_AS[kinds][0]
    text = bool(columns_of(ws.table, "string"))
    do = f"Tick “Read a text column as {what}”, or upload" if text else "Upload"
    raise typed.NothingTyped(f"This table has no column of {what}. {do} a table that has one.")


def _column(ws: Workspace, role: str, mine: ByColumn | None) -> Callable[[], ByColumn]:
    names = [c.name for c in ws.table.columns]
    label = "Column of the groups" if role == "column" else f"{role.capitalize()} column"
    column = controls.selectbox(
        label,
        names,
        index=names.index(mine.column if mine else _usual(ws, role)),
        key=_key(ws, role),
    )
    text = group_list.typed_list(ws, column, role, mine)

    def build() -> ByColumn:
        found = read_groups(text)
        if not found.groups:
            raise typed.NothingTyped(NO_GROUPS)
        return ByColumn(column, found.groups, found.names)

    return build


def _combined(ws: Workspace, split: str, mine: Sequence[ByColumn]) -> Builder:
    """Two or three columns with their lists; lists that are there already are kept."""
    held = [*mine, None, None, None]
    roles = ("first", "second", "third")[: 2 if split == TWO else 3]
    lists = [_column(ws, role, own) for role, own in zip(roles, held, strict=False)]
    made = ByTwoColumns if split == TWO else ByThreeColumns
    return lambda: made(*(one() for one in lists))


def _usual(ws: Workspace, role: str) -> str:
    """A column to begin with: the sample's own, else the first that holds text."""
    if ws.sample:
        listed = [ws.sample.column, *(n for n in ws.sample.groups if n != ws.sample.column)]
        listed += [c.name for c in ws.table.columns if c.name not in listed]
        return listed[min(_PLACES.get(role, 0), len(listed) - 1)]
    texts = columns_of(ws.table, "string")
    names = [*texts, *(c.name for c in ws.table.columns if c.name not in texts)]
    return names[min(_PLACES.get(role, 0), len(names) - 1)]


def _bins(ws: Workspace, mine: ByBins | None) -> Builder:
    held = mine.column if mine else None
    column = readable(ws, "Column of the number", "bin_column", NUMBERS, held)
    text = controls.text_input(
        "Edges of the bins",
        ", ".join(f"{edge:g}" for edge in mine.edges) if mine else "",
        placeholder="0, 10, 20, 50",
        key=_key(ws, "edges"),
        help="Type the edges in ascending order. A bin holds its lower edge and not its upper one; "
        "the last bin holds both. Values outside, and values that are not numbers, are not "
        "counted. Do not choose edges by looking at the data: edges that fit it tell about it.",
    )
    return lambda: ByBins(
        chosen_column(ws, column, NUMBERS),
        typed.numbers(text, where="Edges of the bins", example="0, 10, 20, 50"),
    )


def _cycle(ws: Workspace, mine: ByCycle | None) -> Builder:
    """A column of times, and what returns in it; the groups are those of every calendar."""
    held = mine.column if mine else None
    column = readable(ws, "Column of the time", "cycle_column", TIMES, held)
    of = controls.segmented_control(
        "One number for each",
        list(CYCLES),
        default=mine.of if mine else "weekday",
        key=_key(ws, "cycle"),
        help="Times are read as written, of all years together.",
    )
    return lambda: ByCycle(chosen_column(ws, column, TIMES), of)


def times(ws: Workspace, mine: ByTime | None, usual: Span = "month") -> Callable[[], ByTime]:
    """Column, span and range of a split by time, to be built once all widgets are there."""
    held = mine.column if mine else None
    column = readable(ws, "Column of the time", "time_column", TIMES, held)
    every = controls.segmented_control(
        "One number for each",
        list(SPANS),
        default=mine.every if mine else usual,
        key=_key(ws, "every"),
    )
    range_of = ws.sample.times.get(str(column), ("", "")) if ws.sample else ("", "")
    start = controls.text_input(
        "From (year-month-day)",
        mine.start if mine else range_of[0],
        placeholder="2025-01-01",
        key=_key(ws, f"from_{column}"),
    )
    stop = controls.text_input(
        "Until, not included",
        mine.stop if mine else range_of[1],
        placeholder="2026-01-01",
        key=_key(ws, f"until_{column}"),
        help="Times are read as written, such as 2025-01-31 13:05; what is not a time, or lies "
        "outside, is not counted. A year by itself, such as 2026, is its first day.",
    )
    first, last = typed.first_day(start), typed.first_day(stop)

    def build() -> ByTime:
        name = chosen_column(ws, column, TIMES)
        if not (first and last):
            raise typed.NothingTyped(NO_DAYS)
        return ByTime(name, every or usual, first, last)

    return build
