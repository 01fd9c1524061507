"""What the unit of privacy, the rows and a number's unit are called, typed beside the bounds.

Words change no number and open no session; empty fields stand for people and rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.queries import Bounds, Nouns
from dpviz.queries.nouns import PERSON
from dpviz.ui.kit import controls
from dpviz.ui.kit.state import Shelf, field, fill
from dpviz.workspace.workspace import Workspace

_WORDS = ("one", "many", "row", "rows")
_CHOSEN = Shelf[tuple[str, str]]("noun_choices")  # the key of the field, and what is chosen
_LABELS = ("One of them is", "Several are", "One row is", "Several rows are")


def in_use(ws: Workspace) -> Nouns:
    """The words for the table that is loaded: those in use, but a ready sample is one of people."""
    same = ws.statistic.table.digest == ws.table.digest
    return PERSON if ws.sample and not same else of_unit(ws.statistic.query.bounds)


def known(ws: Workspace, mine: Nouns | None) -> Nouns:
    """The words for labels: as typed now, or those in use while these cannot be used.

    Args:
        ws: whose table.
        mine: the words to begin with; None: those in use.
    """
    usual = mine or in_use(ws)
    typed = [field(_key(ws, word)) for word in _WORDS]
    if None in typed[2:]:  # the fields are not on the page yet
        return usual
    try:
        return _read(*(text or "" for text in typed))  # where a row is the unit, only two are there
    except ParameterError:
        return usual


def of_unit(bounds: Bounds) -> Nouns:
    """The words of bounds; where a row is the unit, those of people, who may have several.

    >>> of_unit(Bounds(several_rows=True)).many
    'people'
    """
    if not bounds.several_rows:
        return bounds.nouns
    return replace(bounds.nouns, one=PERSON.one, many=PERSON.many)


def choice(
    ask: Callable[..., Any],
    label: str,
    texts: Mapping[str, str],
    *,
    began: str | None,
    key: str,
    asked: Any,
    help: str | None = None,
) -> Any:
    """One of several options whose texts have these words; the choice stays when they change.

    A browser knows a choice by its text, so a field with other texts is another field, which takes
    the choice over.

    Args:
        ask: `controls.radio`, `controls.optional_radio` or `controls.selectbox`.
        label: above it.
        texts: of each option.
        began: the option chosen at first; None for none.
        key: of the field, without the words.
        asked: what the choice is for; for another one it begins afresh.
        help: what it is for.
    """
    own, held = controls.keyed(key, [*texts.values()]), _CHOSEN.get((key, asked))
    options = list(texts)
    if held is not None and held[0] != own:
        newest = field(held[0])  # chosen as the words were typed
        fill(own, newest if newest in options else held[1])
    index = None if began is None else options.index(began)
    chosen = ask(label, options, index=index, format_func=texts.get, key=own, help=help)
    _CHOSEN.put((key, asked), (own, chosen))
    return chosen


def fields(ws: Workspace, mine: Nouns | None, *, unit: bool = True) -> Callable[[], Nouns]:
    """Four fields for the words, to be read once all widgets are there.

    Args:
        ws: whose table.
        mine: the words to begin with; None: those in use.
        unit: whether the unit of privacy has a name of its own; else there are two fields.
    """
    usual = mine or in_use(ws)
    typed: list[str] = [] if unit else ["", ""]
    for place, (word, label) in enumerate(zip(_WORDS, _LABELS, strict=True)):
        if place < len(typed):
            continue
        if place % 2 == 0:
            columns = st.columns(2)
        several, began = place % 2 == 1, _typed(usual)[place]
        with columns[place % 2]:
            typed.append(
                controls.text_input(
                    label,
                    began,
                    placeholder=(typed[-1].strip() if several else "") or getattr(PERSON, word),
                    key=_key(ws, word),
                    help="Empty beside a typed word: the same word, as for aircraft."
                    if several
                    else "What sentences, pictures and files call it, such as "
                    + ("aircraft or household." if word == "one" else "flight or record."),
                )
            )
    return lambda: _read(*typed)


def measure(ws: Workspace, column: str, mine: Nouns | None) -> str:
    """The unit of the numbers of one column, as typed; "" if it is not said."""
    return controls.text_input(
        "Unit of the number",
        mine.measure if mine else "",
        placeholder="none; such as minutes or €",
        key=f"measure_{ws.table.digest[:12]}_{column}",
        help="What the column is measured in. It stands after every mean, sum and ±, and changes "
        "no number.",
    )


def _key(ws: Workspace, word: str) -> str:
    return f"noun_{word}_{ws.table.digest[:12]}"


def _typed(nouns: Nouns) -> tuple[str, str, str, str]:
    """Words as somebody types them: nothing where they are as usual."""
    unit = ("", "") if (nouns.one, nouns.many) == (PERSON.one, PERSON.many) else None
    row = ("", "") if (nouns.row, nouns.rows) == (PERSON.row, PERSON.rows) else None
    return (*(unit or (nouns.one, nouns.many)), *(row or (nouns.row, nouns.rows)))


def _read(one: str, many: str, row: str, rows: str) -> Nouns:
    """The words from the four fields."""
    if not one.strip() and not many.strip():
        one, many = PERSON.one, PERSON.many
    if not row.strip() and not rows.strip():
        row, rows = PERSON.row, PERSON.rows
    return Nouns(
        one=one, many=many if many.strip() else one, row=row, rows=rows if rows.strip() else row
    )
