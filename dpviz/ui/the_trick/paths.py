"""Screens 1 to 3 of the lesson on the trick: a path, walking on, and a string in between."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import (
    GAUSSIAN,
    HELD,
    LARGE,
    Mark,
    State,
    half_of,
    hanging_frame,
    threads_frame,
)
from dpviz.charts.trick.frame import strands_frame
from dpviz.charts.trick.walks import walks
from dpviz.noise.bridge_law import release_law
from dpviz.planning.cast import AUDIT, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_trick import words
from dpviz.ui.the_trick.town import RHO, STYLE, TIERS, Drawn, drawn, level
from dpviz.words import pm
from dpviz.words.claims import Claim

TRUTH = (f"the truth: {ILL}", float(ILL))
TICKS = {float(ILL + step): f"{ILL + step}" for step in (-6, -3, 0, 3, 6)}
NONE = "none"
BLURS = {pm(half_of(RHO[name])): name for name in TIERS}  # how far a path goes
WALL = ("not looked at again", "enough to go on")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Numbers, paths and bands, the draw they show, and what was asked.

    Attributes:
        frame: the numbers, as `threads_frame` makes them.
        path: what is shown of the path that was drawn.
        possible: other paths.
        string: bands in which one more number may fall.
        drawn: the draw.
        asked: what was asked.
    """

    frame: pd.DataFrame
    path: pd.DataFrame
    possible: pd.DataFrame
    string: pd.DataFrame | None = None
    drawn: Drawn
    asked: Asked


def sd(name: str) -> float:
    """Standard deviation of the noise of one who asks."""
    return math.sqrt(level(name))


def mark(name: str, value: float | None = None, state: State = HELD) -> Mark:
    """The mark of one who asks, under its name and with its look and budget."""
    return Mark(who=name, rho=RHO[name], style=STYLE[name], value=value, state=state)


def path_frame(asked: Asked) -> Scene:
    """The path as far as the noise goes, and the tiers that it has passed."""
    made = drawn(asked.draw)
    end = sd(BLURS[asked.chosen]) if asked.chosen in BLURS else 0.0
    passed = {name: made.here[name] if sd(name) <= end else None for name in TIERS}
    return Scene(
        frame=threads_frame([mark(name, x) for name, x in passed.items()], TRUTH),
        path=strands_frame([made.path], blurred=end),
        possible=strands_frame(made.free, blurred=end),
        drawn=made,
        asked=asked,
    )


def path_picture(scene: Scene) -> go.Figure:
    """One path from the truth through the numbers of the tiers, and a dozen others."""
    return walks(scene.frame, scene.path, scene.possible, ticks=TICKS)


def path_alt(scene: Scene) -> str:
    """The same in words."""
    passed = scene.frame["value"].dropna().tolist()[1:]
    shown = ", ".join(map(number_of, passed)) or "no number yet"
    return f"A jagged path wanders down from the truth, {ILL}; on it the tiers have: {shown}."


def path_side(scene: Scene) -> Side:
    """What a path is."""
    del scene
    return Side(
        lines=words.readers(),
        caption=f"Thin: a dozen other paths that chance might have taken. At every noise level, "
        f"95 % of the paths are inside the grey cone. {words.MADE_UP}",
    )


def onward_frame(asked: Asked) -> Scene:
    """Research has a number; the public's is to come, or drawn."""
    made = drawn(asked.draw)
    here = made.here
    public = mark(PUBLIC, here[PUBLIC], LARGE) if asked.done else mark(PUBLIC)
    end = sd(PUBLIC) if asked.done else sd(RESEARCH)
    return Scene(
        frame=threads_frame([mark(RESEARCH, here[RESEARCH]), public], TRUTH),
        path=strands_frame([made.path], blurred=end),
        possible=strands_frame(made.onward),
        string=hanging_frame(RHO[RESEARCH], here[RESEARCH], RHO[PUBLIC]),
        drawn=made,
        asked=asked,
    )


def string_picture(scene: Scene) -> go.Figure:
    """A path below a number that is held, and where it may go."""
    asks = PARTNERS if PARTNERS in set(scene.frame["who"]) else PUBLIC
    string = scene.string if scene.string is not None else scene.frame
    wall = WALL if asks == PUBLIC else None
    strings = [(string, STYLE[asks])]
    return walks(scene.frame, scene.path, scene.possible, ticks=TICKS, strings=strings, wall=wall)


