"""The user's own column on the page Sparse histograms: items, bounds, reveal, files of the tiers.

What may be an item is typed, never read off the data, so that a phantom can be named and the list
of items tells nothing.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from dpviz.errors import ParameterError
from dpviz.handout import TierRelease, tier_csv
from dpviz.planning import typed
from dpviz.planning.budgets import Setting
from dpviz.queries import LETTERS, LETTERS_AND_DIGITS, ItemCounts, WholeNumbers, Words
from dpviz.queries.item_names import Coding, longest
from dpviz.release import LedgerEntry
from dpviz.ui.kit import bound_controls, controls, looking, parts
from dpviz.ui.kit.hand_out import file_name
from dpviz.ui.sparse_histograms.scenes import own_key, own_scene, own_setting
from dpviz.ui.sparse_histograms.view import ItemTier, Scene, Wanted
from dpviz.workspace import structured
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
    """The histogram of a column; None if it cannot be used, and then it is said why."""
    if ws.mode == "hardened":
        parts.refusal(HARDENED)
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
    wanted = thresholds(ws, own_setting(ws, query), query.coding.size)
    try:
        return own_scene(ws, query, wanted, revealed)
    except ParameterError as error:  # of the data: what it says holds no value
        parts.refusal(str(error))
        return None


def _query(ws: Workspace) -> tuple[ItemCounts | None, ParameterError | None]:
    """The column, its items and the bounds as chosen now, or why they cannot be used."""
    digest = ws.table.digest[:12]
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
            help="Each value is an item; what is counted is people, or rows, per item.",
        )
    )
    kind = ws.table.column(column).kind
    coding = _coding(f"{digest}_{column}", NUMBERS if kind == "whole number" else WORDS)
    with st.expander("Who is protected", icon=":material/person:"):
        bounds = bound_controls.choose(ws, None)
    try:
        items = coding()
        return ItemCounts(column, items, bounds(items.size)), None
    except ParameterError as error:
        return None, error


def _coding(key: str, usual: str) -> Callable[[], Coding]:
    """Which items there could be, typed; to be built once all widgets stand."""
    kinds = (WORDS, CODES, NUMBERS)
    kind = controls.selectbox(
        "Items are",
        kinds,
        index=kinds.index(usual),
        key=f"sparse_items_{key}",
        help="What could be an item, whatever the data say. Other values are not counted, and how "
        "many there are is not told.",
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
        key=f"sparse_longest_{key}",
        help="Longer words are not counted. More characters: more items that noise could lift.",
    )
    st.caption(f"{Words(int(length), alphabet).size:,} items are possible.")
    return lambda: Words(int(length), alphabet)


def files(ws: Workspace, shown: Scene) -> None:
    """One file per drawn release: what the tier gets, and nothing else."""
    one = structured.find(ws, own_key(ws, shown.query)) if shown.query else None
    if one is None or shown.query is None:
        return
    st.subheader("Hand out", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for t in shown.drawn:
            entry = next(e for e in ws.entries_of(one) if (e.tier, e.level) == (t.name, t.level))
            controls.download_button(
                parts.chip(t.name, t.style),
                data=partial(_file, shown.coding, t, entry),
                file_name=file_name(entry),
                key=f"sparse_file_{entry.number}",
            )
    st.caption(
        "Each file holds the items that this tier sees, with their noisy counts; nothing in it "
        "tells which of them are phantoms."
    )


def _file(coding: Coding, tier: ItemTier, entry: LedgerEntry) -> bytes:
    """The items that one tier sees, with their noisy counts, and what they are."""
    indices, values = tier.released or (np.zeros(0, dtype=np.int64), np.zeros(0))
    names = tuple(coding.names(indices))
    release = TierRelease(
        tier=entry.tier,
        session=entry.event.session,
        level=entry.level,
        entries=names,
        values=values,
        facts=entry.facts,
        labels=names,
    )
    return tier_csv(release)
