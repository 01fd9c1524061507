"""The figures of [KHP15] as frames, from our own functions: line, kind of mark, x and y.

    1  samples of the process over ε
    2  the noise of the staircase mechanism beside Laplace noise
    3  the law of the second response, given the first (equation 25)
    4  what a first response costs the second one, by how they are made (section 3, in words there)

The text of the paper that we have lost the settings of its figures, so these are ours, in SETTING.
Source: MATHEMATICS 14.1, 14.4.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy import optimize

from dpviz import checks
from dpviz.charts.forms.lines import HIGH, LOW, Axis, Look, X, Y, lines
from dpviz.errors import ParameterError
from dpviz.gradual import LaplacePath, gradual_law
from dpviz.noise import ADDITIVE
from dpviz.palette import COLOURS
from dpviz.scenes.growing_trust import law
from dpviz.words import significant
from tests.papers.composition import Figure

LINE, KIND, AT, HEIGHT = "line", "kind", "at", "height"
GRADUAL_FIGURE = (LINE, KIND, AT, HEIGHT)
CURVE, STEPS, ATOM = "curve", "steps", "atom"
SAMPLES, FIRST_EPSILON, LAST_EPSILON = 5, 0.1, 5.0  # figure 1
ALONE = 1.0  # ε of figure 2
NOISE, BEFORE, AFTER = 1.0, 1.0, (1.25, 2.0, 5.0)  # figure 3
RATIOS = np.linspace(1.02, 4.0, 150)  # ε₂/ε₁ of figure 4
FIGURES = (1, 2, 3, 4)
SETTING = {
    1: "five samples from ε = 0.1 to 5, by a fixed seed",
    2: "ε = 1, sensitivity 1; the stairs with the least mean squared error",
    3: "the first response, at ε₁ = 1, is off by 1; the second is at ε₂ = 1.25, 2 or 5",
    4: "root mean squared error of the best estimate from both, in units of that of one at ε₂",
}
SLOTS = (1, 5, 8, 10, 3)
Row = tuple[str, str, float, float]


SAID = {
    1: Figure(
        title="Samples of the process",
        across="ε",
        up="noise",
        says="Each sample stays, jumps, stays, and comes to 0 as ε grows. It jumps less often than "
        "it seems: how often depends only on the ratio of the two ends of the axis.",
    ),
    2: Figure(
        title="Noise that is smaller for plain ε-privacy",
        across="noise",
        up="density",
        says="The staircase has the least squared error of all added noise that is ε-private. "
        "Laplace noise is the best where small changes must cost little; we know of no path for "
        "the staircase.",
    ),
    3: Figure(
        title="The second response, given the first",
        across="noise of the second response",
        up="density, or chance to stay",
        says="Spikes: the chance that the number stays, which falls as ε₂ grows. The rest moves "
        "towards the truth, at 0.",
    ),
    4: Figure(
        name="Section 3",
        title="What a first response costs the second",
        across="ε₂ in units of ε₁",
        up="error in units of one response at ε₂",
        says="With fresh noise that costs ε₂ together, even the best mean of both is worse than "
        "one response at ε₂, at most by a factor of 1.41. Gradual release loses nothing.",
    ),
}


def gradual_paper_frame(figure: int, *, rng: np.random.Generator) -> pd.DataFrame:
    """One figure of the paper, by its number; columns `GRADUAL_FIGURE`.

    Args:
        figure: 1 to 4.
        rng: what the samples of figure 1 are drawn from; the others draw nothing.

    Raises:
        ParameterError: there is no such figure.

    >>> from dpviz import streams
    >>> frame = gradual_paper_frame(3, rng=streams.teaching(7))
    >>> frame[frame["kind"] == "atom"]["height"].round(4).tolist()
    [0.623, 0.1839, 0.0037]
    """
    if checks.integer(1, figure=figure) not in FIGURES:
        raise ParameterError(f"figure must be a whole number from 1 to {FIGURES[-1]}")
    made = {1: lambda: _samples(rng), 2: _stairs, 3: _conditional, 4: _prices}[figure]
    return pd.DataFrame(list(made()), columns=list(GRADUAL_FIGURE))


def staircase(epsilon: float) -> tuple[float, float]:
    """Where the step of the staircase density is, for sensitivity 1, and its mean squared error.

    The density is a·e^{-kε} on [k, k + γ) and a·e^{-(k+1)ε} on [k + γ, k + 1), mirrored, with the γ
    of the least mean squared error: that of any noise that is added and ε-private.

    Raises:
        ParameterError: ε is not a number from 0.01 to 100.

    Source: [GV12], MATHEMATICS 14.4.

    >>> gamma, error = staircase(1.0)
    >>> round(gamma, 4), round(error, 4)  # Laplace noise: 2
    (0.4167, 1.9181)
    """
    checks.between(0.01, 100, epsilon=epsilon)
    found = optimize.minimize_scalar(
        lambda gamma: _error(gamma, epsilon), bounds=(0, 1), method="bounded",
        options={"xatol": 1e-10},
    )  # fmt: skip
    return float(found.x), float(found.fun)


def _error(gamma: float, epsilon: float) -> float:
    """Mean squared error of the stairs with their step at γ."""
    k = np.arange(math.ceil(50 / epsilon) + 2, dtype=float)
    inner = (k + gamma) ** 3 - k**3
    outer = math.exp(-epsilon) * ((k + 1) ** 3 - (k + gamma) ** 3)
    return float(2 * _top(gamma, epsilon) * (np.exp(-epsilon * k) * (inner + outer) / 3).sum())


def _top(gamma: float, epsilon: float) -> float:
    """The density at 0."""
    return -math.expm1(-epsilon) / (2 * (gamma + math.exp(-epsilon) * (1 - gamma)))


def _samples(rng: np.random.Generator) -> Iterable[Row]:
    path = LaplacePath(np.zeros(SAMPLES), FIRST_EPSILON, LAST_EPSILON, rng=rng)
    for n in range(SAMPLES):
        ends, values = path.steps(n)
        for start, value in zip([FIRST_EPSILON, *ends[:-1]], values, strict=True):
            yield f"sample {n + 1}", STEPS, float(start), float(value)
        yield f"sample {n + 1}", STEPS, LAST_EPSILON, float(values[-1])


def _stairs() -> Iterable[Row]:
    gamma, error = staircase(ALONE)
    for x in np.linspace(-5, 5, 401).tolist():
        density = float(ADDITIVE["laplace"].density(x, 1 / ALONE))
        yield f"Laplace, squared error {significant(2 / ALONE**2)}", CURVE, x, density
    name, top = f"staircase, squared error {significant(error)}", _top(gamma, ALONE)
    treads = []  # where each begins, and how high it is
    for k in range(5):
        near, far = top * math.exp(-ALONE * k), top * math.exp(-ALONE * (k + 1))
        treads += [(float(k), near), (k + gamma, far), (-k - 1.0, far), (-k - gamma, near)]
    for start, density in [*sorted(treads), (5.0, top * math.exp(-ALONE * 5))]:
        yield name, STEPS, start, density


def _conditional() -> Iterable[Row]:
    for after in AFTER:
        name = f"ε₂ = {after:g}"
        curve, atoms = law(gradual_law({BEFORE: NOISE}, after, exact=0.0), whole=False)
        for x, density in curve.itertuples(index=False):
            if abs(x) <= 3:
                yield name, CURVE, float(x), float(density)
        for x, chance in atoms.itertuples(index=False):
            yield name, ATOM, float(x), float(chance)


def _prices() -> Iterable[Row]:
    for ratio in RATIOS.tolist():
        yield "gradual: nothing is lost", CURVE, ratio, 1.0
    for ratio in RATIOS.tolist():
        yield "fresh noise, both combined", CURVE, ratio, both_combined(ratio)
    for ratio in RATIOS.tolist():
        if ratio > 1.25:  # else it is off the picture
            yield "fresh noise, the second alone", CURVE, ratio, ratio / (ratio - 1)


def both_combined(ratio: float) -> float:
    """Error of the best weighted mean of two independent responses that cost ε₂ together.

    In units of the error of one response at ε₂; the first is at ε₁ = ε₂/ratio, the second at what
    is left, ε₂ - ε₁.

        1/√((ε₁/ε₂)² + (1 - ε₁/ε₂)²)

    Raises:
        ParameterError: the ratio is not above 1.

    >>> round(both_combined(2.0), 6)
    1.414214
    """
    checks.positive(ratio_above_1=ratio - 1)
    share = 1 / ratio
    return 1 / math.hypot(share, 1 - share)


def gradual_paper_chart(frame: pd.DataFrame, *, across: str, up: str) -> go.Figure:
    """Draw one figure of the paper; a chance to stay is a spike at its place.

    Args:
        frame: columns `GRADUAL_FIGURE`.
        across: what runs to the right.
        up: what runs upwards.
    """
    parts, looks = [], {}
    for place, (name, kinds) in enumerate(frame.groupby(LINE, sort=False)):
        for kind, part in kinds.groupby(KIND, sort=False):
            said = f"{name}, stays" if kind == ATOM else str(name)
            colour = COLOURS[SLOTS[place % len(SLOTS)]]
            looks[said] = Look(colour=colour, width=2, marks=kind == ATOM)
            part = part.rename(columns={AT: X, HEIGHT: Y}).assign(**{LINE: said})
            if kind == STEPS:  # each height up to where the next one begins
                ends = part[X].iloc[1:].repeat(2).to_numpy()
                part = part.loc[part.index.repeat(2)].iloc[:-1]
                part[X] = [part[X].iloc[0], *ends]
            low = {LOW: 0.0, HIGH: part[Y]} if kind == ATOM else {LOW: math.nan, HIGH: math.nan}
            parts.append(part.assign(**low))
    named = {"x": Axis(title=across), "y": Axis(title=up)}
    return lines(pd.concat(parts), what=f"{up} over {across}.", looks=looks, **named).figure
