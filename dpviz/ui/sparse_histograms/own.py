"""The user's own column on the page Sparse histograms: items, bounds, reveal, files of the tiers.

What may be an item is typed, never read off the data, so that a phantom can be named and the list
of items tells nothing.
"""

from collections.abc import Callable

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.planning import typed
from dpviz.planning.budgets import Setting
from dpviz.queries import LETTERS, LETTERS_AND_DIGITS, ItemCounts, WholeNumbers, Words
from dpviz.queries.item_names import Coding, longest
from dpviz.ui.kit import bound_controls, controls, looking, noun_controls, panel, parts
from dpviz.ui.sparse_histograms.scenes import own_scene
from dpviz.ui.sparse_histograms.view import Scene
from dpviz.workspace.sparse import Subject, Wanted
from dpviz.workspace.workspace import Workspace

HARDENED = (
    "Sparse histograms draw Gaussian noise in floating point, which hardened mode does not allow. "
    "Switch to teaching mode on the page Tiers, or count a public list of items on the page Data: "
    "its whole-number noise is exact."
)
WORDS, CODES, NUMBERS = "words (a–z)", "words and codes (a–z, 0–9)", "whole numbers"
_ALPHABETS = {WORDS: LETTERS, CODES: LETTERS_AND_DIGITS}
LARGEST = 10**15
Thresholds = Callable[[Workspace, Setting, int], Wanted]


def scene(ws: Workspace, thresholds: Thresholds) -> Scene | None:
    """The histogram of a column; None, with the reason, if it cannot be used."""
    if ws.mode == "hardened":
        parts.refusal(HARDENED)
        return None
    if looking.is_away(ws):
        return None
    query, problem = _query(ws)
    if query is None:
        if problem:
            parts.problem(problem)
        return None
    revealed = looking.reveal(
        ws,
        ws.table,
        "Reveal the exact counts: not private",
        key="sparse_reveal",
        help_text="For teaching: then the picture shows what is true and what is a phantom.",
    )
    own = Subject(table=ws.table, query=query)
    wanted = thresholds(ws, own.setting(ws.delta), query.coding.size)
    return parts.usable(lambda: own_scene(ws, own, wanted, revealed))  # a refusal holds no value


def _query(ws: Workspace) -> tuple[ItemCounts | None, ParameterError | None]:
    """The column, its items and the bounds as chosen now, or why they cannot be used."""
    digest, nouns = ws.table.digest[:12], noun_controls.in_use(ws)
    names = [c.name for c in ws.table.columns]
    usual = (
        "word"
        if "word" in names
        else next((c.name for c in ws.table.columns if c.kind == "text"), names[0])
    )
    column = str(
        controls.selectbox(
            "Column of items",
            names,
            index=names.index(usual),
            key=f"sparse_column_{digest}",
            help=f"Each value is an item; the histogram counts {nouns.many}, or {nouns.rows}, "
            f"per item.",
        )
    )
    kind = ws.table.column(column).kind
    coding = _coding(f"{digest}_{column}", NUMBERS if kind == "whole number" else WORDS)
    with bound_controls.place(ws, None):
        bounds = bound_controls.choose(ws, None)
    try:
        items = coding()
        return ItemCounts(column, items, bounds(items.size)), None
    except ParameterError as error:
        return None, error


def _coding(key: str, usual: str) -> Callable[[], Coding]:
    """Which items there could be, typed; to be built once all widgets are there."""
    kinds = (WORDS, CODES, NUMBERS)
    kind = controls.selectbox(
        "Items are",
        kinds,
        index=kinds.index(usual),
        key=f"sparse_items_{key}",
        help="Which items there could be, by what is known without the data. Other values are "
        "not counted, and their number is not shown.",
    )
    if kind == NUMBERS:
        left, right = st.columns(2)
        with left:
            low = controls.text_input("From", "0", key=f"sparse_low_{key}")
        with right:
            high = controls.text_input("To", "999999", key=f"sparse_high_{key}")
        return lambda: WholeNumbers(
            typed.whole(low, where="From", least=-LARGEST, most=LARGEST),
            typed.whole(high, where="To", least=-LARGEST, most=LARGEST),
        )
    alphabet = _ALPHABETS[kind]
    most = longest(alphabet)
    length = controls.slider(
        "Longest word, in characters",
        1,
        most,
        most,
        key=controls.keyed(f"sparse_longest_{key}", most),
        help="Longer words are not counted. More characters: more items that may be phantoms.",
    )
    st.caption(f"{Words(int(length), alphabet).size:,} items are possible.")
    return lambda: Words(int(length), alphabet)


def files(ws: Workspace, shown: Scene) -> None:
    """A file for each release on the user's column."""
    if shown.asking is not None:
        panel.hand_out(
            ws,
            shown.asking,
            [t.planned for t in shown.tiers],
            key="sparse_file_",
            caption="Each file holds the items that this tier sees, with their noisy counts; "
            "nothing in it tells which of them are phantoms.",
        )
