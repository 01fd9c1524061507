"""The picture of the story of a circle: who is told what, and who joins it later."""

import streamlit as st

from dpviz.charts.local.network import circle_chart
from dpviz.charts.local.network_frame import NAME, circle_frames
from dpviz.ui.growing_trust.circle import controls, picture_words, words
from dpviz.ui.growing_trust.circle.controls import look_at
from dpviz.ui.growing_trust.circle.view import Asked, View
from dpviz.ui.kit import parts
from dpviz.ui.kit.controls import keyed


def circle(view: View) -> None:
    """The main picture: who is told what."""
    nodes, edges = circle_frames(
        view.circle.network,
        view.asked.user,
        reach=view.asked.trust.rings + 1,
        told=lambda name, distance: picture_words.told(view, name, distance),
        pools=set(view.pooling),
        new={joined.name for joined in view.circle.joined},
    )
    fig = circle_chart(
        nodes,
        edges,
        answered=len(view.circle.rings),
        answers=picture_words.answers(view),
        value=view.asked.typed,
        ringed=picture_words.ringed(view),
    )
    names = nodes[NAME].tolist()
    parts.chart(
        fig,
        heading=picture_words.heading(view),
        reading=picture_words.reading(view, len(nodes)),
        alt=picture_words.circle_alt(view),
        key=keyed("network_circle", view.asked.key),
        pressed=lambda row: look_at(view.asked, names[row]),
    )


def joining(asked: Asked, view: View) -> None:
    """Somebody joins later, and how the answers of those who did were found."""
    controls.newcomer(asked, view.circle)
    for one in view.circle.joined:
        st.markdown(words.joined(view, one))


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to draw.", "Open the fields: a sentence there says what to type instead.")
