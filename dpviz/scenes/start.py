"""Start: the made-up town, who is ill, and what each tier and the council get.

`SEED` was picked among 400,000 because its marks stand apart, each number with less noise is nearer
to the truth, and so is what all four separate ones come to together, as in 6 of them: it is one
draw, not a typical one, and "Another possible draw" shows others.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from dpviz import streams
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from dpviz.planning import cast
from dpviz.planning.cast import (
    ASKING,
    AUDIT,
    COUNCIL,
    ILL,
    KNOWN,
    PARTNERS,
    PEOPLE,
    PUBLIC,
    RESEARCH,
    STYLES,
)
from dpviz.scenes.lessons import HERE, Readers, Scene, Settings, joint, number_for, session_on
from dpviz.scenes.threads import LARGE, Mark, string_frame, threads_frame

PLACES = 3  # a seed: who among the dots is ill
COUNCIL_RHO = cast.RHO[COUNCIL.name]
RHO = {name: cast.RHO[name] for name in (AUDIT, RESEARCH, PARTNERS, PUBLIC)}  # the sharpest first
TRUTH = float(ILL)
PINS = (PARTNERS, PUBLIC)  # whose numbers are around the council's
READERS = Readers(rho=RHO, styles=STYLES, truth=(f"the truth: {ILL}", TRUTH))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw of all that the lesson shows.

    Attributes:
        usual: each one's number with noise independent of the others'; audit's is that of `here`.
        here: each one's number, from one session.
        council: the council's number, asked for last, from the same session.
    """

    usual: dict[str, float]
    here: dict[str, float]
    council: float


def ill(maria: bool) -> list[bool]:
    """Who has high blood pressure, Maria first; the places of the others are always the same."""
    return [maria, *_others()]


@cache
def _others() -> tuple[bool, ...]:
    """Everybody but Maria."""
    others = np.arange(PEOPLE - 1) < KNOWN
    return tuple(streams.teaching(PLACES).permutation(others).tolist())


def draw(seed: int) -> Draw:
    """Draw everything, from sessions below one seed."""
    session = session_on(TRUTH, seed, 0)
    heard = {name: number_for(session, RHO[name]) for name in ASKING}
    here = {name: heard[name] for name in RHO}
    usual = {
        name: here[name] if name == AUDIT else number_for(session_on(TRUTH, seed, k), rho)
        for k, (name, rho) in enumerate(RHO.items())
    }
    council = number_for(session, COUNCIL_RHO)
    return Draw(usual=usual, here=here, council=council)


def each_group(drawn: Draw, settings: Settings) -> Scene[Draw]:
    """A number for each group of readers, on no path yet: to come, or drawn."""
    done = settings.done
    marks = [READERS.mark(name, x if done else None) for name, x in drawn.usual.items()]
    return Scene(frame=threads_frame(marks, READERS.truth), drawn=drawn, settings=settings)


def the_council(drawn: Draw, settings: Settings) -> Scene[Draw]:
    """Four numbers on a path, and the council's between two of them: to come, or drawn."""
    done = settings.done
    above = dict(zip(RHO, ("", *RHO), strict=False))
    if done:
        above[PINS[1]] = COUNCIL.name
    marks = [READERS.mark(name, x, above[name]) for name, x in drawn.here.items()]
    new = Mark(who=COUNCIL.name, rho=COUNCIL_RHO, style=STYLES[COUNCIL.name])
    if done:
        new = replace(new, value=drawn.council, above=PINS[0], state=LARGE)
    ends = (mark for mark in marks if mark.who in PINS)
    frame, string = threads_frame([*marks, new]), string_frame(*ends)
    return Scene(frame=frame, drawn=drawn, settings=settings, string=string)


def around() -> float:
    """The budget of partners and council together: the council’s number lies on the path."""
    return joint((RHO[PARTNERS], COUNCIL_RHO), HERE)


def from_the_auditors() -> float:
    """The same, had the council’s number been the auditors’ with more noise of its own.

    Partners' noise beyond the auditors' is then independent of the council's, so that both numbers
    together come closer to the auditors'. The public's is partners' with more noise: it adds
    nothing.
    """
    audit, *others = (gaussian_level(rho, 1.0) for rho in (RHO[AUDIT], RHO[PARTNERS], COUNCIL_RHO))
    return gaussian_rho(audit + 1 / sum(1 / (level - audit) for level in others), 1.0)
