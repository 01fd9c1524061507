"""Screens 4 to 6 of the lesson on trust: what four may hold, and what they learn together."""

from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.guesses import COIN, guesses_frame
from dpviz.charts.local.trust import YES_NO
from dpviz.charts.threads import number_of, threads
from dpviz.charts.threads_frame import (
    COMPARED,
    HELD,
    LARGE,
    NO_STYLE,
    Mark,
    half_of,
    string_frame,
    threads_frame,
)
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.trust_grows import words
from dpviz.ui.trust_grows.marks import TICKS, TRUTH, Scene, mark
from dpviz.ui.trust_grows.town import (
    CITY,
    DOCTOR,
    FAR,
    HOSPITAL,
    RHO,
    STYLE,
    TRUSTED_RHO,
    drawn,
    pooled,
)
from dpviz.words import pm

TOGETHER, OLD, NEXT = "together", "its old one", "trusted more"
BY_DOCTOR, BY_NOTES = "by the doctor’s number", "by comparing notes"


def usual_frame(asked: Asked) -> Scene:
    """Four numbers with independent noise; after comparing notes, what they come to."""
    made, done = drawn(asked.draw), asked.done
    above, state = (TOGETHER, COMPARED) if done else (TRUTH[0], HELD)
    marks = [mark(name, x, above, state) for name, x in made.usual.items()]
    if done:
        rho = words.together(words.USUAL)
        best = pooled(made.usual)
        marks.append(Mark(who=TOGETHER, rho=rho, style=NO_STYLE, value=best, state=LARGE))
    return Scene(frame=threads_frame(marks, TRUTH), drawn=made, asked=asked)


def usual_picture(scene: Scene) -> go.Figure:
    """Four threads to the truth."""
    alone, joint = words.right(RHO[DOCTOR]), words.right(words.together(words.USUAL))
    remark = "four threads lead<br>to the truth"
    if scene.asked.done:
        remark = f"together they get<br>{joint} right, not {alone}"
    return threads(scene.frame, ticks=TICKS, remark=remark)


def usual_alt(scene: Scene) -> str:
    """The same in words."""
    alone, all_four = pm(half_of(RHO[DOCTOR])), pm(half_of(words.together(words.USUAL)))
    so = f"Together they are within {all_four}" if scene.asked.done else "Each has its own error"
    return f"Threads run from her answer to four numbers. {so}; the doctor’s is within {alone}."


def usual_side(scene: Scene) -> Side:
    """How much better one guesses by four numbers."""
    alone, joint = words.right(RHO[DOCTOR]), words.right(words.together(words.USUAL))
    if not scene.asked.done:
        return _doctor_alone(words.compared(here=False, after=False))
    return Side(
        label=words.RIGHT,
        value=f"{joint:,}",
        note=f"{joint - alone} more than the doctor alone",
        worse=True,
        claims=(words.guess_claim("all four", words.together(words.USUAL)), words.nearer_claim()),
        guesses=_guesses(hollow=False),
        caption=words.compared(here=False, after=True),
    )


def here_frame(asked: Asked) -> Scene:
    """Four numbers, each hanging from the next sharper one."""
    made = drawn(asked.draw)
    above = dict(zip(RHO, (TRUTH[0], *RHO), strict=False))
    states = dict.fromkeys(RHO, COMPARED) | {DOCTOR: LARGE} if asked.done else {}
    marks = [mark(n, x, above[n], states.get(n, HELD)) for n, x in made.here.items()]
    return Scene(frame=threads_frame(marks, TRUTH), drawn=made, asked=asked)


def here_picture(scene: Scene) -> go.Figure:
    """One thread to the truth, and the others below it."""
    joint = words.right(words.together(words.HERE))
    remark = "one thread leads<br>to the truth"
    if scene.asked.done:
        remark = f"together they get<br>{joint} right, no more"
    return threads(scene.frame, ticks=TICKS, remark=remark)


