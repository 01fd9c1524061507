"""Controls of the story of a circle: whose it is, how ε falls, who compares notes, who joins."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.errors import ParameterError
from dpviz.local.trust import CURVES, EXAMPLE, MOST_RINGS, Trust, read_trust
from dpviz.parameters import EPSILON, SENSITIVITY
from dpviz.planning import typed
from dpviz.ui.growing_trust.circle import circles, networks, words
from dpviz.ui.growing_trust.circle.networks import Network
from dpviz.ui.growing_trust.circle.view import Asked, View
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.controls import Said
from dpviz.ui.kit.state import field, fill
from dpviz.words import visible
from dpviz.words.markdown import literal
from dpviz.workspace.local.social_network import Circle, read_value
from dpviz.workspace.workspace import Workspace

OWN = "Your own circle"
TYPED, WHAT = "typed", "blood pressure"
FALLS = {TYPED: "as typed", "1/d": "ε / hops", "2^-d": "half per hop", "threshold": "not at all"}
MOST_LISTED = 2000  # members that a list offers; in a larger network a name is typed
T = TypeVar("T")


def asked(ws: Workspace, own: DeltaGenerator) -> Asked | None:
    """What is typed; None, with one sentence for each field that cannot be used.

    Args:
        ws: the workspace.
        own: where the button of the box with the visitor's own circle goes.
    """
    with own.popover(OWN, icon=":material/edit:"):
        network = networks.choose()
        user = None if network is None else _person(network)
        what = visible(controls.text_input("What is asked", WHAT, key="network_what"))
        value, shown, apart = _value()
        trust = _trust()
    if network is None:
        return None
    number = _read(lambda: read_value(value, where="Own value"))
    delta = _read(lambda: SENSITIVITY.read_exact(apart, where="Hide differences up to"))
    if user is None or number is None or delta is None or trust is None:
        return None
    return Asked(
        network=network,
        user=user,
        value=number,
        what=what.strip()[:30] or "value",
        typed=value.strip(),
        unit=shown,
        sensitivity=delta,
        trust=trust,
        mode=ws.mode,
    )


def _value() -> tuple[str, str, str]:
    """The value, its unit, and how far apart two values may be and look alike: as typed."""
    left, right = st.columns(2)
    with left:
        value = controls.text_input(
            "Own value",
            "142",
            key="network_value",
            help="You make it up, so the page may show it. A whole number gets answers in whole "
            "numbers; one with a decimal point gets answers with decimals.",
        )
    with right:
        unit = controls.text_input("Unit", "mmHg", key="network_unit", placeholder="none")
    shown = visible(unit.strip())[:20]
    apart = controls.text_input(
        "Hide differences up to" + (f" ({literal(shown)})" if shown else ""),
        "20",
        key="network_apart",
        help="From the answers, two values of this person that are no farther apart are hard to "
        "tell from each other; ε says how hard. A larger number hides more and needs more noise, "
        "of scale b = Δ/ε, where Δ is this number.",
    )
    return value, shown, apart


def view(found: Asked, beside: DeltaGenerator) -> View | None:
    """The circle and its coalition; None, with the reason, where what is typed does not fit.

    Args:
        found: what is typed.
        beside: where the fields of the coalition go.
    """
    circle = _read(lambda: circles.circle_of(found))
    if circle is None:
        return None
    with beside:
        pooling = _coalition(found, circle)
    coalition = circle.coalition(pooling) if pooling else None
    return View(asked=found, circle=circle, coalition=coalition, pooling=pooling)


def _person_key(network: Network) -> str:
    return controls.keyed("network_person", (network.name, network.mark))


def _person(network: Network) -> str | None:
    """Whose circle is shown: from a list, or typed where the list would be too long."""
    key, what = _person_key(network), "Whose circle"
    told = "Or click somebody in the picture."
    if len(network.graph) <= MOST_LISTED:
        names = list(network.graph)
        place = names.index(network.somebody)
        said: Said = {"format_func": visible, "help": told}
        chosen: str = controls.selectbox(what, names, index=place, key=key, **said)
        return chosen
    name = controls.text_input(what, network.somebody, key=key, help=told).strip()
    if name not in network.graph:
        parts.refusal(
            f"{what}: nobody of this name is among the {len(network.graph):,} members. Type a name "
            "as it is in the list."
        )
        return None
    return name


def look_at(found: Asked, name: str) -> None:
    """Show somebody else's circle, as after a click."""
    if field(_person_key(found.network)) is not None:
        fill(_person_key(found.network), name)


