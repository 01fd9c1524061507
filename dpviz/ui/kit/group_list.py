"""The public list of groups of a column: typed, moved, brought in a file, or read off the data.

What is in the field is what counts; the buttons here fill it, and nothing else.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.data import Table, quoted
from dpviz.errors import ParameterError
from dpviz.planning.group_lists import GroupList, groups_in_file, moved, read_groups, written_groups
from dpviz.queries import ByColumn
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot, field, fill, nothing
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
    begin = mine if mine and mine.column == column else coded or _usual(ws, column, role, public)
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


def _usual(
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
    ws: Workspace,
    column: str,
    groups: tuple[str, ...],
    key: str,
    public: tuple[str, ...] | None,
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
