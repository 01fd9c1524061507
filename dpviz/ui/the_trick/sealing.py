"""Screen 5 of the lesson on the trick: what can be asked before and after the truth is erased."""

import math
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import half_of, hanging_frame, threads_frame
from dpviz.charts.trick.frame import strands_frame
from dpviz.charts.trick.walks import String, sealed
from dpviz.planning.cast import AUDIT, ILL, PARTNERS, PUBLIC
from dpviz.ui.kit import notes
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_trick.paths import TICKS, TRUTH, mark, sd
from dpviz.ui.the_trick.town import COURT, NEW, PRESS, RHO, STYLE, TIERS, Drawn, drawn, level
from dpviz.words import pm
from dpviz.workspace.guesses import COIN

LATER = (COURT, NEW, PRESS)  # who has no number yet
ERASED = "erased"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What is left of the path, and who can still ask.

    Attributes:
        frame: the numbers, as `threads_frame` makes them.
        path: what is left.
        strings: bands in which later numbers may fall.
        asks: whether each who has no number can be given one.
        drawn: the draw.
        asked: what was asked.
    """

    frame: pd.DataFrame
    path: pd.DataFrame
    strings: list[String]
    asks: dict[str, bool]
    drawn: Drawn
    asked: Asked


def seal_frame(asked: Asked) -> Sealed:
    """Four numbers, three who may ask later, and what a session would do for them."""
    made = drawn(asked.draw)
    here = made.here
    session = notes.session_on(float(ILL), notes.SEED, 0)
    for name in TIERS:
        session.release(level(name))
    if asked.done:
        session.seal(level(AUDIT))
    asks = {name: session.neighbours(level(name))[0] is not None for name in LATER}
    strings = {
        COURT: hanging_frame(math.inf, float(ILL), RHO[AUDIT], here[AUDIT]),
        NEW: hanging_frame(RHO[PARTNERS], here[PARTNERS], RHO[PUBLIC], here[PUBLIC]),
        PRESS: hanging_frame(RHO[PUBLIC], here[PUBLIC], RHO[PRESS]),
    }
    rows = [*(mark(name, here[name]) for name in TIERS), *map(mark, LATER)]
    truth = (ERASED, TRUTH[1]) if asked.done else TRUTH
    return Sealed(
        frame=threads_frame(rows, truth),
        path=strands_frame([made.path], sharp=sd(AUDIT) if asked.done else 0.0),
        strings=[(strings[name], STYLE[name]) for name in LATER if asks[name]],
        asks=asks,
        drawn=made,
        asked=asked,
    )


def seal_picture(scene: Sealed) -> go.Figure:
    """The path with the truth, or what is left of it."""
    return sealed(
        scene.frame,
        scene.path,
        ticks=TICKS,
        strings=scene.strings,
        asks=scene.asks,
        erased=scene.asked.done,
    )


def seal_alt(scene: Sealed) -> str:
    """The same in words."""
    said = ", ".join(f"{who}: {'open' if can else 'closed'}" for who, can in scene.asks.items())
    truth = "The truth is crossed out" if scene.asked.done else "The truth is above four numbers"
    return f"{truth}; who may ask later: {said}."


def seal_side(scene: Sealed) -> Side:
    """What a thief would guess right."""
    label = "Guesses right by a thief, of 1,000"
    if not scene.asked.done:
        return Side(
            label=label,
            value=f"{2 * COIN:,}",
            note="the truth is on the town’s computer",
            guesses=guesses_frame(("by the truth", COIN, None, False)),
            caption="The thief, who knows about all others, guesses whether Maria is ill. Open: "
            "a number can still be drawn, in the shaded place.",
        )
    count, alone = notes.right(RHO[AUDIT]), half_of(RHO[AUDIT])
    return Side(
        label=label,
        value=f"{count:,}",
        note="as many as audit gets right",
        claims=(notes.guess_claim("the thief, by audit’s number", RHO[AUDIT]),),
        guesses=guesses_frame(("by audit’s number", count - COIN, STYLE[AUDIT], False)),
        caption=f"Nothing sharper than audit’s {number_of(scene.drawn.here[AUDIT])} {pm(alone)} "
        "can be drawn any more. All that is blurrier still can.",
    )
