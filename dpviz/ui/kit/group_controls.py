"""How the statistic is split: everybody, groups of one or two columns, bins, or times.

Each control returns a builder: the widgets are all drawn first, and what cannot be used is refused
afterwards in one sentence, with everything still on screen.
"""

from collections.abc import Callable

import streamlit as st

from dpviz.data import Table, quoted
from dpviz.planning import typed
from dpviz.queries import SPANS, ByBins, ByColumn, ByTime, ByTwoColumns, Everybody, Grouping
from dpviz.queries.cuts import Span
from dpviz.ui.kit import controls
from dpviz.ui.kit.state import fill
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

Builder = Callable[[], Grouping]

EVERYBODY, COLUMN, TWO, BINS, TIME = (
    "everybody together",
    "each group of a column",
    "each pair of groups of two columns",
    "each bin of a number",
    "each hour, day, week or month",
)
SPLITS = (EVERYBODY, COLUMN, TWO, BINS, TIME)
_OF = {Everybody: EVERYBODY, ByColumn: COLUMN, ByTwoColumns: TWO, ByBins: BINS, ByTime: TIME}
SUGGESTED = 1000  # at most this many different values are read off an uploaded table
NO_GROUPS = "The list of groups is empty. Type at least one group to publish, one per line."
NUMBERS, TIMES = ("int64", "uint64", "float64"), ("timestamp", "date")  # types of columns
HOW_READ = "How the columns are read"  # the fold of the page Data where that is corrected
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
    if split == TWO:
        first = _column(ws, "first", mine.first if isinstance(mine, ByTwoColumns) else None)
        second = _column(ws, "second", mine.second if isinstance(mine, ByTwoColumns) else None)
        return lambda: ByTwoColumns(first(), second())
    if split == BINS:
        return _bins(ws, mine if isinstance(mine, ByBins) else None)
    if split == TIME:
        return times(ws, mine if isinstance(mine, ByTime) else None)
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
            st.warning(
                f"{literal(quoted(chosen))} is read as text, so it may hold no {what}. On the page "
                f"Data, under “{HOW_READ}”, say how its {what} are written.",
                icon=":material/warning:",
            )
    return chosen


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
    label = {"first": "First column", "second": "Second column"}.get(role, "Column of the groups")
    column = controls.selectbox(
        label,
        names,
        index=names.index(mine.column if mine else _usual(ws, role)),
        key=_key(ws, role),
    )
    text = _group_list(ws, column, role, mine)

    def build() -> ByColumn:
        groups = tuple(line.strip() for line in text.splitlines() if line.strip())
        if not groups:
            raise typed.NothingTyped(NO_GROUPS)
        return ByColumn(column, groups)

    return build


def _usual(ws: Workspace, role: str) -> str:
    """A column to begin with: the sample's own, else the first that holds text."""
    if ws.sample:
        listed = [ws.sample.column, *(n for n in ws.sample.groups if n != ws.sample.column)]
        return listed[1 if role == "second" and len(listed) > 1 else 0]
    texts = columns_of(ws.table, "string")
    names = [*texts, *(c.name for c in ws.table.columns if c.name not in texts)]
    return names[1 if role == "second" and len(names) > 1 else 0]


def _group_list(ws: Workspace, column: str, role: str, mine: ByColumn | None) -> str:
    public = ws.sample.groups.get(column) if ws.sample else None
    held = mine.groups if mine and mine.column == column else public or ()
    key = _key(ws, f"groups_{role}_{column}")
    own = "" if role == "column" else f": {literal(column)}"
    with controls.drawer(f"Groups to publish{own}", key=f"list_{key}", icon="list", open=not held):
        text = controls.text_area(
            f"Groups to publish, one per line{own}",
            "\n".join(held),
            height=180 if role == "column" else 120,
            key=key,
            help="Values outside this list are not counted, nor is their number shown.",
        )
        _say_where_from(ws, column, key, bool(public) and held == public)
    return text


def _say_where_from(ws: Workspace, column: str, key: str, described: bool) -> None:
    """Whose list it is, or a button that reads one off the data."""
    if described:
        st.caption("These groups come from the description of the sample, not from the data.")
    elif ws.mode == "hardened":
        st.caption("Hardened mode reads no groups off the data: type a public list.")
    else:
        controls.button(
            "Use the groups found in the data",
            _fill,
            ws,
            column,
            key,
            icon="warning",
            key=f"found_{key}",
            help="Only if everybody may know which groups there are. The name of a rare group "
            "tells that somebody is in it, and no noise hides that.",
        )
        if (ws.table.digest, column) in ws.seen.groups:
            _say_what_was_found(ws, column)


def _fill(ws: Workspace, column: str, key: str) -> None:
    found = suggested(ws, column)
    if found:
        fill(key, "\n".join(found))


def _say_what_was_found(ws: Workspace, column: str) -> None:
    st.caption(
        "These groups come from your data, so nothing hides that they exist. Keep what everybody "
        "may know, and add what is missing."
        if ws.seen.groups[ws.table.digest, column]
        else f"More than {SUGGESTED:,} different values: type the groups that you want."
    )


def suggested(ws: Workspace, column: str) -> list[str]:
    """Different values of a column, on request; empty if too many."""
    found = ws.table.distinct(column, SUGGESTED + 1)
    few = found if len(found) <= SUGGESTED else []
    known = ws.seen.groups.get((ws.table.digest, column), [])  # perhaps read otherwise
    ws.seen.groups[ws.table.digest, column] = [*known, *(g for g in few if g not in known)]
    return few


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
        "outside, is not counted.",
    )
    first, last = start.strip(), stop.strip()

    def build() -> ByTime:
        name = chosen_column(ws, column, TIMES)
        if not (first and last):
            raise typed.NothingTyped(NO_DAYS)
        return ByTime(name, every or usual, first, last)

    return build
