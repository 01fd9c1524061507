"""Figures of continual counting, as `make papers` shows them: on paper, so no data enters.

Errors over the arity of the tree; and δ* over the number of steps: below a line of δ* the Laplace
tree has the smaller error, above it the Gaussian square root; below the lowest, the tree is below
every factorization.
"""

import math
from functools import lru_cache, partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.counting_crossover import (
    COUNTING_GAUSSIANS,
    SEARCHED,
    counting_crossover_log_delta,
    gaussian_crossovers,
    gaussian_factors,
    square_root_error,
)
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.trees import ARITIES, best_arity, honaker_error, tree_error
from dpviz.charts.axes import LN_10
from dpviz.charts.forms.lines import LINE, Axis, Here, Look, X, Y, lines
from dpviz.noise.family import Family
from dpviz.palette import DASHED, DOTTED, GAUSS_COLOUR, GREY, LAPLACE_COLOUR, MIXED

SCHEME, ARITY, ERROR = "scheme", "arity", "error"
BY_ARITY = (SCHEME, ARITY, ERROR)
OUR_TREE, PLAIN_TREE, BINARY, HONAKER, GAUSS = "tree", "plain", "binary", "honaker", "gauss"
BEST_GAUSS = "best gauss"
TREES = {
    OUR_TREE: Look(colour=LAPLACE_COLOUR, words="this tree"),
    PLAIN_TREE: Look(colour=LAPLACE_COLOUR, dash=DOTTED, words="adding only"),
    BINARY: Look(colour=GREY, dash=DASHED, words="binary tree"),
    HONAKER: Look(colour=GREY, dash=MIXED, words="Honaker"),
    GAUSS: Look(colour=GAUSS_COLOUR, dash=DASHED, words="Gauss, √"),
    BEST_GAUSS: Look(colour=GAUSS_COLOUR, dash=DOTTED, words="Gauss, best"),
}
CROSSOVER = ("calibration", "log10_steps", "log10_delta")
MOST_STEPS = 10**12
ANY = "any"  # factorization: the bound that none is below
RULE = "δ = 1/T"
CALIBRATIONS = {
    ANY: Look(colour=GAUSS_COLOUR, dash=DOTTED, words="every Gauss"),
    "analytic": Look(colour=GAUSS_COLOUR, words="Gauss, √"),
    "root_two": Look(colour=GAUSS_COLOUR, dash=DASHED, words="less a √2"),
    "stated_exact": Look(colour=LAPLACE_COLOUR, dash=DASHED, words="paper’s bound"),
    "stated": Look(colour=LAPLACE_COLOUR, dash=DOTTED, words="paper, closed form"),
    RULE: Look(colour=GREY, dash=MIXED),
}


def arities_frame(
    steps: int, epsilon: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error for the arities 2…100, with subtraction and without.

    Columns scheme (`OUR_TREE`, `PLAIN_TREE`), arity, error.
    """
    error = partial(tree_error, steps, epsilon=epsilon, sensitivity=sensitivity, family=family)
    rows = [
        (name, k, math.sqrt(error(k, subtraction=subtraction)))
        for name, subtraction in ((OUR_TREE, True), (PLAIN_TREE, False))
        for k in ARITIES
    ]
    return pd.DataFrame(rows, columns=list(BY_ARITY))


def baselines_frame(
    steps: int, epsilon: float, log_delta: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error of what has no arity: columns scheme, error.

    The best factorization for Gaussian noise is there as far as it is computed.
    """
    binary = tree_error(steps, 2, epsilon, False, sensitivity=sensitivity, family=family)
    found = {
        BINARY: binary,
        HONAKER: honaker_error(steps, epsilon, sensitivity=sensitivity),
        GAUSS: square_root_error(steps, epsilon, log_delta, sensitivity=sensitivity),
    }
    best = gaussian_factors(steps).reached
    if best.method == SEARCHED:
        found[BEST_GAUSS] = gaussian_sigma(epsilon, log_delta, sensitivity) ** 2 * best.value
    return pd.DataFrame(
        {SCHEME: list(found), ERROR: [math.sqrt(error) for error in found.values()]}
    )


def arities_chart(frame: pd.DataFrame, baselines: pd.DataFrame, *, noun: str) -> go.Figure:
    """Draw the root mean squared error over the arity, the best one marked.

    Args:
        frame: columns `BY_ARITY`, with subtraction and without, errors above 0.
        baselines: columns scheme, error: what has no arity.
        noun: unit of the counts.
    """
    mine = frame[frame[SCHEME] == OUR_TREE]
    best = mine.loc[mine[ERROR].idxmin()]
    flat = baselines.merge(pd.DataFrame({ARITY: [frame[ARITY].min(), frame[ARITY].max()]}), "cross")
    return lines(
        pd.concat([frame, flat]).rename(columns={SCHEME: LINE, ARITY: X, ERROR: Y}),
        what="Errors of trees over their arity.",
        x=Axis(title="branches k: smaller blocks in a larger one", log=True),
        y=Axis(title=f"root mean squared error, {noun}", log=True),
        looks=TREES,
        here=Here(x=best[ARITY], y=best[ERROR], words=f"best: k = {best[ARITY]}"),
    ).figure


def crossover_frame(epsilon: float, *, points: int = 40) -> pd.DataFrame:
    """δ* over the number of steps, 10 to 10¹²; columns `CROSSOVER`; `ANY` is a bound.

    Gaussian calibrations that hold for ε ≤ 1 only are left out above it.
    """
    names = list(COUNTING_GAUSSIANS) if epsilon <= 1 else ["analytic"]
    rows = []
    for exponent in np.linspace(1, math.log10(MOST_STEPS), points).tolist():
        steps = round(10**exponent)
        arity = best_arity_of(steps)
        lowest = gaussian_crossovers(steps, epsilon, arity=arity).bound
        rows.append((ANY, exponent, lowest.value / LN_10))
        for name in names:
            found = counting_crossover_log_delta(steps, epsilon, arity=arity, gaussian=name)
            rows.append((name, exponent, found / LN_10))
    return pd.DataFrame(rows, columns=list(CROSSOVER))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers
def best_arity_of(steps: int) -> int:
    """`best_arity` with subtraction, remembered."""
    return best_arity(steps)


def counting_crossover_chart(frame: pd.DataFrame, *, here: tuple[float, float]) -> go.Figure:
    """Draw δ* over the number of steps.

    Args:
        frame: columns `CROSSOVER`; a calibration is a key of `CALIBRATIONS`.
        here: log₁₀ of the steps and of the δ that are looked at.
    """
    ends = [frame["log10_steps"].min(), frame["log10_steps"].max()]
    rule = [(RULE, exponent, -exponent) for exponent in ends]
    every = pd.concat([frame, pd.DataFrame(rule, columns=list(CROSSOVER))])
    steps, delta = (10.0 ** every[name] for name in CROSSOVER[1:])
    return lines(
        pd.DataFrame({LINE: every["calibration"], X: steps, Y: delta}),
        what="δ* over the number of steps; below a line the tree has the smaller error.",
        x=Axis(title="number of steps, T", log=True),
        y=Axis(title="δ*", log=True),
        looks=CALIBRATIONS,
        here=Here(x=10 ** here[0], y=10 ** here[1], words="what you look at"),
    ).figure
