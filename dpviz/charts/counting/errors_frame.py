"""Continual counting on paper: errors over the steps and the arity, and the crossover, as frames.

Column names are declared here. Nothing here draws, and no data enters.
"""

import math
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from dpviz.accounting.counting_crossover import (
    COUNTING_GAUSSIANS,
    counting_crossover_log_delta,
    square_root_error,
)
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.tree_errors import (
    ARITIES,
    best_arity,
    honaker_error,
    step_variances,
    tree_error,
)
from dpviz.accounting.trees import Tree, smallest_tree
from dpviz.charts.counting.frame import STEP
from dpviz.noise.family import Family

LN_10 = math.log(10)
SCHEME, DEVIATION, ARITY, ERROR = "scheme", "deviation", "arity", "error"
OUR_TREE, PLAIN_TREE, BINARY, HONAKER, GAUSS = "tree", "plain", "binary", "honaker", "gauss"
CALIBRATION, LOG_STEPS, LOG_DELTA = "calibration", "log10_steps", "log10_delta"
MOST_STEPS = 10**12


def deviations_frame(
    tree: Tree,
    steps: int,
    epsilon: float,
    log_delta: float,
    *,
    sensitivity: float,
    family: Family,
    most: int,
) -> pd.DataFrame:
    """Standard deviation of each running count, columns scheme, step, deviation.

    Schemes: the tree in use, the binary tree without subtraction, Gaussian noise on the square root
    at (ε, δ), whose step t has σ²·S_T·S_t. Longer streams are thinned to about `most` steps.
    """
    at = np.unique(np.linspace(0, steps - 1, min(steps, most)).astype(np.int64))
    mine = step_variances(tree, steps, epsilon, sensitivity=sensitivity, family=family)
    binary = step_variances(
        smallest_tree(steps, 2, False), steps, epsilon, sensitivity=sensitivity, family=family
    )
    j = np.arange(1, steps)
    squares = np.concatenate([[1.0], np.cumprod(1 - 1 / (2 * j))]) ** 2
    sums = np.cumsum(squares)
    gauss = gaussian_sigma(epsilon, log_delta, sensitivity) ** 2 * sums[-1] * sums
    found = {BINARY: binary, OUR_TREE: mine, GAUSS: gauss}
    parts = [
        pd.DataFrame({SCHEME: name, STEP: at + 1, DEVIATION: np.sqrt(variance[at])})
        for name, variance in found.items()
    ]
    return pd.concat(parts, ignore_index=True)


def arities_frame(
    steps: int, epsilon: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error for the arities 2…100, with subtraction and without.

    Columns scheme (`OUR_TREE`, `PLAIN_TREE`), arity, error.
    """
    error = partial(tree_error, steps, epsilon=epsilon, sensitivity=sensitivity, family=family)
    rows = [
        (name, k, math.sqrt(error(k, subtraction=subtraction).value))
        for name, subtraction in ((OUR_TREE, True), (PLAIN_TREE, False))
        for k in ARITIES
    ]
    return pd.DataFrame(rows, columns=[SCHEME, ARITY, ERROR])


def baselines_frame(
    steps: int, epsilon: float, log_delta: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error of what has no arity: columns scheme, error."""
    binary = tree_error(steps, 2, epsilon, False, sensitivity=sensitivity, family=family)
    found = {
        BINARY: binary.value,
        HONAKER: honaker_error(steps, epsilon, sensitivity=sensitivity).value,
        GAUSS: square_root_error(steps, epsilon, log_delta, sensitivity=sensitivity).value,
    }
    return pd.DataFrame(
        {SCHEME: list(found), ERROR: [math.sqrt(error) for error in found.values()]}
    )


def crossover_frame(epsilon: float, *, points: int = 40) -> pd.DataFrame:
    """δ* over the number of steps, 10 to 10¹², columns calibration, log10_steps, log10_delta.

    Gaussian calibrations that hold for ε ≤ 1 only are left out above it.
    """
    names = list(COUNTING_GAUSSIANS) if epsilon <= 1 else ["analytic"]
    rows = []
    for exponent in np.linspace(1, math.log10(MOST_STEPS), points).tolist():
        steps = round(10**exponent)
        for name in names:
            found = counting_crossover_log_delta(
                steps, epsilon, arity=best_arity_of(steps), gaussian=name
            )
            rows.append((name, exponent, found.value / LN_10))
    return pd.DataFrame(rows, columns=[CALIBRATION, LOG_STEPS, LOG_DELTA])


@lru_cache(maxsize=4096)  # pure mathematics of public numbers
def best_arity_of(steps: int) -> int:
    """`best_arity` with subtraction, remembered."""
    return best_arity(steps)
