"""The pictures of the Variances page: what one tier pays, and all tiers as measured lines."""

import pandas as pd
import streamlit as st

from dpviz.charts.variances.bars import noise_bars
from dpviz.charts.variances.chart import variance_chart
from dpviz.charts.variances.frame import measured_frame, relative
from dpviz.ui.kit import parts
from dpviz.ui.variances import controls, measure, price, words
from dpviz.ui.variances.controls import Ladder, Reading
from dpviz.ui.variances.measure import Measurement
from dpviz.words.claims import Said
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

Detail = tuple[pd.DataFrame, Ladder, Reading, Measurement]  # what the lines show


def bars(found: pd.DataFrame, shown: Ladder, place: int) -> None:
    """The main picture: how many times the noise one tier would need."""
    name = literal(shown.tiers[place].name)
    parts.chart(
        noise_bars(found, unit=shown.noun),
        heading=f"How much noise {name} needs, three ways",
        reading=price.reading(shown),
        alt=price.alternative(found, shown, place),
        key="variance_bars",
    )


def harm(shown: Ladder, place: int) -> None:
    """What all ways promise alike, and what the fair rival costs."""
    st.caption(price.harm(shown))
    st.caption(price.pieces(shown, place).text)


def closer(ws: Workspace) -> Detail | None:
    """The lines, made only while their closer is open; what they show."""
    details: list[Detail | None] = [None]
    parts.look_closer(
        "From 2 to 100 tiers: the paper’s Figure 2, formulas beside measurements",
        lambda: details.append(_lines(ws)),
        key="variance_lines",
    )
    return details[-1]


def _lines(ws: Workspace) -> Detail | None:
    """Lines of all schemes over a ladder of tiers, and what was measured."""
    picture, asked = st.columns([3, 1], gap="medium")
    with asked:
        shown = controls.ladder(ws)
        frame = controls.frame_of(shown) if shown.tiers else None
    if frame is None:
        with picture:
            nothing(shown)
        return None
    with asked:
        reading = controls.reading(shown)
        measured = measure.measure(frame, reading.compared, shown.setting.family)
    sentence = Said(words.take_away(frame, shown, reading), words.claims(frame, shown, reading))
    with picture:
        st.markdown(sentence.text, help=sentence.why or None)
        lines(frame, shown, reading, measured)
    return frame, shown, reading, measured


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
