"""Who is protected, and how much one person may contribute."""

from collections.abc import Callable

import streamlit as st

from dpviz.data import quoted
from dpviz.data.persons import is_no_person, persons_first
from dpviz.data.reading import either
from dpviz.planning import typed
from dpviz.queries import Bounds, Relation
from dpviz.queries.bounds import MOST_ROWS
from dpviz.ui.kit import controls
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

ROW, COLUMN = "each row is one person", "a column names the person"
NO_PERSON = (
    f"Column that names the person: nothing is chosen. Choose the column in which all rows of one "
    f"person have the same value, or choose “{ROW}”."
)
RELATION_WORDS: dict[Relation, str] = {
    "add/remove": "one person more or less",
    "replace": "one person replaced",
}


def choose(ws: Workspace, mine: Bounds | None) -> Callable[[int], Bounds]:
    """The bounds as chosen now, to be built for a number of groups once all widgets are there.

    Args:
        ws: whose table.
        mine: the bounds to begin with.
    """
    digest = ws.table.digest[:12]
    by_column = mine.person is not None if mine else bool(ws.sample and ws.sample.synthetic)
    choice = controls.radio(
        "Who is protected",
        [ROW, COLUMN],
        index=int(by_column),
        key=f"unit_{digest}",
        help="The unit of privacy: the person whose presence the noise hides.",
    )
    person: str | None = None
    marks: tuple[str, ...] = ()
    l0 = linf = "1"
    if choice == COLUMN:
        person, marks = _person(ws, mine)
        l0, linf = _most(mine, digest)
    relation = controls.radio(
        "Neighbouring tables differ by",
        list(RELATION_WORDS),
        index=list(RELATION_WORDS).index(mine.relation) if mine else 0,
        format_func=RELATION_WORDS.__getitem__,
        key=f"relation_{digest}",
        help="More or less: the noise hides whether somebody is in the table. Replaced: it "
        "hides what their rows say, while the number of people is public; one person can then "
        "change twice as much.",
    )

    def build(groups: int) -> Bounds:
        if choice == COLUMN and person is None:
            raise typed.NothingTyped(NO_PERSON)
        return Bounds(
            person=person,
            missing=marks,
            groups_per_person=typed.whole(l0, where="Groups per person", least=1, most=groups),
            rows_per_group=typed.whole(linf, where="Rows per group", least=1, most=MOST_ROWS),
            relation=relation or "add/remove",
        )

    return build


def _most(mine: Bounds | None, digest: str) -> tuple[str, str]:
    """What is typed for the groups of one person, and for their rows in each."""
    left, right = st.columns(2)
    with left:
        l0 = controls.text_input(
            "Groups per person (ℓ₀)",
            str(mine.groups_per_person) if mine else "1",
            key=f"l0_{digest}",
            help="A person with more groups than this counts only in the first ones on the list. "
            "A larger limit cuts off fewer people, but needs more noise.",
        )
    with right:
        linf = controls.text_input(
            "Rows per group (ℓ∞)",
            str(mine.rows_per_group) if mine else "1",
            key=f"linf_{digest}",
            help="At most this many rows of one person count in each group: the first ones in "
            "the file.",
        )
    return l0, linf


def _person(ws: Workspace, mine: Bounds | None) -> tuple[str | None, tuple[str, ...]]:
    """The column that names the person, None until one is chosen, and marks for a missing one."""
    digest = ws.table.digest[:12]
    names = persons_first(ws.table.columns)
    named = (mine.person if mine else None) or (ws.sample.person if ws.sample else None)
    person = controls.optional_selectbox(
        "Column that names the person",
        names,
        index=names.index(named) if named in names else None,
        placeholder="Choose a column",
        key=f"person_{digest}",
    )
    if person is not None and is_no_person(ws.table.column(str(person))):
        st.warning(
            f"{literal(quoted(person))} looks like a date or a measure: all rows with the same "
            "value would count as one person. Choose the column that names the person.",
            icon=":material/warning:",
        )
    marks = controls.text_input(
        "Marks for a missing person",
        ", ".join(mine.missing) if mine else "",
        placeholder="NA, N/A, null",
        key=f"missing_{digest}",
        help="What is written in this column where the person is not known, separated by commas. "
        "Rows with one of these marks are not counted, like rows in which the column is empty. A "
        "mark that is not typed here counts as the name of one person.",
    )
    if person is not None and (read := ws.table.reading(str(person)).missing):
        st.caption(literal(f"Missing also, as the column is read: {either(read)}."))
    typed_marks = tuple(mark.strip() for mark in marks.split(",") if mark.strip())
    return None if person is None else str(person), typed_marks
