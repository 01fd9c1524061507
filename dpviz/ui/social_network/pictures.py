"""The pictures of the page Social network: the circle, the attack, max against sum, the town."""

from itertools import accumulate

import streamlit as st

from dpviz.charts.local.network import circle_chart
from dpviz.charts.local.network_attack import attack_chart, attack_frame
from dpviz.charts.local.network_frame import NAME, circle_frames
from dpviz.charts.local.network_meter import Spent, meter, meter_frame
from dpviz.charts.local.network_population import population_chart, population_frame
from dpviz.ui.kit import parts
from dpviz.ui.kit.controls import keyed
from dpviz.ui.social_network import controls, picture_words, population_words, words
from dpviz.ui.social_network.controls import look_at
from dpviz.ui.social_network.view import Asked, View


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
        styles=view.styles,
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


def told(view: View) -> None:
    """What each ring is told, and the coalition's loss here and with separate noise."""
    parts.table(picture_words.table(view), alt="What each ring is told, with its ε and accuracy.")
    st.caption(picture_words.table_reading(view))
    found = view.coalition
    if found is None:
        return
    frame = meter_frame(
        [
            Spent(name=part.name, loss=part.epsilon, slot=part.slot, symbol=0)
            for part in view.shares
        ],
        letter="ε",
        total=found.together.largest.value,
        independent=[*accumulate(part.sum for part in view.shares)],
    )
    parts.chart(
        meter(frame), heading="", reading="", alt=picture_words.meter_alt(view), key="network_meter"
    )


def attack(view: View) -> None:
    """How far off the coalition is, by its size."""
    st.subheader("How far off are they together?", anchor=False)
    if view.coalition is None or len(view.coalition.levels) < 2:
        parts.empty("Nothing to average.", "Choose at least two members who were told something.")
        return
    frame = attack_frame(view.circle.family, view.coalition.levels, view.measured)
    groups = picture_words.joining(view)
    parts.chart(
        attack_chart(frame, unit=view.asked.unit, joining=groups),
        heading="",
        reading=picture_words.attack_reading(view),
        alt=picture_words.attack_alt(frame, len(groups)),
        key="network_attack",
    )


def best_way(view: View) -> None:
    """Averaging beside the best estimate, as a table."""
    if view.coalition is None or len(view.coalition.levels) < 2:
        parts.empty("Nothing to average.", "Choose at least two members who were told something.")
        return
    frame = attack_frame(view.circle.family, view.coalition.levels, view.measured)
    parts.table(
        picture_words.attack_table(frame), alt="Root mean squared errors of two ways, by members."
    )
    st.caption(picture_words.attack_table_reading(view))


def joining(asked: Asked, view: View) -> None:
    """Somebody joins later, and how the answers of those who did were found."""
    controls.newcomer(asked, view.circle)
    for one in view.circle.joined:
        st.markdown(words.joined(view, one))


def population(view: View) -> None:
    """What each ring can tell of many such people."""
    town = controls.town(view.asked, view.circle)
    if town is None:
        return
    frame = population_frame(town, population_words.rings_named(view))
    said = population_words.said(view, town)
    st.markdown(said.text, help=said.why)
    parts.chart(
        population_chart(
            frame, truth=town.mean, styles=view.styles, unit=view.asked.unit or "value"
        ),
        heading="",
        reading=population_words.reading(),
        alt=population_words.alternative(frame),
        key="network_population",
    )


def nothing() -> None:
    """What is shown while something cannot be used."""
    parts.empty("Nothing to draw.", "Open the fields: a sentence there says what to type instead.")
