"""The cards: a picture, the page's title and its question, which leads there."""

import streamlit as st

from dpviz.charts.still import still
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.more_questions.pictures import STILLS, of_page

SAID = (
    "You have seen the trick on one table of counts. It answers seven more questions, each on a "
    "page of its own: begin with the one you have."
)
WIDTH = 266  # pixels: four in a row, one on a phone


def show() -> None:
    """Show all cards, as many in a row as fit."""
    with st.container(horizontal=True, gap="small"):
        for file in STILLS:
            with st.container(border=True, width=WIDTH, height="stretch", key=f"card_{file}"):
                _card(file)


def _card(file: str) -> None:
    found, info = of_page(file), page(file)
    parts.chart(
        still(found.layers, symbol=found.symbol, size=found.size),
        heading="",
        reading="",
        alt=found.alt,
        key=f"still_{file}",
    )
    st.caption(info.title)
    controls.page_link(path(file), info.question)
