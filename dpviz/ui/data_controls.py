"""Controls of the Data page: which table, whom one row stands for, which groups.

What is chosen here is a draft; it is put to use by one button, since a new statistic starts a new
session once something has been released.
"""

import streamlit as st

from dpviz.data import SAMPLE, load_sample, read_csv
from dpviz.data.read import MAX_BYTES
from dpviz.errors import ParameterError
from dpviz.queries import CountPerGroup
from dpviz.ui import parts
from dpviz.ui.rounds import FROM_SAMPLE, Statistic
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace

SUGGESTED = 1000  # so many different values are read off an uploaded table, and no more
_SEEN, _PROBLEM = "upload_seen", "upload_problem"
NO_GROUPS = "The list of groups is empty. Type at least one group, one per line."
ROW, COLUMN = "each row is one person", "a column names the person"


def choose_table(ws: Workspace) -> None:
    """Upload a CSV or go back to the sample; what cannot be read leaves the table as it was."""
    upload = st.file_uploader(
        "Upload a CSV",
        type=["csv", "tsv", "txt"],
        help=f"One row per person or per event, a header line, UTF-8, "
        f"at most {MAX_BYTES >> 20} MB. It stays in this server's memory and ends with the tab.",
    )
    if upload is None:
        st.session_state.pop(_SEEN, None)
        st.session_state.pop(_PROBLEM, None)
    elif st.session_state.get(_SEEN) != upload.file_id:
        st.session_state[_SEEN] = upload.file_id
        st.session_state[_PROBLEM] = _read(ws, upload.name, upload.getvalue())
    if st.session_state.get(_PROBLEM):
        parts.refusal(st.session_state[_PROBLEM])
    st.caption(f"Loaded: **{literal(ws.table.name)}**, {len(ws.table.columns)} columns.")
    if ws.loading != FROM_SAMPLE:
        st.button("Back to the sample", icon=":material/undo:", on_click=_sample, args=(ws,))


def _read(ws: Workspace, name: str, content: bytes) -> str | None:
    try:
        table = read_csv(content, name=name)
    except ParameterError as error:
        return str(error)
    ws.table, ws.loading = table, f"read_csv({name!r})"
    return None


def _sample(ws: Workspace) -> None:
    ws.table, ws.loading = load_sample(), FROM_SAMPLE


def draft(ws: Workspace) -> tuple[CountPerGroup | None, str | None]:
    """The query as chosen now, or why it cannot be used."""
    names = [c.name for c in ws.table.columns]
    mine = ws.statistic.query if ws.statistic.table.digest == ws.table.digest else None
    column = st.selectbox(
        "Count people per group of",
        names,
        index=names.index(mine.column) if mine else _first_text(ws),
        key=f"column_{ws.table.digest[:12]}",
        persist_state="session",
    )
    person, most = _unit(ws, [n for n in names if n != column], mine)
    groups = _groups(ws, str(column), mine)
    if not groups:
        return None, None if (ws.table.digest, str(column)) in ws.suggestions else NO_GROUPS
    if not 1 <= most <= len(groups):
        return None, (
            f"Groups per person: {most} cannot be used. Type a whole number from 1 to "
            f"{len(groups):,}, the number of groups."
        )
    try:
        return CountPerGroup(str(column), groups, person, most), None
    except ParameterError as error:
        return None, str(error)


def _first_text(ws: Workspace) -> int:
    if ws.loading == FROM_SAMPLE:
        return [c.name for c in ws.table.columns].index(SAMPLE.column)
    kinds = [c.kind for c in ws.table.columns]
    return kinds.index("text") if "text" in kinds else 0


def _unit(ws: Workspace, others: list[str], mine: CountPerGroup | None) -> tuple[str | None, int]:
    digest = ws.table.digest[:12]
    by_column = bool(mine and mine.person)
    choice = st.radio(
        "Who is protected",
        [ROW, COLUMN],
        index=int(by_column),
        key=f"unit_{digest}",
        persist_state="session",
        help="The unit of privacy: the person whose presence the noise hides.",
    )
    if choice == ROW or not others:
        return None, 1
    person = st.selectbox(
        "Column that names the person",
        others,
        index=others.index(mine.person) if mine and mine.person in others else 0,
        key=f"person_{digest}",
        persist_state="session",
    )
    most = st.number_input(
        "Groups per person at most (ℓ₀)",
        value=mine.groups_per_person if mine else 1,
        step=1,
        key=f"l0_{digest}",
        persist_state="session",
        help="A person with more groups counts in the first of them, in the order of the list. "
        "Larger: fewer people are cut off, and more noise is needed.",
    )
    return str(person), int(most or 0)


def _groups(ws: Workspace, column: str, mine: CountPerGroup | None) -> tuple[str, ...]:
    public = SAMPLE.groups.get(column) if ws.loading == FROM_SAMPLE else None
    if mine and mine.column == column:
        listed, reading = mine.groups, ""
    elif public:
        listed, reading = public, "From the code book of the survey: public, whatever the data say."
    elif ws.mode == "hardened":
        listed, reading = (), "Hardened mode reads no groups off the data: type a public list."
    else:
        listed = tuple(suggested(ws, column))
        reading = (
            "Read off your data: that a group exists is then not protected. "
            "Keep what everybody may know, add what is missing."
            if listed
            else "Too many different values to suggest a list: type the groups that you want."
        )
    text = st.text_area(
        "Groups to publish, one per line",
        "\n".join(listed),
        height=180,
        key=f"groups_{ws.table.digest[:12]}_{column}",
        persist_state="session",
        help="Values outside this list are not counted, and how many there are is not told.",
    )
    if reading:
        st.caption(reading)
    return tuple(line.strip() for line in (text or "").splitlines() if line.strip())


def suggested(ws: Workspace, column: str) -> list[str]:
    """Different values of a column, for the list of an uploaded table; empty if too many."""
    key = (ws.table.digest, column)
    if key not in ws.suggestions:
        found = ws.table.distinct(column, SUGGESTED + 1)
        ws.suggestions[key] = found if len(found) <= SUGGESTED else []
    return ws.suggestions[key]


def use_button(ws: Workspace, query: CountPerGroup | None) -> None:
    """Put the draft to use; says what that starts."""
    same = query == ws.statistic.query and ws.table.digest == ws.statistic.table.digest
    st.button(
        "Use this statistic",
        type="primary",
        width="stretch",
        icon=":material/check:",
        disabled=query is None or same,
        on_click=use,
        args=(ws, query),
    )
    if same:
        st.caption("In use: the other pages show this statistic.")
    elif ws.ledger:
        st.caption(
            "This starts a new session. Releases made so far stay, and their privacy loss adds."
        )


def use(ws: Workspace, query: CountPerGroup) -> None:
    """Make the draft the statistic of every page."""
    ws.statistic = Statistic(ws.table, query, ws.loading)
    ws.restyle()