def here_alt(scene: Scene) -> str:
    """The same in words."""
    who = "all four together" if scene.asked.done else "the doctor"
    return (
        "One thread runs from her answer to the doctor’s number; the other three hang from it, one "
        f"below the other. Within {pm(half_of(RHO[DOCTOR]))}: {who}."
    )


def here_side(scene: Scene) -> Side:
    """How much better one guesses by four numbers: no better."""
    if not scene.asked.done:
        return _doctor_alone(words.compared(here=True, after=False))
    joint = words.together(words.HERE)
    usual = words.guess_claim("all four, the usual way", words.together(words.USUAL))
    return Side(
        label=words.RIGHT,
        value=f"{words.right(joint):,}",
        note=f"{words.right(joint) - words.right(RHO[DOCTOR])} more than the doctor alone",
        claims=(words.guess_claim("all four", joint), usual),
        guesses=_guesses(hollow=True),
        caption=words.compared(here=True, after=True),
    )


def _doctor_alone(caption: str) -> Side:
    alone = words.right(RHO[DOCTOR])
    return Side(
        label=words.RIGHT,
        value=f"{alone:,}",
        note="the doctor alone",
        claims=(words.guess_claim("the doctor", RHO[DOCTOR]),),
        guesses=guesses_frame((BY_DOCTOR, alone - COIN, STYLE[DOCTOR], False)),
        caption=caption,
    )


def _guesses(*, hollow: bool) -> pd.DataFrame:
    """What the doctor guesses right, and what comparing notes adds the usual way."""
    alone, joint = words.right(RHO[DOCTOR]), words.right(words.together(words.USUAL))
    doctor = (BY_DOCTOR, alone - COIN, STYLE[DOCTOR], False)
    return guesses_frame(doctor, (BY_NOTES, joint - alone, None, hollow))


def growth_frame(asked: Asked) -> Scene:
    """Three numbers, the far clinic’s, and a sharper one for it: to come, or drawn."""
    made, done = drawn(asked.draw), asked.done
    others = {DOCTOR: "", HOSPITAL: DOCTOR, CITY: FAR if done else HOSPITAL}
    marks = [mark(name, made.here[name], above) for name, above in others.items()]
    _, upper, lower = marks
    if done:
        new = replace(mark(FAR, made.trusted, HOSPITAL, LARGE), rho=TRUSTED_RHO)
        old = replace(mark(FAR, made.here[FAR], CITY, COMPARED), who=OLD)
    else:
        new = replace(mark(FAR), who=NEXT, rho=TRUSTED_RHO)
        old = mark(FAR, made.here[FAR], CITY)
    string = string_frame(upper, lower)
    frame = threads_frame([*marks, new, old])
    return Scene(frame=frame, drawn=made, asked=asked, string=string)


def growth_picture(scene: Scene) -> go.Figure:
    """The string between the hospital’s number and the city clinic’s."""
    remark = "the truth is up there,<br>and not needed"
    ticks = {float(x): number_of(x)[:-2] for x in range(-9, 12)} | YES_NO
    return threads(scene.frame, ticks=ticks, string=scene.string, pinned=STYLE[FAR], remark=remark)


def growth_alt(scene: Scene) -> str:
    """The same in words."""
    between = "between the hospital’s number and the city clinic’s"
    if scene.asked.done:
        return f"The far clinic’s new number, {number_of(scene.drawn.trusted)}, is drawn {between}."
    return f"Four numbers on a thread; bands {between} show where a new number may fall."


def growth_side(scene: Scene) -> Side:
    """How much better the far clinic guesses, and who asked when."""
    done = scene.asked.done
    before, after = words.right(RHO[FAR]), words.right(TRUSTED_RHO)
    return Side(
        label="Guesses right by the far clinic, of 1,000",
        value=f"{after if done else before:,}",
        note=f"{after - before} more, as Maria wishes" if done else "trusted least",
        claims=words.growth_claims(trusted=done),
        lines=words.arrivals(scene.drawn, trusted=done),
        caption=words.growth(trusted=done),
    )
