"""The main picture of the Variances page: four schemes, tier by tier, and what one tier pays."""

import pandas as pd
import streamlit as st

from dpviz.charts.variances.chart import variance_chart
from dpviz.charts.variances.frame import measured_frame, relative
from dpviz.ui.kit import parts
from dpviz.ui.variances import words
from dpviz.ui.variances.controls import Ladder, Reading
from dpviz.ui.variances.measure import Measurement
from dpviz.words.markdown import literal


def lines(frame: pd.DataFrame, shown: Ladder, reading: Reading, measured: Measurement) -> None:
    """The picture, and the table of the tier that is read off."""
    marks = None
    if measured.found is not None:
        marks = measured_frame(frame, reading.compared, measured.found, shown.setting)
    drawn = frame
    if reading.relative:
        drawn, marks = relative(frame), None if marks is None else relative(marks)
    heading = (
        "Variance of the noise, in multiples of lossless release"
        if reading.relative
        else f"Variance of the noise of one released number, {literal(shown.unit)}"
    )
    parts.chart(
        variance_chart(
            drawn,
            marks,
            compared=reading.compared,
            marked=reading.marked,
            unit="" if reading.relative else shown.unit,
            letter=shown.letter,
            how=measured.how,
        ),
        heading=heading,
        reading=words.reading_words(shown, reading, measured),
        alt=words.alternative(frame, reading),
        key="variances",
    )
    words.price_table(frame, shown, reading)


def nothing(shown: Ladder) -> None:
    """What is shown where there is no picture: no tier, or no noise for one of their parts."""
    parts.empty(
        "No noise for these budgets." if shown.tiers else "No tier yet.",
        "Your tiers and their budgets are drawn here, beside what they would have cost.",
        lambda: parts.link("tiers"),
    )
    st.caption("Or choose a ladder of tiers.")
