"""The player of the page Continual counting, and what its comparisons on paper are about."""

import math
from dataclasses import dataclass

import streamlit as st

from dpviz.charts.counting.crossover import MOST_STEPS
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, DELTA_MEANING, plain
from dpviz.ui.continual_counting.example import OPENS, Counting
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot, field, fill
from dpviz.words import clean, delta, significant
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

PLAYING = Slot("counting_playing", lambda: 0)  # the step to play to; 0: it stands still
REACHED = Slot("counting_reached", lambda: 0)  # the step of the last tick; 0: nothing played
TOLD = Slot("counting_told", lambda: 0)  # the step that the open fold tells of; 0: none
WINDOWS = (48, 168)  # steps; and from the start
SPEEDS = (1, 6, 24)  # steps at a tick
USUAL_SPEED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """How the stream is replayed."""

    window: int  # steps on the axis; T: from the start
    speed: int  # steps at a time
    until: int  # the step that is played to; 0: it stands still


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What is compared on paper: for which tier, how many steps, at which δ."""

    tier: HeldTier
    steps: int
    log_delta: float
    in_rho: bool  # whether the plan has all its budgets in ρ


def player(counting: Counting) -> Player:
    """Speed, and how much of the stream the picture shows.

    The made-up stream opens half-way, so that there is something to see; typed counts at their end.
    """
    if field(step_key(counting)) is None:
        fill(step_key(counting), counting.steps if counting.own else OPENS)
        PLAYING.set(0)
    speeds = [n for n in SPEEDS if n == 1 or n < counting.steps]
    speed = controls.segmented_control(
        "Speed",
        speeds,
        default=USUAL_SPEED if USUAL_SPEED in speeds else 1,
        format_func=lambda n: f"{n} {counting.every}{'s' * (n > 1)}",
        key="counting_speed",
        help="How much of the stream comes at each tick, about once a second.",
    )
    spans = [*(n for n in WINDOWS if n < counting.steps), counting.steps]
    window = controls.segmented_control(
        "Show",
        spans,
        default=WINDOWS[counting.own] if WINDOWS[counting.own] in spans else spans[-1],
        format_func=lambda n: "all" if n == counting.steps else f"last {n}",
        key=f"counting_window_{counting.steps}",
        help=f"How many {counting.every}s the picture shows. Over the whole stream most noise is "
        "too small to be seen.",
    )
    return Player(window=window, speed=speed, until=PLAYING.get())


def is_playing() -> bool:
    """Whether the stream is being played."""
    return PLAYING.get() > 0


def play_button(counting: Counting) -> None:
    """Play, from the beginning where nothing more comes, or pause."""
    playing, ended = is_playing(), (field(step_key(counting)) or 0) >= counting.steps
    plays = "Play from the start" if ended else f"Play the coming {counting.every}s"
    controls.button(
        "Pause" if playing else plays,
        _toggle,
        counting,
        type="primary",
        icon="pause" if playing else "play_arrow",
        width="stretch",
        key="counting_play",
    )


def _toggle(counting: Counting) -> None:
    """Play or pause; at the end of the stream, play from the beginning."""
    PLAYING.set(0 if is_playing() else counting.steps)
    if is_playing() and (field(step_key(counting)) or 0) >= counting.steps:
        fill(step_key(counting), 1)


def step_key(counting: Counting) -> str:
    """Where the session keeps the step of this stream."""
    return f"counting_step_{counting.steps}_{'own' if counting.own else 'example'}"


def paper(ws: Workspace, counting: Counting) -> Paper | None:
    """What the comparisons are about; None if something typed cannot be used."""
    readers = counting.readers
    for_whom, how_long, how_sure = st.columns(3, gap="medium")
    with for_whom:
        place = controls.selectbox(
            "At the budget of",
            range(len(readers)),
            index=len(readers) - 1,
            format_func=lambda i: f"{clean(readers[i].name)}, ε = {significant(readers[i].loss)}",
            key=f"counting_compared_{len(readers)}",
            help="All errors shrink alike with ε: twice the ε, half the error.",
        )
    with how_long:
        steps = controls.text_input(
            "Steps T, on paper",
            f"{counting.steps}",
            key=f"counting_paper_{counting.steps}",
            help="For branches and crossover below; up to 10¹², such as 1000000 or 1e12. Nothing "
            "is drawn for them.",
        )
    with how_sure:
        typed = controls.text_input(
            "δ of the Gaussian noise",
            delta(ws.delta),
            key="counting_delta",
            help=f"δ, delta: {DELTA_MEANING}. Laplace noise needs none. 1/T is a usual choice.",
        )
    return parts.usable(
        lambda: Paper(
            tier=readers[place],
            steps=read_steps(steps),
            log_delta=math.log(DELTA.read(typed, where="δ")),
            in_rho=all(tier.kind == "ρ" for tier in ws.plan.tiers),
        )
    )


def read_steps(text: str) -> int:
    """A whole number of steps from 2 to 10¹², also as 1e12.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_steps("1,000"), read_steps("1e12")
    (1000, 1000000000000)
    """
    shown = text.strip().replace(",", "")
    try:
        value = float(shown) if plain(shown) else math.nan
    except ValueError:
        value = math.nan
    if not 2 <= value <= MOST_STEPS or value != int(value):
        raise ParameterError(
            f"Steps T: “{text.strip()[:20]}” cannot be used. Type a whole number from 2 to 10¹², "
            "for example 1000000."
        )
    return int(value)
