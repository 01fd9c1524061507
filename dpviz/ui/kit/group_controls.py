"""How the statistic is split: everybody, groups of up to three columns, bins, or times.

Each control returns a builder: the widgets are all drawn first, and what cannot be used is refused
afterwards in one sentence, with everything still on screen.

The public list of groups of a column: typed, moved, brought in a file, or read off the data.

What is in the field is what counts; the buttons here fill it, and nothing else.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.data import Reading, Table, quoted
from dpviz.data.reading import Use
from dpviz.data.suggestion import nearest
from dpviz.errors import ParameterError
from dpviz.planning import typed
from dpviz.planning.group_lists import GroupList, groups_in_file, moved, read_groups, written_groups
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
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.bound_controls import HOW_READ
from dpviz.ui.kit.state import Shelf, Slot, field, fill, nothing
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

SUGGESTED = 1000  # at most this many different values are read off an uploaded table
MOVED = 300  # of more groups a box to choose one is no help
YES_NO = ("yes", "no")
CODEBOOK = (
    "These groups come from the file’s own codebook (value labels), not from its rows. The people "
    "who designed the table listed them; values without a name are not among them."
)
KNOWN = "This list was known before anybody looked at the data"
_SEEN = Slot[str | None]("groups_seen", nothing)
_PROBLEMS = Slot[dict[str, str]]("groups_problems", dict)


def typed_list(ws: Workspace, column: str, role: str, mine: ByColumn | None) -> str:
    """The list of groups to publish of a column, as it is typed now.

    Args:
        ws: whose table.
        column: its name.
        role: part of the keys: "column", or the place of one of several columns.
        mine: the list to begin with, if it is that of this column.
    """
    public = ws.sample.groups.get(column) if ws.sample else None
    coded = codebook(ws.table, column)
    begin = (
        mine if mine and mine.column == column else coded or _usual_list(ws, column, role, public)
    )
    own = "" if role == "column" else f": {literal(column)}"
    yes_no = "_yes_no" if ws.table.reading(column).kind == "yes/no" else ""
    key = f"groups_{role}_{column}_{ws.table.digest[:12]}{yes_no}"
    _take_file(key)
    asked = begin is None  # then it is a question, and stands in plain sight
    with st.container() if asked else _box(f"Groups to publish{own}"):
        text = controls.text_area(
            f"Groups to publish, one per line{own}",
            written_groups(begin.groups, begin.names) if begin else "",
            height=180 if role == "column" else 120,
            key=key,
            help="Values outside this list are not counted, nor is their number shown. Commas set "
            'groups apart, too: type "Washington, DC" in quotation marks. To show a group under '
            "another name, type 0 = men.",
        )
        found = _read(text)
        if found is not None:
            _caution(ws, column, found)
        if coded is None or not _is_of_codebook(coded, text, key):
            described = begin is not None and begin.groups == public
            _say_where_from(ws, column, key, described)
            if found is not None:
                listed = public if coded is None else coded.groups
                _ask_whether_known(ws, column, found.groups, key, listed)
        with _box("Order, or a list in a file") if asked else st.container():
            if found is not None:
                _mover(key, found)
            _file(key, own)
        if problem := _PROBLEMS.get().get(key):
            parts.refusal(problem)
    return text


def _read(text: str) -> GroupList | None:
    """The list as typed; None if it cannot be used, which is said where the statistic is made."""
    try:
        return read_groups(text)
    except ParameterError:
        return None


def _box(label: str) -> DeltaGenerator:
    """A box that a button opens; what is typed in it counts while it is shut, too."""
    return st.popover(label, icon=":material/list:", width="stretch")


def _usual_list(
    ws: Workspace, column: str, role: str, public: tuple[str, ...] | None
) -> ByColumn | None:
    """A list to begin with: that of the sample, or yes and no where the column is read so."""
    if public:
        return ByColumn(column, public)
    if ws.table.reading(column).kind != "yes/no":
        return None
    combined = role != "column"  # "yes" by itself would say nothing there
    return ByColumn(column, YES_NO, tuple(f"{column} {g}" for g in YES_NO) if combined else ())


def codebook(table: Table, column: str) -> ByColumn | None:
    """The list of groups that the file's own codebook has for a column, if it has one."""
    try:
        return ByColumn.coded(table, column)
    except ParameterError:
        return None


