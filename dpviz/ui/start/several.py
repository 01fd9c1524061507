"""Screens 3 to 6 of the front page: four numbers, what they say together, and a fifth."""

from dataclasses import replace

import plotly.graph_objects as go

from dpviz.charts.start.blurs import blurs
from dpviz.charts.start.plucked import plucked
from dpviz.charts.threads import number_of, threads
from dpviz.charts.threads_frame import LARGE, Mark, string_frame, threads_frame
from dpviz.planning.cast import ASKING, AUDIT, COUNCIL, ILL, MONTHS, STYLES
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.kit.notes import Scene, right
from dpviz.ui.start import words
from dpviz.ui.start.town import COUNCIL_RHO, FOUR, PINS, RHO, Drawn, drawn

TICKS = {float(x): f"{x}" for x in range(ILL - 4, ILL + 5, 2)}
WIDE = 5.0  # people: beyond that only every other tick has its number
WHEN = dict(zip(ASKING, MONTHS, strict=True)) | {COUNCIL.name: COUNCIL.note}


def blurs_frame(asked: Asked) -> Scene[Drawn]:
    """A number for each clearance, on no thread yet."""
    made = drawn(asked.draw)
    marks = [FOUR.mark(name, x) for name, x in made.usual.items()]
    return Scene(frame=threads_frame(marks, FOUR.truth), drawn=made, asked=asked)


def blurs_picture(scene: Scene[Drawn]) -> go.Figure:
    """Four blurred bars below the truth, and a number on each."""
    return blurs(scene.frame, ticks=TICKS)


def blurs_alt(scene: Scene[Drawn]) -> str:
    """The same in words."""
    numbers = ", ".join(f"{n} {number_of(x)}" for n, x in scene.drawn.usual.items())
    return f"Below the true count, {ILL}, four blurred bars, wider further down: {numbers}."


def blurs_side(scene: Scene[Drawn]) -> Side:
    """Who gets which number."""
    return Side(lines=words.who_gets_what(scene.drawn), caption=words.CONE)


def usual_picture(scene: Scene[Drawn]) -> go.Figure:
    """Four threads to the truth."""
    remark = "" if scene.asked.done else "four threads lead<br>to the truth"
    return threads(scene.frame, ticks=TICKS, remark=remark)


def here_picture(scene: Scene[Drawn]) -> go.Figure:
    """One thread to the truth, and the others below it."""
    before, after = "one thread leads<br>to the truth", "together:<br>what audit<br>knew alone"
    return threads(scene.frame, ticks=TICKS, remark=after if scene.asked.done else before)


def council_frame(asked: Asked) -> Scene[Drawn]:
    """Four numbers on a thread, and the council's between two of them: to come, or drawn."""
    made, done = drawn(asked.draw), asked.done
    above = dict(zip(RHO, ("", *RHO), strict=False))
    above[PINS[1]] = COUNCIL.name if done else ""  # then what hangs between the two is the string
    marks = [FOUR.mark(name, x, above[name]) for name, x in made.here.items()]
    new = Mark(who=COUNCIL.name, rho=COUNCIL_RHO, style=STYLES[COUNCIL.name])
    if done:
        new = replace(new, value=made.council, above=PINS[0], state=LARGE)
    ends = (mark for mark in marks if mark.who in PINS)
    return Scene(
        frame=threads_frame([*marks, new]), drawn=made, asked=asked, string=string_frame(*ends)
    )


def council_picture(scene: Scene[Drawn]) -> go.Figure:
    """The string between two ringed numbers, and the ways in which it may hang."""
    numbers = scene.drawn.here.values()
    step = 1 if max(numbers) - min(numbers) < WIDE else 2
    return plucked(
        scene.frame,
        scene.string,
        () if scene.asked.done else scene.drawn.ways,
        STYLES[COUNCIL.name],
        pins=PINS,
        new=COUNCIL.name,
        ticks={float(x): f"{x}" for x in range(ILL - 30, ILL + 31, step)},
        below=WHEN,
        remark="the truth is up there,<br>and not needed",
    )


def council_alt(scene: Scene[Drawn]) -> str:
    """The same in words."""
    between = " and ".join(f"{name}’s number" for name in PINS)
    if scene.asked.done:
        said = number_of(scene.drawn.council)
        return f"A string between {between}: the council’s, {said}, is drawn on it."
    return f"Faint strings between {between} show where the council’s number may fall."


def council_side(scene: Scene[Drawn]) -> Side:
    """What all know together, and who asked when."""
    done = scene.asked.done
    claim = words.everybody_claim(council=done)
    more = round(claim.value) - right(RHO[AUDIT])
    return Side(
        label=f"Guesses right by all {'five' if done else 'four'}, of 1,000",
        value=f"{claim.value:.0f}",
        note=f"{more} more than {FOUR.sharpest} alone",
        claims=(claim,),
        lines=words.asking(scene.drawn, council=done),
        caption=words.any_order(council=done),
    )
