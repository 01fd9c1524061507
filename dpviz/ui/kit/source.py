"""Whose numbers a page shows: made-up ones at first, or a statistic of the visitor's table.

A page says what is its own: its query, its words, its picture. What every such page guards,
refuses and offers alike is here, and the choice of a statistic where the plan has several.
"""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.planning.typed import NothingTyped
from dpviz.ui.kit import controls, looking, parts
from dpviz.ui.kit.page_form import Missing
from dpviz.words import shorten
from dpviz.words.markdown import literal
from dpviz.workspace.projects.absent import is_absent
from dpviz.workspace.workspace import Workspace

T = TypeVar("T")
EXAMPLE, OWN = "example", "my column"
AWAY = Missing("The numbers of this page come from a table that is not loaded.", "")
NOTHING = Missing("Nothing can be drawn yet: the red sentence says why.", "")
NO_TEXT = Missing(
    "This table has no column of texts. Upload a table that has one, or load a sample, on the "
    "page Data.",
    "data",
)


def of_table(
    ws: Workspace, settings: Callable[[], T | Missing], *, texts: bool = False
) -> T | Missing:
    """What a page asks of the visitor's table; or what it lacks, once in a sentence.

    Args:
        ws: whose table.
        settings: shows the fields; refuses what cannot be used.
        texts: whether the table must have a column of texts.
    """
    if looking.is_away(ws):
        return AWAY
    if texts and not text_columns(ws):
        return NO_TEXT
    return value_or_missing(settings)


def value_or_missing(settings: Callable[[], T | Missing]) -> T | Missing:
    """What is asked; what is still to be typed as the headline, what cannot be used in red."""
    try:
        return settings()
    except NothingTyped as error:
        return Missing(f"{error}.", "")
    except ParameterError as error:
        parts.refusal(str(error))
        return NOTHING


def text_columns(ws: Workspace) -> list[str]:
    """Names of the columns of texts."""
    return [column.name for column in ws.table.columns if column.kind == "text"]


def column(ws: Workspace, label: str, *, key: str, help: str, texts: bool = False) -> str:
    """Ask for a column: at first “word”, or the first of texts.

    Args:
        ws: whose table.
        label: of the field.
        key: beginning of its key; another table begins afresh.
        help: what the column is for.
        texts: whether only columns of texts are offered.
    """
    words = text_columns(ws)
    names = words if texts else [column.name for column in ws.table.columns]
    usual = "word" if "word" in names else [*words, *names][0]
    key = f"{key}_{ws.table.digest[:12]}"
    return str(controls.selectbox(label, names, index=names.index(usual), key=key, help=help))


def kept(
    ws: Workspace, of: Callable[[object], T | None], words: Callable[[T], str], *, key: str
) -> T | None:
    """What a project holds of tables that are not loaded, to be chosen by its session.

    Args:
        ws: the workspace.
        of: what was drawn from, by the subject of a session; None of those that are not offered.
        words: what was drawn.
        key: of the field.

    Returns:
        what was drawn from; None where the table is loaded, or nothing is held.
    """
    if not is_absent(ws.table):
        return None
    kept = {one: one.asking.kept for one in ws.sessions if ws.find(one.asking.key) is one}
    found = {o.number: of(k.subject) for o, k in kept.items() if not isinstance(k, str)}
    held = {number: each for number, each in found.items() if each is not None}
    if not held:
        return None
    number = controls.selectbox(
        "Session",
        list(held),
        format_func=lambda n: f"session {n}: {shorten(words(held[n]))}",
        key=controls.keyed(key, list(held)),
        lasting=False,
    )
    st.caption(
        f"{literal(quoted(ws.table.name))} is not loaded: what the project holds of it is here. "
        "A sealed session draws on without it; to draw from another one, load the same file again "
        "on the page Data."
    )
    return held[number or min(held)]


def choose_statistic(ws: Workspace) -> int | None:
    """Ask which statistic is in use; its place in the plan, or None where there is one alone."""
    if len(ws.statistics) < 2:
        return None
    keys = [s.key for s in ws.statistics]
    place = keys.index(ws.statistic.key)
    names = [f"{i}. {s.name} ({s.data})" for i, s in enumerate(ws.statistics, start=1)]
    chosen = controls.selectbox(
        "Statistic",
        range(len(keys)),
        index=place,
        format_func=names.__getitem__,  # numbered, as two may be called the same
        help="Each has its own session and its own budgets; their losses add.",
        lasting=False,
        key=controls.keyed("statistic", (place, names)),
    )
    if chosen != place:
        ws.use(ws.statistics[chosen])
        st.rerun()
    return place
