"""A game: one of four samplers is broken, and their draws are all that one sees."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz import streams
from dpviz.charts.falsify.doors import doors_frame, four_doors
from dpviz.charts.tidy import Floats
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.broken.table import TWINS
from dpviz.noise import ADDITIVE
from dpviz.release import MultipleRelease
from dpviz.ui.falsify import words
from dpviz.ui.falsify.jobs import SEED
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import join

TITLE = "A game: one of four samplers is broken. Which one?"
DOORS = ("A", "B", "C", "D")
DOTS = 500  # of each door
SCALES = (1.0, 2.6, 2.0)  # in the order of asking: the last two are equal in 59 % of the runs
SEEN = ("fresh", "copying bridge", "small", "straight bridge", "Lemma F.5")  # by the eye


@dataclass(frozen=True)
class Round:
    """One round of the game: which door is broken, how, and what each drew."""

    broken: str
    twin: str
    drawn: tuple[tuple[str, Floats], ...]


_ROUND = Slot[tuple[int, str]]("falsify_round", lambda: (0, ""))
_DRAWN = Shelf[Round]("falsify_drawn")


def play() -> None:
    """The dots of four doors, a guess, and what was wrong."""
    number, said = _ROUND.get()
    shown = _DRAWN.take(number, lambda: made(number))
    left, right = st.columns([3, 1], gap="medium")
    with left:
        parts.chart(
            four_doors(doors_frame(shown.drawn)),
            heading="Errors of two tiers, the sharper one across, one dot a run",
            reading="Three samplers are right: in 6 of 10 runs both tiers get the same number, so "
            "the dots lie on the diagonal. One made a mistake.",
            alt=f"Four clouds of {DOTS} dots, {join(DOORS)}. One of them has another shape.",
            key="falsify_doors",
        )
    with right:
        door = controls.segmented_control(
            "The broken one is", DOORS, default="A", key="falsify_door"
        )
        press.button("Say so", guess, number, str(door), key="falsify_guess", icon="gavel")
        if said:
            st.markdown(answer(shown, said))
            controls.button("Play again", again, number, key="falsify_again", icon="refresh")


def guess(number: int, door: str) -> None:
    """Say which one is broken."""
    _ROUND.set((number, door))


def again(number: int) -> None:
    """Another round."""
    _ROUND.set((number + 1, ""))


def answer(shown: Round, said: str) -> str:
    """Whether that is right, and what was wrong."""
    if said != shown.broken:
        return f"**Not {said}.** That one is right. Look again."
    name = words.TWIN_NAMES[shown.twin]
    return f"**Yes, {said}: {name}.** {words.WRONG[shown.twin]}"


def made(number: int) -> Round:
    """The round of this number."""
    rng = streams.teaching(SEED, number)
    broken = DOORS[int(rng.integers(len(DOORS)))]
    twin = SEEN[number % len(SEEN)]
    wrong = TWINS[twin].wrong
    opened = wrong.open_releases if isinstance(wrong, Coalition) else MultipleRelease
    drawn = []
    for door in DOORS:
        opens = opened if door == broken else MultipleRelease
        game = Coalition(ADDITIVE["laplace"], SCALES, SCALES[:0:-1], open_releases=opens)
        drawn.append((door, np.asarray(game(False, DOTS, rng=rng))))
    return Round(broken, twin, tuple(drawn))
