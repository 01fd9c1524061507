"""Who is protected, and how much one person may contribute."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import streamlit as st

from dpviz.data import quoted
from dpviz.data.persons import is_no_person, persons_first
from dpviz.data.reading import either
from dpviz.planning import typed
from dpviz.queries import Bounds, Nouns, Relation
from dpviz.queries.bounds import MOST_ROWS
from dpviz.ui.kit import controls, noun_controls
from dpviz.words import capitalised
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

ROW, COLUMN = "each row is one person", "a column names the person"


def choose(ws: Workspace, mine: Bounds | None, *, named: bool = False) -> Callable[[int], Bounds]:
    """The bounds as chosen now, to be built for a number of groups once all widgets are there.

    Args:
        ws: whose table.
        mine: the bounds to begin with.
        named: whether what is protected is named here, too; else it is called as in use.
    """
    digest, began = ws.table.digest[:12], mine.nouns if mine else None
    nouns = noun_controls.known(ws, began) if named else began or noun_controls.in_use(ws)
    by_column = mine.person is not None if mine else bool(ws.sample and ws.sample.synthetic)
    choice = noun_controls.choice(
        controls.radio,
        "Who is protected",
        {
            ROW: f"each {nouns.row} is one {nouns.one}",
            COLUMN: f"a column names the {nouns.one}",
        },
        began=COLUMN if by_column else ROW,
        key=f"unit_{digest}",
        asked=mine,
        help=f"The unit of privacy: the {nouns.one} whose presence the noise hides.",
    )
    words = noun_controls.fields(ws, began) if named else lambda: replace(nouns, measure="")
    person: str | None = None
    marks: tuple[str, ...] = ()
    l0 = linf = "1"
    if choice == COLUMN:
        person, marks = _person(ws, mine, nouns)
        l0, linf = _most(mine, digest, nouns)
    relation = _relation(mine, digest, nouns)

    def build(groups: int) -> Bounds:
        if choice == COLUMN and person is None:
            raise typed.NothingTyped(
                f"Column that names the {nouns.one}: nothing is chosen. Choose the column in which "
                f"all {nouns.rows} of one {nouns.one} have the same value, or choose “each "
                f"{nouns.row} is one {nouns.one}”."
            )
        return Bounds(
            person=person,
            missing=marks,
            groups_per_person=typed.whole(
                l0, where=f"Groups per {nouns.one}", least=1, most=groups
            ),
            rows_per_group=typed.whole(
                linf, where=f"{capitalised(nouns.rows)} per group", least=1, most=MOST_ROWS
            ),
            relation=relation,
            nouns=words(),
        )

    return build


def _relation(mine: Bounds | None, digest: str, nouns: Nouns) -> Relation:
    """Between which two tables the guarantee holds."""
    more, replaced = f"one {nouns.one} more or less", f"one {nouns.one} replaced"
    chosen = noun_controls.choice(
        controls.radio,
        "Neighbouring tables differ by",
        {"add/remove": more, "replace": replaced},
        began=mine.relation if mine else "add/remove",
        key=f"relation_{digest}",
        asked=mine,
        help=f"More or less: the noise hides whether {nouns.a_unit} is in the table. Replaced: it "
        f"hides what the {nouns.rows} of one {nouns.one} say, while the number of {nouns.many} is "
        f"public; one {nouns.one} can then change twice as much.",
    )
    return cast(Relation, chosen)


def _most(mine: Bounds | None, digest: str, nouns: Nouns) -> tuple[str, str]:
    """What is typed for the groups of one person, and for their rows in each."""
    left, right = st.columns(2)
    with left:
        l0 = controls.text_input(
            f"Groups per {nouns.one} (ℓ₀)",
            str(mine.groups_per_person) if mine else "1",
            key=f"l0_{digest}",
            help=f"{capitalised(nouns.a_unit)} with more groups than this counts only in the first "
            f"ones on the list. A larger limit cuts off fewer {nouns.many}, but needs more noise.",
        )
    with right:
        linf = controls.text_input(
            f"{capitalised(nouns.rows)} per group (ℓ∞)",
            str(mine.rows_per_group) if mine else "1",
            key=f"linf_{digest}",
            help=f"At most this many {nouns.rows} of one {nouns.one} count in each group: the "
            f"first "
            "ones in the file.",
        )
    return l0, linf


def _person(ws: Workspace, mine: Bounds | None, nouns: Nouns) -> tuple[str | None, tuple[str, ...]]:
    """The column that names the person, None until one is chosen, and marks for a missing one."""
    digest = ws.table.digest[:12]
    names = persons_first(ws.table.columns)
    named = (mine.person if mine else None) or (ws.sample.person if ws.sample else None)
    person = controls.optional_selectbox(
        f"Column that names the {nouns.one}",
        names,
        index=names.index(named) if named in names else None,
        placeholder="Choose a column",
        key=f"person_{digest}",
    )
    if person is not None and is_no_person(ws.table.column(str(person))):
        st.warning(
            f"{literal(quoted(person))} looks like a date or a measure: all {nouns.rows} with the "
            f"same value would count as one {nouns.one}. Choose the column that names the "
            f"{nouns.one}.",
            icon=":material/warning:",
        )
    marks = controls.text_input(
        f"Marks for a missing {nouns.one}",
        ", ".join(mine.missing) if mine else "",
        placeholder="NA, N/A, null",
        key=f"missing_{digest}",
        help=f"What is written in this column where the {nouns.one} is not known, separated by "
        f"commas. {capitalised(nouns.rows)} with one of these marks are not counted, like those in "
        "which the column is empty. A mark that is not typed here counts as the name of one "
        f"{nouns.one}.",
    )
    if person is not None and (read := ws.table.reading(str(person)).missing):
        st.caption(literal(f"Missing also, as the column is read: {either(read)}."))
    typed_marks = tuple(mark.strip() for mark in marks.split(",") if mark.strip())
    return None if person is None else str(person), typed_marks
