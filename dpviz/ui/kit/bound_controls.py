"""Who is protected, and how much one person may contribute."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from dpviz.data import quoted
from dpviz.data.persons import is_no_person, persons_first
from dpviz.data.reading import checked_marks
from dpviz.errors import ParameterError
from dpviz.planning import typed
from dpviz.queries import Bounds, Relation
from dpviz.queries.bounds import LONGEST_SALT, MOST_ROWS
from dpviz.ui.kit import controls
from dpviz.ui.kit.state import field, fill
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

ROW, COLUMN = "each row is one person", "a column names the person"
NO_PERSON = (
    f"Column that names the person: nothing is chosen. Choose the column in which all rows of one "
    f"person have the same value, or choose “{ROW}”."
)
LISTED, SHUFFLED = "the first ones on the list", "any of them, in a shuffled order"
SALT = "Public salt"
NO_SALT = f"{SALT}: nothing is typed. Type any public text, for example spring 2026."
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
    l0 = linf = "1"
    marks = ""
    order, salt = LISTED, ""
    if choice == COLUMN:
        person, marks = _person(ws, mine)
        l0, linf = _most(mine, digest)
        order, salt = _order(mine, digest)
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
        checked_marks(_split(marks))
        if order == SHUFFLED and not salt.strip():
            raise typed.NothingTyped(NO_SALT)
        return Bounds(
            person=person,
            salt=salt if order == SHUFFLED else "",
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
            help="A person with more groups than this counts in some of them only: which ones is "
            "chosen below. A larger limit cuts off fewer people, but needs more noise.",
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


def _order(mine: Bounds | None, digest: str) -> tuple[str, str]:
    """Which groups count of a person who has too many, and the salt that is typed."""
    key = f"salt_{digest}"
    order = controls.radio(
        "Which groups count of a person with more",
        [LISTED, SHUFFLED],
        index=int(bool(mine and mine.salt)),
        key=f"order_{digest}",
        help="By the list, groups at its end lose the most. Shuffled, each person has another "
        "order, and no group is favoured. One person moves the statistic as far either way.",
    )
    if order == LISTED:
        return order, ""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with right:
        controls.button("Make one", _make_salt, key, key=f"make_{key}", icon="casino")
    with left:
        salt = controls.text_input(
            SALT,
            mine.salt if mine else "",
            placeholder="spring 2026",
            key=key,
            help=f"At most {LONGEST_SALT} characters, part of the statistic and of the plan. It is "
            "no secret. Choose it once: to try several and keep the one whose numbers you like "
            "would tell about the data.",
        )
    return order, salt


def _make_salt(key: str) -> None:
    """Public, so that anybody could choose the same groups again; it is no secret and no seed."""
    fill(key, secrets.token_hex(4))


def _person(ws: Workspace, mine: Bounds | None) -> tuple[str | None, str]:
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
    if person is None:
        return None, ""
    if is_no_person(ws.table.column(str(person))):
        st.warning(
            f"{literal(quoted(person))} looks like a date or a measure: all rows with the same "
            "value would count as one person. Choose the column that names the person.",
            icon=":material/warning:",
        )
    return str(person), _marks(ws, str(person))


def _marks(ws: Workspace, person: str) -> str:
    """What stands for a missing person: the marks of the column's reading, and no second list."""
    read = ws.table.reading(person).missing
    key = controls.keyed("missing", (ws.table.digest, person, read))

    def put_to_use() -> None:
        with suppress(ParameterError):  # which `build` says beside the fields
            marks = _split(str(field(key)))
            ws.table = ws.table.read_as({person: replace(ws.table.reading(person), missing=marks)})

    typed_marks = controls.text_input(
        "Marks for a missing person",
        ", ".join(read),
        placeholder="NA, N/A, null",
        key=key,
        changed=put_to_use,
        help="What is written in this column where the person is not known, separated by commas. "
        "Rows with one of these marks are not counted, like rows in which the column is empty. "
        "The same marks stand under “How the columns are read” on the page Data.",
    )
    if not read:
        st.caption(
            "Without marks only empty cells are nobody: if the file writes NA for an unknown "
            "person, all rows with NA count as one person."
        )
    return typed_marks


def _split(marks: str) -> tuple[str, ...]:
    return tuple(mark.strip() for mark in marks.split(",") if mark.strip())
