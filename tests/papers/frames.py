"""The six figures of [BCT20] as frames, from our own functions: line, kind of curve, x and y.

    1  eq. 3 for different shares of pure mechanisms, against the optimum of pure ones
    2  optimal composition of pure and bounded-range mechanisms that are fixed in advance
    3  what it costs to ask the pure mechanism first: a ratio of two δ, three mechanisms
    4  one histogram, by groups that one person moves, Laplace and Gauss equally large
    5  the same in 20 rounds; one line of the paper is far above what it stands for
    6  counts of the items on a list: Laplace noise, and Gaussian noise fitted to the order

The text of the paper that we have lost the settings of most figures, so these are ours, in SETTING.
Kinds of lines: exact, bound (valid, not the least), loose (a bound that misleads), simulated.
Limits: the counts of figure 6 are made up by Zipf's law; the paper takes words of a play.
Source: MATHEMATICS 5.8 to 5.10, 9.2, 13.3.
"""

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting.adaptive_composition import (
    BOUNDED_RANGE,
    PURE,
    adaptive_composition_log_delta,
)
from dpviz.accounting.conversions import zcdp_epsilon_textbook
from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
    histogram_tight_epsilon,
    histogram_zcdp_epsilon,
)
from dpviz.accounting.mixed_composition import mixed_composition_epsilon
from dpviz.accounting.pure_composition import pure_composition_epsilon
from dpviz.accounting.search import least
from dpviz.accounting.setwise import setwise_epsilon
from dpviz.errors import ParameterError
from dpviz.experiments.top_k import repeated_lists
from dpviz.noise import ADDITIVE

LINE, KIND, AT, VALUE = "line", "kind", "at", "value"
PAPER_FIGURE = (LINE, KIND, AT, VALUE)
EXACT, BOUND, LOOSE, SIMULATED = "exact", "bound", "loose", "simulated"
LOG_DELTA = math.log(1e-6)
EPSILON = 0.1  # of each mechanism of figures 1 and 2
COUNTS = (4, 8, 12, 20, 40, 60, 80, 100)  # of mechanisms, figures 1 and 2
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
EPSILONS = (4.0, 2.0, 1.0, 0.2)  # of the three mechanisms of figure 3
POINTS = 25  # of a line of figure 3
SCALE = 20.0  # of Laplace noise; Gaussian noise has the same variance
GROUPS = (1, 5, 10, 20, 40, 60, 80, 100)
ROUNDS, GROUPS_A_ROUND = 20, (1, 2, 3, 4, 5)
LENGTH, ITEMS, LARGEST, REPETITIONS = 50, 300, 700, 100
EACH = 0.1  # ε of each draw of the list, and of Laplace noise on each count
SETTING = {
    1: "ε = 0.1 each, δ = 1e-6",
    2: "ε = 0.1 each, δ = 1e-6",
    3: "three mechanisms of one ε, the total on the axis in units of it",
    4: "Laplace scale 20, σ = √2·20, Δ∞ = 1, δ = 1e-6, one round",
    5: "Laplace scale 20, σ = √2·20, Δ∞ = 1, δ = 1e-6, 20 rounds of 1 to 5 groups",
    6: "50 of 300 made-up counts 700/j, ε = 0.1 each, δ = 1e-6, 100 repetitions",
}
Row = tuple[str, str, float, float]


@lru_cache(maxsize=5)  # pure mathematics of public numbers
def _rows(figure: int) -> tuple[Row, ...]:
    """The points of one figure."""
    return tuple(_MADE[figure]())


def paper_frame(figure: int) -> pd.DataFrame:
    """One figure of the paper, by its number; columns `PAPER_FIGURE`.

    Args:
        figure: 1 to 5; `list_frame` is the sixth, which is simulated.

    Raises:
        ParameterError: there is no such figure.

    >>> frame = paper_frame(4)
    >>> frame[frame["line"] == "Gauss, Lemma 6.1"]["value"].round(6).tolist()[:2]
    [0.130627, 0.308708]
    """
    if checks.integer(1, figure=figure) > len(_MADE):
        raise ParameterError(f"figure must be a whole number from 1 to {len(_MADE)}")
    return pd.DataFrame(_rows(figure), columns=list(PAPER_FIGURE))


def _share(count: int, share: float) -> int:
    return round(count * share)


