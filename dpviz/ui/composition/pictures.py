"""The pictures of the page Composition: two bounds, all of them, and the order of answers."""

from functools import partial

import streamlit as st

from dpviz.charts.composition.bounds import best_and_sum, bound_bars, bounds_frame
from dpviz.charts.composition.orders import LARGEST, order_ratio, orders_frame, orders_table
from dpviz.ui.composition import rows, words
from dpviz.ui.composition.controls import View, any_rows
from dpviz.ui.kit import controls, parts
from dpviz.words import significant


def two(view: View | None) -> None:
    """The main picture: the best bound against the sum."""
    if view is None:
        _nothing()
        return
    frame = best_and_sum(bounds_frame(view.totals, granted=view.granted))
    limit = None if view.limit is None else float(view.limit)
    parts.chart(
        bound_bars(frame, limit=limit, named=words.two_named(view)),
        heading=f"What {words.these(view.count)} cost",
        reading=words.two_reading(view),
        alt=words.two_alt(view),
        key="composition_two",
    )


def asked(view: View | None) -> None:
    """The questions in few words, before the form that changes them."""
    if view is not None:
        st.markdown(words.questions(view.sequence, view.notes))


def total(view: View | None) -> None:
    """What all questions cost together, beside the button for one more."""
    if view is not None:
        st.markdown(words.total(view), width="content")


def room(view: View | None) -> None:
    """How many more answers fit."""
    if view is not None:
        st.markdown(words.room(view))


def closers(view: View) -> None:
    """What all bounds say, and what the order of answers changes."""
    for label, inside, key in (
        ("All six bounds", bounds, "bounds"),
        ("Does the order matter?", orders, "orders"),
    ):
        parts.look_closer(label, partial(inside, view), key=f"composition_{key}")


def bounds(view: View) -> None:
    """The total by every bound, as bars and as a table."""
    frame = bounds_frame(view.totals, granted=view.granted)
    parts.chart(
        bound_bars(frame),
        heading="",
        reading=words.bounds_reading(view),
        alt=words.bounds_alt(view),
        key="composition_bounds",
    )
    table = words.table(view, frame)
    shown = table.drop(columns=["answers", "δ"])
    parts.table(shown, alt="Every bound with its ε, what it assumes and its theorem.")
    controls.download_button(
        "Download the table",
        lambda: table.to_csv(index=False).encode("utf-8"),
        key="composition_download",
        file_name="dpviz-composition.csv",
    )


def _nothing() -> None:
    """What is shown while there is nothing to add up."""
    if any_rows():
        parts.empty(
            "Nothing to add up yet.", "Correct the field whose sentence says what is wrong."
        )
        return
    parts.empty(
        "No question yet.",
        "What several answers cost together is drawn here. Add a question, or begin "
        "with the made-up example.",
        lambda: controls.button("Show the example", rows.example, key="composition_example"),
    )


def orders(view: View) -> None:
    """What the order of three answers changes."""
    epsilon = view.one_epsilon
    if epsilon is None or epsilon > LARGEST:
        parts.empty("No ε to compare with.", words.NO_EPSILON)
        return
    frame = orders_frame(float(epsilon))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        parts.chart(
            order_ratio(frame),
            heading="δ with the other answer first, as a multiple of δ with it between",
            reading=words.orders_reading(float(epsilon), frame),
            alt=words.orders_alt(frame),
            key="composition_orders",
        )
    with right:
        table = orders_table(float(epsilon)).astype(object)
        for name in table.columns[1:]:
            table[name] = [significant(x, 6) for x in table[name]]
        parts.table(table, alt="δ of three orders at three totals.")
