"""The pictures of the page Composition: bounds, losses that add up, lines, orders, the table."""

import streamlit as st

from dpviz.charts.composition.bounds import bound_bars, bounds_frame
from dpviz.charts.composition.losses import loss_strips, losses_frame
from dpviz.charts.composition.orders import RATIO, TOTAL, order_ratio, orders_frame
from dpviz.ui.composition import rows, table, words
from dpviz.ui.composition.controls import View
from dpviz.ui.kit import controls, parts
from dpviz.workspace.composition_totals import stages


def bounds(view: View | None) -> None:
    """The main picture: the total by every bound."""
    if view is None:
        _nothing()
        return
    frame = bounds_frame(view.totals, granted=view.granted)
    parts.chart(
        bound_bars(frame, limit=None if view.limit is None else float(view.limit)),
        heading=f"Total ε of {words.these(view.count)}, bound by bound",
        reading=words.bounds_reading(view),
        alt=words.bounds_alt(view),
        key="composition_bounds",
    )
    st.markdown(words.room(view))


def _nothing() -> None:
    """What is shown while there is nothing to add up."""
    if rows.ROWS.get().order:
        parts.empty("Nothing to add up yet.", "Correct what is typed on the right.")
        return
    parts.empty(
        "No question yet.",
        "What several answers cost together is drawn here. Add a question on the right, or begin "
        "with the made-up example.",
        lambda: controls.button("Show the example", rows.example, key="composition_example"),
    )
