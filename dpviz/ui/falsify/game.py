"""A game: one of four noise makers is broken, and their draws are all that one sees."""

from dataclasses import dataclass

import streamlit as st

from dpviz import streams
from dpviz.charts.falsify.doors import doors_frame, four_doors
from dpviz.charts.falsify.own_table import loss_bars, losses_frame
from dpviz.charts.tidy import Floats
from dpviz.ui.falsify import jobs, words
from dpviz.ui.falsify.games import BROKEN, QUICK, Question
from dpviz.ui.falsify.jobs import SEED, Trial
from dpviz.ui.falsify.scenes import ROUNDS, SCENES, Scene
from dpviz.ui.kit import controls, parts, press, work
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import join

TITLE = "Find the broken one: a game"
DOORS = ("A", "B", "C", "D")
DOTS = 500  # of each door


@dataclass(frozen=True)
class Round:
    """One round of the game: which door is broken, how, and what each drew."""

    broken: str
    twin: str
    drawn: tuple[tuple[str, Floats], ...]

    @property
    def scene(self) -> Scene:
        """How the samplers are looked at."""
        return SCENES[self.twin]


_ROUND = Slot[tuple[int, str]]("falsify_round", lambda: (0, ""))
_DRAWN = Shelf[Round]("falsify_drawn")


def play() -> None:
    """The dots of four doors, a guess, and what was wrong."""
    number, said = _ROUND.get()
    shown = _DRAWN.take(number, lambda: made(number))
    scene = shown.scene
    left, right = st.columns([3, 1], gap="medium")
    with left:
        parts.chart(
            four_doors(doors_frame(shown.drawn), across=scene.across, up=scene.up),
            heading=f"Round {number + 1}: four noise makers, one dot a run",
            reading=scene.reading,
            alt=f"Four clouds of {DOTS} dots, {join(DOORS)}: {scene.across} across, {scene.up} "
            "up. One of them has another shape.",
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
    if said == shown.broken:
        proof(shown.twin)


def proof(twin: str) -> None:
    """What both checks find out about a broken sampler, beside what it promises."""
    asked = Question(kind=BROKEN, name=twin, members=(), runs=QUICK)
    trial: Trial | None = work.found(asked, jobs.trial, *asked.settings, what="Its trial")
    if trial is None:
        return
    rows = words.proved(asked, trial)
    parts.chart(
        loss_bars(losses_frame(rows)),
        heading="What the auditor proves about it, from its numbers alone",
        reading=words.seen_by(asked, trial),
        alt="Two bars: " + "; ".join(f"{who} {loss:.3g}" for who, loss in rows) + ".",
        key="falsify_game_proof",
    )


def guess(number: int, door: str) -> None:
    """Say which one is broken."""
    _ROUND.set((number, door))


def again(number: int) -> None:
    """Another round."""
    _ROUND.set((number + 1, ""))


def answer(shown: Round, said: str) -> str:
    """Whether that is right, and what was wrong."""
    if said != shown.broken:
        return f"**Not {said}.** That one is right. {shown.scene.hint}"
    name = words.TWIN_NAMES[shown.twin]
    return f"**Yes, {said}: {name}.** {words.WRONG[shown.twin]}"


def made(number: int) -> Round:
    """The round of this number."""
    rng = streams.teaching(SEED, number)
    broken = DOORS[int(rng.integers(len(DOORS)))]
    twin = ROUNDS[number % len(ROUNDS)]
    drawn = [(door, SCENES[twin].drawn(twin, door == broken, DOTS, rng)) for door in DOORS]
    return Round(broken, twin, tuple(drawn))
