"""What the page Social network says of many people with such a circle."""

import pandas as pd

from dpviz.charts.local.network_population import normal_half_width
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.social_network.view import View
from dpviz.ui.social_network.words import hops
from dpviz.words import budget, join, number, percent, pm, significant, visible
from dpviz.words.claims import Claim, Said
from dpviz.words.markdown import literal
from dpviz.workspace.local.hospitals import Town


def reading() -> str:
    """What the estimates say."""
    return (
        f"Each line holds the mean of the population {percent(ACCURACY_CONFIDENCE)} of the time. "
        "Filled: numbers with less noise weigh more; hollow: all weigh the same. Some trust more "
        "than others, whatever their value."
    )


def said(view: View, town: Town) -> Said:
    """How near the farthest ring comes to one value, and to the mean of many."""
    told_last, ring = town.told[-1], view.circle.rings[-1]
    unit, places = view.asked.unit, view.asked.network.places
    half = normal_half_width(told_last.weighted.standard_error)
    who, whom = ("A hospital", "patient") if places else ("Somebody", "person")
    one, mean = literal(pm(ring.half_width, 2, unit)), literal(pm(half, 2, unit))
    fixed = (
        f"{percent(ACCURACY_CONFIDENCE)} confidence, {budget('ε', float(ring.epsilon))} for usual "
        f"trust, {town.patients:,} made-up values of spread {significant(town.spread)} {unit}"
    ).strip()
    return Said(
        f"{who} {hops(ring.distance)} away knows the value of one {whom} to within {one}, and the "
        f"mean of the population from {town.patients:,} of them to within {mean}.",
        (
            Claim(
                what=f"half width of the value of one {whom}",
                value=ring.half_width,
                unit=unit,
                fixed=fixed,
                method="quantile of the noise (MATHEMATICS 4.1)",
            ),
            Claim(
                what="half width of the mean",
                value=half,
                unit=unit,
                fixed=fixed,
                method="normal quantile × 1/√Σw, inverse-variance weights (MATHEMATICS 15.4)",
                assumes="how far people trust has nothing to do with their value, and the mean of "
                "many numbers is normal",
            ),
        ),
    )


def alternative(frame: pd.DataFrame) -> str:
    """The estimates in words."""
    found = frame[frame["weights"] == "by noise"]
    listed = "; ".join(
        f"{hops(int(d))} away {number(m, step=h)} ± {number(h)}"
        for d, m, h in zip(found["hops"], found["mean"], found["half"], strict=True)
    )
    return f"Estimated means of all patients with intervals, by distance of the hospital: {listed}."


def rings_named(view: View) -> dict[int, str]:
    """The rings as they are called beside their estimates: hospitals by name."""
    if view.asked.network.places:
        return {r.distance: join([visible(name) for name in r.members]) for r in view.circle.rings}
    return {r.distance: f"{hops(r.distance)} away" for r in view.circle.rings}