def _first() -> Iterable[Row]:
    for share in SHARES:
        for count in COUNTS:
            pure = _share(count, share)
            value = setwise_epsilon(
                [EPSILON] * pure, [EPSILON] * (count - pure), log_delta=LOG_DELTA
            )
            yield f"eq. 3, {_percent(share)} pure", BOUND, count, min(value, count * EPSILON)
    for count in COUNTS:
        value = pure_composition_epsilon(count, EPSILON, LOG_DELTA)
        yield "all pure, optimal", EXACT, count, value


def _second() -> Iterable[Row]:
    for share in SHARES:
        for count in COUNTS:
            pure = _share(count, share)
            value = mixed_composition_epsilon(pure, count - pure, EPSILON, LOG_DELTA)
            yield f"{_percent(share)} pure", EXACT, count, value


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _third() -> Iterable[Row]:
    first, between = (PURE, BOUNDED_RANGE, BOUNDED_RANGE), (BOUNDED_RANGE, PURE, BOUNDED_RANGE)
    for epsilon in EPSILONS:
        for share in np.linspace(0.0, 1.2, POINTS).tolist():
            high, low = (
                adaptive_composition_log_delta(order, epsilon, share * epsilon).value
                for order in (first, between)
            )
            yield f"ε = {epsilon:g}", EXACT, share, math.exp(high - low)


def _fourth() -> Iterable[Row]:
    return _histograms(((groups, groups, 1) for groups in GROUPS), loose=False)


def _fifth() -> Iterable[Row]:
    return _histograms(((groups * ROUNDS, groups, ROUNDS) for groups in GROUPS_A_ROUND), loose=True)


def _histograms(asked: Iterable[tuple[int, int, int]], *, loose: bool) -> Iterable[Row]:
    sigma = math.sqrt(2) * SCALE
    ways: list[tuple[str, str, Callable[..., float], float]] = [
        ("Laplace", EXACT, histogram_tight_epsilon, SCALE),
        ("Laplace, Lemma 6.2", BOUND, histogram_laplace_epsilon, SCALE),
        (
            "Gauss, composed" if loose else "Gauss, Lemma 6.1",
            EXACT,
            histogram_gaussian_epsilon,
            sigma,
        ),
        ("Gauss, Lemma 6.3", BOUND, histogram_zcdp_epsilon, sigma),
    ]
    if loose:
        ways.append(("Gauss, round by round", LOOSE, histogram_loose_epsilon, sigma))
    points = list(asked)
    for name, kind, cost, size in ways:
        for at, groups, rounds in points:
            value = cost(LOG_DELTA, size, l0_sensitivity=groups, rounds=rounds)
            yield name, kind, at, value


def figure_six_sigma() -> float:
    """The least σ by Lemma 6.3 at the ε that Laplace noise on all counts costs by Lemma 6.2.

    >>> round(figure_six_sigma(), 2)
    12.35
    """
    total = pure_composition_epsilon(LENGTH, EACH, LOG_DELTA)

    def excess(sigma: float) -> float:
        return zcdp_epsilon_textbook(LENGTH / (2 * sigma**2), LOG_DELTA) - total

    return least(excess, 10.0) or math.inf


def list_frame(*, rng: np.random.Generator) -> pd.DataFrame:
    """Figure 6: root mean square errors at each place of a list; columns `PAPER_FIGURE`.

    Args:
        rng: what REPETITIONS lists of made-up counts and their noise are drawn from.

    >>> from dpviz import streams
    >>> frame = list_frame(rng=streams.teaching(7))
    >>> frame["line"].unique().tolist(), len(frame)
    (['Laplace', 'Gauss, as drawn', 'Gauss, fitted'], 150)
    """
    counts = np.round(LARGEST / np.arange(1, ITEMS + 1))
    laplace, gauss = (
        repeated_lists(
            counts,
            LENGTH,
            scale=1 / EACH,
            family=family,
            level=level,
            repetitions=REPETITIONS,
            rng=rng,
        )
        for family, level in (
            (ADDITIVE["laplace"], 1 / EACH),
            (ADDITIVE["gaussian"], figure_six_sigma() ** 2),
        )
    )
    lines = (
        ("Laplace", laplace.error(laplace.values)),
        ("Gauss, as drawn", gauss.error(gauss.values)),
        ("Gauss, fitted", gauss.error(gauss.fitted)),
    )
    rows = [
        (name, SIMULATED, place, error)
        for name, errors in lines
        for place, error in enumerate(errors.tolist(), start=1)
    ]
    return pd.DataFrame(rows, columns=list(PAPER_FIGURE))


_MADE = {1: _first, 2: _second, 3: _third, 4: _fourth, 5: _fifth}
