"""What the front page says beside its pictures, and why its numbers are true."""

from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import half_of
from dpviz.planning.cast import ASKING, COUNCIL, ILL, KNOWN, MONTHS, STYLES
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.ui.kit import notes
from dpviz.ui.kit.notes import HERE, guess_claim, joint
from dpviz.ui.kit.parts import chip
from dpviz.ui.start.town import COUNCIL_RHO, RHO, Drawn
from dpviz.words import capitalised, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal

EXACT = "exact"
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget
WITH, WITHOUT = f"{ILL} people", f"{KNOWN} people"

GIVEN_AWAY = (
    f"The town reports {ILL} people with high blood pressure; an insurer already knows of "
    f"{KNOWN}, and that leaves Maria."
)
CLEARED = (
    f"The town reports {KNOWN} people with high blood pressure; an insurer knows of {KNOWN}, so "
    "Maria is not among them."
)
LEFT_TO_GUESS = (
    f"With noise, a random error, {ILL} and {KNOWN} can produce the same number: the insurer can "
    "no longer be sure."
)
KNOWS = (
    f"Without noise {ILL} and {KNOWN} never give the same number: the insurer knows about Maria."
)
RIGHT = "The insurer’s right guesses about Maria, of 1,000"
DOTS = (
    "One dot per person; faint: no high blood pressure. The town is made up. This site shows how "
    "to publish such a count and protect Maria."
)
CERTAIN = (
    "The insurer guesses whether Maria has high blood pressure, in 1,000 such towns. It knows "
    "about everyone else: the count gives the answer, every time."
)
CONE = (
    "Cone and ±: where 95 % of such numbers fall. Bars: the stronger the colour, the more often. "
    "The higher, the sharper, and the better the guesses about Maria."
)


def sum_claim(reported: int) -> Claim:
    """Why an exact count leaves nothing to guess."""
    return Claim(
        what="the count less the people of whom the insurer knows: Maria",
        value=float(reported - KNOWN),
        unit="people",
        fixed="the count is exact, and the insurer knows about everyone but her",
        method=f"{reported} less {KNOWN}: 1 is yes, 0 is no, so every guess is right",
    )


def better_guess(x: float, rho: float | None) -> str:
    """What the number makes one guess, and whether that is right."""
    if rho is None:
        return "Without noise the number is the count: all 1,000 guesses are right."
    guess, verdict = ("with", "right") if x > (ILL + KNOWN) / 2 else ("without", "wrong")
    return (
        f"Hills: how often each number would come up. At {literal(number_of(x))}, one draw, the "
        f"better guess is “{guess} Maria”: {verdict}."
    )


def who_gets_what(drawn: Drawn) -> tuple[str, ...]:
    """Each clearance, who holds it, and its number."""
    held = {tier.name: f"{tier.members or ''} {tier.note}".strip() for tier in DEFAULT_TIERS}
    rows = [
        f"{chip(name, STYLES[name])} · {literal(held[name])}  \n"
        f"**{literal(number_of(drawn.usual[name]))}** {pm(half_of(RHO[name]))} people"
        for name in RHO
    ]
    return ("**Who gets which number**", *rows)


def asking(drawn: Drawn, *, council: bool) -> tuple[str, ...]:
    """Who asked when, and got which number."""
    heard = [
        (month, name, STYLES[name], RHO[name], drawn.here[name])
        for month, name in zip(MONTHS, ASKING, strict=True)
    ]
    if council:
        month, name = capitalised(COUNCIL.note), COUNCIL.name
        heard.append((month, name, STYLES[name], COUNCIL_RHO, drawn.council))
    return notes.asking(heard)


def everybody_claim(*, council: bool) -> Claim:
    """Why those who hold a number guess no better together than audit alone."""
    rhos = (*RHO.values(), COUNCIL_RHO) if council else RHO.values()
    return guess_claim("all five" if council else "all four", joint(rhos, HERE))


def any_order(*, council: bool) -> str:
    """Where the council's number may fall, and what it changes."""
    if not council:
        return (
            "Hollow marks: numbers that the council might get, and how the string would hang then. "
            "Bands: where it usually falls; the inner one: half of the time."
        )
    return (
        "Any other order would have done: each number would be as blurred, and hang from the "
        "others in the same way."
    )