def _trust() -> Trust | None:
    """The ε of each ring."""
    falls = controls.segmented_control(
        "How ε falls with distance",
        FALLS,
        default=TYPED,
        key="network_falls",
        help="ε, epsilon, bounds the privacy loss of an answer: larger = less private, less noise. "
        "Those who are farther away than the last ring get no answer.",
    )
    if falls == TYPED:
        text = controls.text_input(
            "ε of each ring, nearest first", "4, 2, 1", key="network_epsilons", placeholder=EXAMPLE
        )
        return _read(lambda: read_trust(text))
    left, right = st.columns(2)
    with left:
        first = controls.text_input("ε of the nearest ring", "4", key="network_first")
    with right:
        rings = controls.text_input("Rings with an answer", "3", key="network_reach")
    epsilon = _read(lambda: EPSILON.read_exact(first, where="ε of the nearest ring"))
    count = _read(
        lambda: typed.whole(rings, where="Rings with an answer", least=1, most=MOST_RINGS)
    )
    if epsilon is None or count is None:
        return None
    return _read(lambda: CURVES[falls](epsilon, count))


def _coalition(found: Asked, circle: Circle) -> tuple[Any, ...]:
    """Who compares notes: whole rings, and single members."""
    distances = [ring.distance for ring in circle.rings]
    if not distances:
        return ()
    what = (found.network.name, found.network.mark, found.user, distances)
    names = {ring.distance: words.ring_of(ring, found.network.places) for ring in circle.rings}
    first = distances[1:3] if len(distances) > 2 else distances
    key = controls.keyed("network_rings_pooling", what)
    rings = controls.pills(
        "Who compares notes", distances, default=first, format_func=names.__getitem__, key=key
    )
    others = [name for name in circle.network.members[:MOST_LISTED] if name != circle.user]
    single = controls.multiselect(
        "And these of the others",
        others,
        key=controls.keyed("network_members", (what, len(circle.joined))),
        format_func=visible,
        placeholder="Add somebody",
    )
    pooled = [name for ring in circle.rings if ring.distance in rings for name in ring.members]
    return tuple(dict.fromkeys([*pooled, *single]))


def newcomer(found: Asked, circle: Circle) -> None:
    """Somebody joins later: name, friend, and an own ε if the person grants one."""
    members = circle.network.members
    new = "eye clinic" if found.network.places else "Zoe"
    fields = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    with fields:
        name = controls.text_input("New member", new, key=f"network_new_{new}", width=150)
        if len(members) <= MOST_LISTED:
            friend: Any = controls.selectbox(
                "Who knows",
                list(members),
                index=_farthest(circle),
                key=controls.keyed("network_friend", (found.key, len(members))),
                format_func=visible,
            )
        else:
            friend = controls.text_input("Who knows", found.user, key="network_friend_typed")
        own = controls.text_input(
            "ε granted",
            "",
            placeholder="by distance",
            key="network_granted",
            width=150,
            help="Empty: the ε of their ring. Another ε may lie between the ε of two rings.",
        )
        press.button(
            "Let them join",
            circles.join,
            found,
            name,
            friend,
            own,
            key="network_join",
            type="primary",
            icon="person_add",
        )
        if circle.joined:
            controls.button(
                "Take them out again", circles.begin_again, found, key="network_again", icon="undo"
            )
    parts.problem_of_last_act()


def _farthest(circle: Circle) -> int:
    """Somebody in the last ring but one, so that who joins there is in the last one."""
    rings = circle.rings[:-1] or circle.rings
    members = circle.network.members
    return members.index(rings[-1].members[-1]) if rings else members.index(circle.user)


def _read(read: Callable[[], T]) -> T | None:
    """What a field holds; None, with one sentence on screen, if it cannot be used."""
    try:
        return read()
    except ParameterError as error:
        parts.problem(error)
        return None
