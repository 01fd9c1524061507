"""Why the numbers of the lesson on the promise are true."""

from collections.abc import Sequence

import pandas as pd

from dpviz.charts.promise.hills_frame import PEOPLE, RHO
from dpviz.charts.promise.limits import CUT, ERROR, LIMIT, NOISE, best_limit
from dpviz.charts.promise.loss import Line
from dpviz.charts.promise.tricks import RIGHT as TRICK_RIGHT
from dpviz.charts.promise.tricks import TRICK
from dpviz.ui.kit.notes import EVEN, guess_claim
from dpviz.ui.the_promise.town import RHO as PUBLIC_RHO
from dpviz.ui.the_promise.town import Twin
from dpviz.words.claims import Claim

NOISY = f"Gaussian noise of ρ = {PUBLIC_RHO:g}"


def apart(twins: Sequence[Twin]) -> tuple[Claim, ...]:
    """Why the numbers are one apart."""
    return (
        Claim(
            what="how far the numbers with and without Maria are apart",
            value=round(max(each.here - each.away for each in twins), 9),
            unit="people",
            fixed="the same noise on both tables, replayed from its seed",
            method="noise is added to the count, whatever the count (MATHEMATICS 1.1)",
        ),
    )


def ratio(at: float, times: float, loss: float) -> tuple[Claim, ...]:
    """Why one table is likelier than the other, and the loss."""
    fixed = f"the number {at:.0f}, the noise of the public number"
    by = "ratio of two normal densities, at distance 1 (MATHEMATICS 3.1)"
    return (
        Claim(what="times likelier with Maria than without", value=times, fixed=fixed, method=by),
        Claim(what="privacy loss, its natural logarithm", value=loss, fixed=fixed, method=by),
    )


def losses(line: Line) -> tuple[Claim, ...]:
    """Why the line is passed that often, what is left open, and the mean."""
    law = "the loss is normal with mean ρ and variance 2ρ"
    return (
        Claim(
            what="draws of 100 in which the loss passes the line",
            value=100 * line.passed,
            fixed=f"ρ = {line.rho:g}, a line at {line.epsilon:g}, Maria in the table",
            method=f"{law} (MATHEMATICS 5.7)",
        ),
        Claim(
            what="left open at this line, δ",
            value=line.delta,
            fixed=f"ρ = {line.rho:g}, ε = {line.epsilon:g}",
            method="the exact curve of Gaussian noise (MATHEMATICS 3.3)",
        ),
        Claim(
            what="mean loss",
            value=line.rho,
            fixed="Gaussian noise, Maria in the table",
            method=f"{law} (MATHEMATICS 3.1)",
        ),
    )


def guess(people: int, rho: float) -> Claim:
    """Why this many of 1,000 guesses are right about a group."""
    return guess_claim("about one person" if people == 1 else f"about {people} people", rho)


def groups(frame: pd.DataFrame) -> tuple[Claim, ...]:
    """Guesses and budget of each group, the one of four people first."""
    rows = sorted(frame.to_dict("records"), key=lambda row: row[PEOPLE] != 4)
    return tuple(
        claim
        for row in rows
        for claim in (
            guess(int(row[PEOPLE]), row[RHO]),
            Claim(
                what=f"budget ρ for {row[PEOPLE]:.0f}",
                value=row[RHO],
                fixed="each of them moves the count by 1",
                method="k² times that of one person (MATHEMATICS 5.12)",
            ),
        )
    )


def tricks(frame: pd.DataFrame) -> tuple[Claim, ...]:
    """Why each trick gets this many right; the number as it is comes first."""
    return tuple(
        Claim(
            what=f"right guesses of 1,000, {row[TRICK]}",
            value=row[TRICK_RIGHT],
            fixed=EVEN,
            method="half of the larger chance of each outcome, summed (MATHEMATICS 5.6)",
        )
        for row in frame.to_dict("records")
    )


def limits(frame: pd.DataFrame, at: int) -> tuple[Claim, ...]:
    """The errors at the visitor's limit, and the least of any."""
    here = frame.set_index(LIMIT).loc[at]
    best = best_limit(frame)
    fixed = f"a limit of {at}, {NOISY}"
    both = "root of the sum of the squares of what is cut away and of the noise"
    return (
        _visits("error of the sum, root mean square", here[ERROR], fixed, both),
        _visits("cut away", here[CUT], fixed, "sum of what is above the limit"),
        _visits(
            "noise, standard deviation",
            here[NOISE],
            fixed,
            "the limit / √(2ρ): one person moves the sum by at most the limit (MATHEMATICS 3.1)",
        ),
        _visits("least error", best[ERROR], f"{NOISY}, every limit from 1 to {len(frame)}", both),
        Claim(
            what="limit with the least error",
            value=best[LIMIT],
            unit="visits",
            fixed=NOISY,
            method=f"every limit from 1 to {len(frame)} tried",
        ),
    )


def _visits(what: str, value: float, fixed: str, method: str) -> Claim:
    return Claim(what=what, value=float(value), unit="visits", fixed=fixed, method=method)