def onward_alt(scene: Scene) -> str:
    """The same in words."""
    at = number_of(scene.drawn.here[RESEARCH])
    if scene.asked.done:
        to = number_of(scene.drawn.here[PUBLIC])
        return f"The path goes on from research’s number, {at}, to the public’s, {to}."
    return f"Below research’s number, {at}, a fan of paths opens: the public’s may fall there."


def onward_side(scene: Scene) -> Side:
    """Research's number and more noise."""
    here, half = scene.drawn.here, words.way(RESEARCH, PUBLIC)
    names = (RESEARCH, PUBLIC)
    added = words.half_claim(
        "noise from research’s number to the public’s",
        half,
        "the difference of the two variances (MATHEMATICS 2.1)",
    )
    caption = "Shaded: where 95 % of the paths go; dark: half of them. Thin: a dozen of them."
    if not scene.asked.done:
        return Side(
            label="Where the public’s number may fall",
            value=words.about(here[RESEARCH], half),
            note="research’s number, and more noise",
            claims=(words.drawn_claim(RESEARCH, here[RESEARCH]), added),
            lines=words.arrivals(here, names, to_come=PUBLIC),
            caption=caption,
        )
    step = round(here[PUBLIC], 1) - round(here[RESEARCH], 1)  # as the numbers are written
    return Side(
        label="The public’s number",
        value=number_of(here[PUBLIC]),
        note=f"research’s {number_of(here[RESEARCH])}, and noise {number_of(step)}",
        claims=(words.drawn_claim("the public", here[PUBLIC]), added),
        lines=words.arrivals(here, names),
        caption=f"It is as blurred as if the town had been asked again: "
        f"{pm(half_of(RHO[RESEARCH]))} and {pm(half)} make {pm(half_of(RHO[PUBLIC]))}, as their "
        "squares add.",
    )


def string_frame_of(asked: Asked) -> Scene:
    """Three tiers have numbers; that of partners is to come, or drawn."""
    made = drawn(asked.draw)
    here = made.here
    large = mark(PARTNERS, here[PARTNERS], LARGE) if asked.done else mark(PARTNERS)
    rows = [mark(n, here[n]) for n in (AUDIT, RESEARCH)]
    path = strands_frame([made.path], blurred=sd(PUBLIC) if asked.done else sd(RESEARCH))
    return Scene(
        frame=threads_frame([*rows, large, mark(PUBLIC, here[PUBLIC])], TRUTH),
        path=path,
        possible=strands_frame(made.strings),
        string=hanging_frame(RHO[RESEARCH], here[RESEARCH], RHO[PUBLIC], here[PUBLIC]),
        drawn=made,
        asked=asked,
    )


def string_alt(scene: Scene) -> str:
    """The same in words."""
    between = "between research’s number and the public’s"
    if scene.asked.done:
        return f"The number of partners, {number_of(scene.drawn.here[PARTNERS])}, hangs {between}."
    return f"A dozen strings {between}, within bands that are narrow at both ends."


def string_side(scene: Scene) -> Side:
    """Where the string hangs, and the number drawn there."""
    here = scene.drawn.here
    ends = (here[RESEARCH], here[PUBLIC])
    law = release_law(GAUSSIAN, *ends, level(RESEARCH), level(PARTNERS), level(PUBLIC))
    low, middle, high = law.quantile(np.array([0.025, 0.5, 0.975])).tolist()
    half = (high - low) / 2
    pull = (level(PUBLIC) - level(PARTNERS)) / (level(PARTNERS) - level(RESEARCH))
    method = "the distribution between two known numbers (MATHEMATICS 2.1)"
    falls = words.half_claim("half width of the string at partners", half, method)
    expected = Claim(
        what="the middle of the string at partners",
        value=middle,
        unit="people",
        fixed="the numbers of research and the public",
        method=method,
    )
    caption = (
        f"Research’s number pulls {pull:.0f} times as hard as the public’s: its blur is nearer. "
        f"The truth is not needed here either."
    )
    if not scene.asked.done:
        return Side(
            label="Where partners’ number may fall",
            value=words.about(middle, half),
            note="between the two numbers",
            claims=(expected, falls),
            lines=words.arrivals(here, TIERS, to_come=PARTNERS),
            caption=caption,
        )
    return Side(
        label="Partners’ number",
        value=number_of(here[PARTNERS]),
        note=f"expected: {words.about(middle, half)}",
        claims=(words.drawn_claim(PARTNERS, here[PARTNERS]), expected, falls),
        lines=words.arrivals(here, TIERS),
        caption=caption,
    )
