"""Who is protected, and how much one person may contribute."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.data import quoted
from dpviz.data.persons import is_no_person, may_name_a_person, persons_first
from dpviz.planning import typed
from dpviz.queries import Bounds, Nouns, Relation
from dpviz.queries.bounds import LONGEST_SALT, MOST_ROWS
from dpviz.ui.kit import controls, noun_controls
from dpviz.ui.kit.state import fill
from dpviz.words import capitalised, join
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

WHO = "Who is protected"
ROW, COLUMN, UNKNOWN = "no", "a column says who", "no column says who"
LISTED, SHUFFLED = "the first ones on the list", "any of them, in a shuffled order"
SALT = "Public salt"
HOW_READ = "How was my table read?"  # the closer of the page Data where that is corrected
NAMED = 3  # columns that may say whose rows these are
NO_SALT = f"{SALT}: nothing is typed. Type any public text, for example spring 2026."


def choose(
    ws: Workspace,
    mine: Bounds | None,
    *,
    named: bool = False,
    rows: str | None = None,
    of: str = "",
) -> Callable[[int], Bounds]:
    """The bounds as chosen now, to be built for a number of groups once all widgets are there.

    Args:
        ws: whose table.
        mine: the bounds to begin with.
        named: whether what is protected is named here, too; else it is called as in use.
        rows: how many rows of one person count in a group, to begin with; "": that is asked, as it
            was said of another kind of number. By default those of `mine`, or 1.
        of: the kind of number, for which these rows are kept apart.
    """
    if rows is None:
        rows = str(mine.rows_per_group) if mine else "1"
    digest, began = ws.table.digest[:12], noun_controls.of_unit(mine) if mine else None
    nouns = noun_controls.known(ws, began) if named else began or noun_controls.in_use(ws)
    choice = _several_rows(ws, mine, nouns)
    if choice == UNKNOWN:
        nouns = replace(nouns, one=nouns.row, many=nouns.rows)
    own = choice != UNKNOWN  # whether the unit has a name of its own
    words = (
        noun_controls.fields(ws, began, unit=own) if named else lambda: replace(nouns, measure="")
    )
    person: str | None = None
    l0 = linf = "1"
    order, salt = LISTED, ""
    if choice == COLUMN:
        person = _person(ws, mine, nouns)
        l0, linf = _most(mine, digest, nouns, rows, of)
        order, salt = _order(mine, digest, nouns)
    relation = _relation(mine, digest, nouns)

    def build(groups: int) -> Bounds:
        _check_answered(choice, person, nouns)
        if order == SHUFFLED and not salt.strip():
            raise typed.NothingTyped(NO_SALT)
        return Bounds(
            person=person,
            salt=salt if order == SHUFFLED else "",
            several_rows=_said(ws, mine, choice),
            groups_per_person=typed.whole(
                l0, where=f"Groups per {nouns.one}", least=1, most=groups
            ),
            rows_per_group=_rows(linf, nouns, asked=not rows),
            relation=relation,
            nouns=words(),
        )

    return build


def _check_answered(choice: str | None, person: str | None, nouns: Nouns) -> None:
    """Ask for an answer that is not there yet."""
    if choice is None:
        raise typed.NothingTyped(f"{question(nouns)} Choose an answer.")
    if choice == COLUMN and person is None:
        raise typed.NothingTyped(
            f"Column that names the {nouns.one}: nothing is chosen. Choose the column in which all "
            f"{nouns.rows} of one {nouns.one} have the same value, or another answer above it."
        )


def place(ws: Workspace, mine: Bounds | None, rows: str | None = None) -> DeltaGenerator:
    """Where `choose` stands: in a popover, but a question in plain sight; `rows` as there."""
    answer = _answer(ws, mine)
    if answer is None or (answer == COLUMN and rows == ""):
        return st.container()
    return st.popover(WHO, icon=":material/person:", width="stretch")


def question(nouns: Nouns) -> str:
    """What is asked of every table that is no sample, without a usual answer.

    >>> question(Nouns())
    'Can a person have several rows?'
    """
    return f"Can {nouns.a_unit} have several {nouns.rows}?"


def _several_rows(ws: Workspace, mine: Bounds | None, nouns: Nouns) -> str | None:
    """Whether one person can have several rows, and who says whose they are; None: no answer."""
    who = "who" if nouns.of_people else f"which {nouns.one}"
    chosen: str | None = noun_controls.choice(
        controls.optional_radio,
        question(nouns),
        {
            ROW: f"No: each {nouns.row} is one {nouns.one}",
            COLUMN: f"Yes, and a column says {who}",
            UNKNOWN: f"Yes, but no column says {who}",
        },
        began=_answer(ws, mine),
        key=f"unit_{ws.table.digest[:12]}",
        asked=mine,
        help=f"The noise hides whether one {nouns.one} is in the table. If one {nouns.one} has "
        f"several {nouns.rows} and each is taken for another {nouns.one}, the noise is too small.",
    )
    if chosen == UNKNOWN:
        st.caption(
            f"Then one {nouns.row} is protected, and every sentence says “one {nouns.row}”: "
            f"{nouns.a_unit} with several {nouns.rows} is protected less."
        )
    elif chosen != COLUMN and not ws.sample:
        _point_at(ws, nouns)
    return chosen


def _point_at(ws: Workspace, nouns: Nouns) -> None:
    """The columns whose names are those of an identifier, which may say whose rows these are."""
    named = [c.name for c in ws.table.columns if may_name_a_person(c)][:NAMED]
    if named:
        columns = literal(join([quoted(name) for name in named]))
        st.caption(
            f"{columns}: does one value stand in several {nouns.rows}? Then choose “Yes, and a "
            "column says …”."
        )


def answered(ws: Workspace, mine: Bounds | None) -> Bounds | None:
    """The bounds that say who a person is: these, or of an upload those of the statistic in use."""
    used = ws.statistic.table.digest == ws.table.digest and not ws.sample
    return mine or (ws.statistic.query.bounds if used else None)


def _answer(ws: Workspace, mine: Bounds | None) -> str | None:
    """The answer to begin with; None before the question was answered."""
    said = answered(ws, mine)
    if said is not None and (said.person is not None or said.several_rows):
        return UNKNOWN if said.several_rows else COLUMN
    if ws.sample:  # its description says what a row is
        return COLUMN if mine is None and ws.sample.synthetic else ROW
    return None if said is None or said.unsaid else ROW


def _said(ws: Workspace, mine: Bounds | None, choice: str | None) -> bool | None:
    """What is kept of the answer: of a sample nothing, where a row is a person as it says."""
    if choice == COLUMN:
        return None
    if choice == ROW and ws.sample and (mine is None or mine.unsaid):
        return None
    return choice == UNKNOWN


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


def _rows(text: str, nouns: Nouns, *, asked: bool) -> int:
    """How many rows of one person count in a group, as typed; `asked` if the field began empty."""
    where = f"{capitalised(nouns.rows)} per group"
    if asked and not text.strip():
        raise typed.NothingTyped(
            f"{where}: nothing is typed. Type how many {nouns.rows} of one {nouns.one} count in "
            "each group, for example 5."
        )
    return typed.whole(text, where=where, least=1, most=MOST_ROWS)


def _most(mine: Bounds | None, digest: str, nouns: Nouns, rows: str, of: str) -> tuple[str, str]:
    """What is typed for the groups of one person, and for their rows in each."""
    left, right = st.columns(2)
    with left:
        l0 = controls.text_input(
            f"Groups per {nouns.one} (ℓ₀)",
            str(mine.groups_per_person) if mine else "1",
            key=f"l0_{digest}",
            help=f"{capitalised(nouns.a_unit)} with more groups than this counts in some of them "
            "only: which ones is chosen below. A larger limit cuts off fewer "
            f"{nouns.many}, but needs more noise.",
        )
    with right:
        linf = controls.text_input(
            f"{capitalised(nouns.rows)} per group (ℓ∞)",
            rows,
            key=f"linf_{digest}{of}",
            placeholder="such as 5",
            help=f"At most this many {nouns.rows} of one {nouns.one} count in each group: the "
            "first ones in the file.",
        )
    return l0, linf


def _order(mine: Bounds | None, digest: str, nouns: Nouns) -> tuple[str, str]:
    """Which groups count of a person who has too many, and the salt that is typed."""
    key = f"salt_{digest}"
    order = controls.radio(
        f"Which groups count of {nouns.a_unit} with more",
        [LISTED, SHUFFLED],
        index=int(bool(mine and mine.salt)),
        key=f"order_{digest}",
        help=f"By the list, groups at its end lose the most. Shuffled, {nouns.each} has another "
        f"order, and no group is favoured. One {nouns.one} moves the statistic as far either way.",
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


def _person(ws: Workspace, mine: Bounds | None, nouns: Nouns) -> str | None:
    """The column that names the person, None until one is chosen; what may be wrong with it."""
    digest = ws.table.digest[:12]
    names = persons_first(ws.table.columns)
    said = answered(ws, mine)
    named = (said.person if said else None) or (ws.sample.person if ws.sample else None)
    person: str | None = controls.optional_selectbox(
        f"Column that names the {nouns.one}",
        names,
        index=names.index(named) if named in names else None,
        placeholder="Choose a column",
        key=f"person_{digest}",
    )
    if person is None:
        return None
    if is_no_person(ws.table.column(person)):
        st.warning(
            f"{literal(quoted(person))} looks like a date or a measure: all {nouns.rows} with the "
            f"same value would count as one {nouns.one}. Choose the column that names the "
            f"{nouns.one}.",
            icon=":material/warning:",
        )
    if not ws.table.reading(person).missing and not ws.sample:
        st.caption(
            f"Only empty cells are missing: if the file writes NA for an unknown {nouns.one}, all "
            f"{nouns.rows} with NA count as one {nouns.one}. On the page Data, under “{HOW_READ}”, "
            "say what is written there."
        )
    return person
