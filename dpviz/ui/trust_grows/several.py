"""Screens 4 to 6 of the lesson on trust: what four may hold, and what they learn together."""

from dataclasses import replace

import plotly.graph_objects as go

from dpviz.charts.local.trust import YES_NO
from dpviz.charts.threads import number_of, threads
from dpviz.charts.threads_frame import COMPARED, LARGE, string_frame, threads_frame
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.kit.notes import HERE, USUAL, Scene, right
from dpviz.ui.trust_grows import words
from dpviz.ui.trust_grows.town import (
    CITY,
    DOCTOR,
    FAR,
    FOUR,
    HOSPITAL,
    RHO,
    STYLE,
    TICKS,
    TRUSTED_RHO,
    Drawn,
    drawn,
)

OLD, NEXT = "its old one", "trusted more"


def usual_picture(scene: Scene[Drawn]) -> go.Figure:
    """Four threads to the truth."""
    alone, joint = right(RHO[DOCTOR]), right(FOUR.together(USUAL))
    remark = "four threads lead<br>to the truth"
    if scene.asked.done:
        remark = f"together they get<br>{joint} right, not {alone}"
    return threads(scene.frame, ticks=TICKS, remark=remark)


def here_picture(scene: Scene[Drawn]) -> go.Figure:
    """One thread to the truth, and the others below it."""
    joint = right(FOUR.together(HERE))
    remark = "one thread leads<br>to the truth"
    if scene.asked.done:
        remark = f"together they get<br>{joint} right, no more"
    return threads(scene.frame, ticks=TICKS, remark=remark)


def growth_frame(asked: Asked) -> Scene[Drawn]:
    """Three numbers, the far clinic’s, and a sharper one for it: to come, or drawn."""
    made, done = drawn(asked.draw), asked.done
    others = {DOCTOR: "", HOSPITAL: DOCTOR, CITY: FAR if done else HOSPITAL}
    marks = [FOUR.mark(name, made.here[name], above) for name, above in others.items()]
    _, upper, lower = marks
    if done:
        new = replace(FOUR.mark(FAR, made.trusted, HOSPITAL, LARGE), rho=TRUSTED_RHO)
        old = replace(FOUR.mark(FAR, made.here[FAR], state=COMPARED), who=OLD)
    else:
        new = replace(FOUR.mark(FAR), who=NEXT, rho=TRUSTED_RHO)
        old = FOUR.mark(FAR, made.here[FAR], CITY)
    string = None if done else string_frame(upper, lower)
    frame = threads_frame([*marks, new, old])
    return Scene(frame=frame, drawn=made, asked=asked, string=string)


def growth_picture(scene: Scene[Drawn]) -> go.Figure:
    """The string between the hospital’s number and the city clinic’s."""
    remark = "the truth is up there,<br>and not needed"
    ticks = {float(x): number_of(x)[:-2] for x in range(-9, 12)} | YES_NO
    return threads(
        scene.frame,
        ticks=ticks,
        string=scene.string,
        pinned=STYLE[FAR],
        remark=remark,
        waiting="?",
    )


def growth_alt(scene: Scene[Drawn]) -> str:
    """The same in words."""
    between = "between the hospital’s number and the city clinic’s"
    if scene.asked.done:
        return f"The far clinic’s new number, {number_of(scene.drawn.trusted)}, is drawn {between}."
    return f"Four numbers on a thread; bands {between} show where a new number may fall."


def growth_side(scene: Scene[Drawn]) -> Side:
    """How much better the far clinic guesses, and who asked when."""
    done = scene.asked.done
    before, after = right(RHO[FAR]), right(TRUSTED_RHO)
    return Side(
        label="Guesses right by the far clinic, of 1,000",
        value=f"{after if done else before:,}",
        note=f"{after - before} more, as Maria wishes" if done else "trusted least",
        claims=words.growth_claims(trusted=done),
        lines=words.arrivals(scene.drawn, trusted=done),
        caption=words.growth(trusted=done),
    )
