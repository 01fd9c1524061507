"""Screens 1 to 3 of the lesson on trust: what one phone sends, and what a thousand send."""

import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.local.trust import YES_NO, crowd
from dpviz.charts.local.trust_frame import crowd_frame
from dpviz.charts.threads import number_of, threads
from dpviz.charts.threads_frame import LARGE, half_of, threads_frame
from dpviz.charts.two_hills import two_hills
from dpviz.planning.cast import ILL, PEOPLE
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.kit.notes import RIGHT, Report, Scene, guess_claim
from dpviz.ui.trust_grows import words
from dpviz.ui.trust_grows.town import FOUR, GROUPS, HOSPITAL, RHO, STYLE, TICKS, Drawn, drawn
from dpviz.words import number, pm
from dpviz.workspace.guesses import COIN


def phone_frame(asked: Asked) -> Scene[Drawn]:
    """Her answer on her phone, and the hospital’s number once it is sent."""
    made = drawn(asked.draw)
    heard = FOUR.mark(HOSPITAL)
    if asked.done:
        heard = FOUR.mark(HOSPITAL, made.here[HOSPITAL], FOUR.truth[0], LARGE)
    return Scene(frame=threads_frame([heard], FOUR.truth), drawn=made, asked=asked)


def phone_picture(scene: Scene[Drawn]) -> go.Figure:
    """A thread from her answer through the wall of her phone to the hospital."""
    wall = ("stays on her phone", "leaves her phone")
    return threads(scene.frame, ticks=TICKS, wall=wall, guesses=False)


def phone_alt(scene: Scene[Drawn]) -> str:
    """The same in words."""
    heard = "nothing yet"
    if scene.asked.done:
        heard = number_of(scene.drawn.here[HOSPITAL])
    return f"Above a line, on her phone: her answer, yes or 1. Below it the hospital has {heard}."


def phone_side(scene: Scene[Drawn]) -> Side:
    """A collector against her own phone."""
    lines = words.sent(scene.drawn)
    return Side(lines=lines if scene.asked.done else lines[:2], caption=words.CONE)


def report_frame(asked: Asked) -> Report:
    """Her report with the blur that was chosen."""
    return FOUR.report(asked.chosen, drawn(asked.draw).here)


def report_said(report: Report) -> str:
    """Whether its reader is left to guess."""
    return words.EVERYBODY_KNOWS if report.rho is None else words.LEFT_TO_GUESS


def report_picture(report: Report) -> go.Figure:
    """Two hills, and the number."""
    return two_hills(
        report.hills,
        report.said,
        STYLE[report.who or HOSPITAL],
        names=("if <b>no</b>", "if <b>yes</b>"),
        says="she sends",
        right=report.right,
        ticks=YES_NO,
    )


def report_alt(report: Report) -> str:
    """The same in words."""
    return f"If no and if yes: {report.shape}. She sends {number_of(report.said)}."


def report_side(report: Report) -> Side:
    """How often one guesses right by it."""
    return Side(
        label=RIGHT,
        value=f"{report.right:,}",
        claims=() if report.rho is None else (guess_claim(f"the {report.who}", report.rho),),
        guesses=guesses_frame(
            ("by her number", report.right - COIN, STYLE[report.who or HOSPITAL], False)
        ),
        caption=words.better_guess(report.said, report.rho),
    )


def crowd_scene(asked: Asked) -> Scene[Drawn]:
    """The mean report of Maria, her street, her quarter and the town."""
    made = drawn(asked.draw)
    groups = [(name, size) for name, size, _ in GROUPS]
    return Scene(frame=crowd_frame(made.crowd, groups), drawn=made, asked=asked)


def crowd_picture(scene: Scene[Drawn]) -> go.Figure:
    """The more people, the higher and the narrower."""
    return crowd(scene.frame, STYLE[HOSPITAL], asked=scene.asked.done)


def crowd_alt(scene: Scene[Drawn]) -> str:
    """The same in words."""
    one, _, _, most = scene.frame["half"]
    return (
        f"Four bars, from one person to {PEOPLE:,}, ever narrower: one report is within {pm(one)}, "
        f"the average of all within {pm(most)}."
    )


def crowd_side(scene: Scene[Drawn]) -> Side:
    """How many have high blood pressure, by their reports."""
    label, caption = "High blood pressure, of 1,000 people", words.crowd(asked=scene.asked.done)
    if not scene.asked.done:
        return Side(label=label, value="?", lines=words.ROOT, caption=caption)
    total, half = float(PEOPLE * scene.frame["mean"].iloc[-1]), half_of(RHO[HOSPITAL] / PEOPLE)
    return Side(
        label=label,
        value=f"{number(total, step=half)} {pm(half)}",
        note=f"the truth: {ILL}",
        claims=words.total_claims(total),
        lines=words.ROOT,
        caption=caption,
    )