def _is_of_codebook(coded: ByColumn, text: str, key: str) -> bool:
    """Say that the list is that of the codebook, or offer to use that again."""
    whole = written_groups(coded.groups, coded.names)
    if text.strip() == whole:
        st.caption(CODEBOOK)
        return True
    controls.button(
        "Use the groups of the file’s codebook",
        fill,
        key,
        whole,
        icon="menu_book",
        key=f"coded_{key}",
        help="The values that the file itself lists and names (value labels): its codebook, not "
        "its rows.",
    )
    return False


def _caution(ws: Workspace, column: str, found: GroupList) -> None:
    """What of a list cannot be meant, by how it is typed and how the column is read, no more."""
    reading, never = ws.table.reading(column), ""
    lost = [g for g in found.groups if g in reading.missing]
    if lost:
        never = f"{quoted(lost[0])} stands for a missing value there"
    elif reading.kind == "yes/no" and (other := [g for g in found.groups if g not in YES_NO]):
        never = f"it is read as yes or no, and {quoted(other[0])} is neither"
    if never:
        never = f"A group of {quoted(column)} can never count: {never}. Change the list, or how "
        never += "the column is read."
    for sentence in (found.caution, never):
        if sentence:
            st.warning(literal(sentence), icon=":material/warning:")


def _mover(key: str, found: GroupList) -> None:
    """A box and two buttons that move one group up or down the list."""
    shown = found.names or found.groups
    if not 1 < len(shown) <= MOVED:
        return
    box = controls.keyed(f"moved_{key}", shown)
    controls.selectbox("Move a group", range(len(shown)), format_func=shown.__getitem__, key=box)
    up, down = st.columns(2)
    for place, by, label in ((up, -1, "up"), (down, 1, "down")):
        with place:
            controls.button(
                label.capitalize(),
                _move,
                key,
                box,
                by,
                key=f"{label}_{key}",
                icon=f"arrow_{label}ward",
                width="stretch",
            )


def _move(key: str, box: str, by: int) -> None:
    """Move the group in the box, which goes with it."""
    text, place = str(field(key)), int(field(box) or 0)
    new = moved(text, place, by)
    fill(key, new)
    found = read_groups(new)
    shown = found.names or found.groups
    fill(controls.keyed(f"moved_{key}", shown), max(0, min(place + by, len(shown) - 1)))


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


def _ask_whether_known(
    ws: Workspace, column: str, groups: tuple[str, ...], key: str, public: tuple[str, ...] | None
) -> None:
    """Ask of a list with groups that were read off the data whether it was known before anyway.

    The answer is about this very list: with another group on it, it is another question.
    """
    try:
        part = ByColumn(column, groups)
    except ParameterError:
        return  # which is said where the statistic is made
    digest = ws.table.digest
    if part.groups == public or not ws.seen.read_off(digest, part):
        return
    before = ws.seen.was_known(digest, part)
    said = controls.checkbox(
        KNOWN,
        key=controls.keyed(f"known_{key}", sorted(part.groups)),
        value=before,
        help="Some of these groups were read off the data in this workspace. Tick it if everybody "
        "could have this list without your table, as of a published classification. Hand-outs say "
        "both, and the guarantee then rests on your word.",
        lasting=False,
    )
    if said != before:
        ws.seen.say_known(digest, part, said)


def _fill(ws: Workspace, column: str, key: str) -> None:
    found = suggested(ws, column)
    if found:
        fill(key, written_groups(found))


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


def _file(key: str, own: str) -> None:
    """Where a list is brought in a file, and what is wrong with the one that was."""
    controls.file_uploader(
        f"A public list in a text file{own}",
        type=["txt", "csv"],
        key=f"file_{key}",
        max_upload_size=1,  # megabytes
        help="One group per line. It replaces what is typed in the field.",
    )
    st.caption(
        "The whole list is published with the numbers: bring one that everybody may know, such as "
        "all municipalities, and none that was made from the data."
    )


def _take_file(key: str) -> None:
    """Fill the field with a list that was brought, once."""
    if field(f"file_{key}") is None:
        _PROBLEMS.get().pop(key, None)
    upload = controls.new_upload(f"file_{key}", _SEEN)
    if upload is None:
        return
    try:
        fill(key, written_groups(groups_in_file(upload[1])))
        _PROBLEMS.get().pop(key, None)
    except ParameterError as error:
        _PROBLEMS.get()[key] = str(error)


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
    text = typed_list(ws, column, role, mine)

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
