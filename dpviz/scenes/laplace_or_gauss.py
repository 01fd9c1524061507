"""Laplace or Gauss: which noise is smaller for one query, where that turns, and over many rounds.

`sizes` makes the numbers of the headline; the drawer shows its source. The border between both
kinds is found row by row, one root for each δ: it depends on ε alone, so every visitor and every
number of counts shares it. Rounds: k releases of the same counts, by the exact losses and by the
bounds of [BCT20, Figure 5]. Everything here is public: no data enters.
[BCT20] Cesar, Rogers, arXiv:2004.07223.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd

from dpviz.accounting.crossover import (
    crossover_dimension,
    equal_variance_log_delta,
    equal_variance_moved,
)
from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
    histogram_tight_epsilon,
    histogram_zcdp_epsilon,
)
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_SUM, within_reach
from dpviz.errors import ParameterError
from dpviz.planning.choice import GAUSSIAN, LAPLACE, Choice, Question, SameRho, choose, same_rho
from dpviz.queries import Nouns
from dpviz.queries.nouns import PERSON
from dpviz.workspace.facts import Facts
from dpviz.workspace.guesses import CorrectGuesses, right_of_epsilon

NOISE, DEVIATION = SIZES = ("noise", "deviation")
LOG10_DELTA, MOVED = BORDER = ("log10_delta", "moved")
LN_10 = math.log(10)
RIGHT = math.log10(0.5)  # beyond δ = 0.5 nothing is promised
DEPTH, ROWS = -15.0, 61  # log₁₀ δ where the map begins at least, and rows of it
CLOSE = 2  # whole numbers between two rows, each a point of the border
LEAST_END = 100  # numbers per person where the map ends at least
Row = tuple[float, float]
METHOD, ROUNDS, TOTAL = ROUND_COLUMNS = ("method", "rounds", "epsilon")
LAPLACE_EXACT, LAPLACE_BOUND = "laplace_exact", "laplace_bound"
GAUSS, GAUSS_ZCDP, GAUSS_LOOSE = "gauss", "gauss_zcdp", "gauss_loose"
COSTS: Mapping[str, Callable[..., float]] = {
    LAPLACE_EXACT: histogram_tight_epsilon,
    LAPLACE_BOUND: histogram_laplace_epsilon,
    GAUSS: histogram_gaussian_epsilon,
    GAUSS_ZCDP: histogram_zcdp_epsilon,
    GAUSS_LOOSE: histogram_loose_epsilon,
}
MOST_ROUNDS, MOST_COORDINATES, ROUND_POINTS = 100, 20_000, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One query, and what it is called."""

    question: Question
    footer: Facts = ()  # what is given beside every number of the plan
    unit: str = "people"  # after a number, such as "of “cost”"
    noun: str = "people"  # of the numbers released
    nouns: Nouns = PERSON  # of whom is protected
    town: bool = False  # whether it is the made-up town, not the statistic in use


@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceOrGauss:
    """What both kinds of noise need for one query, and where the smaller one changes."""

    settings: Settings
    choice: Choice
    sizes: pd.DataFrame  # as `sizes` gives them
    border: pd.DataFrame  # columns `BORDER`, δ ascending
    right: CorrectGuesses  # guesses about one person that the promise lets be right

    @property
    def question(self) -> Question:
        """The point (ε, δ, Δ₁, Δ₂)."""
        return self.choice.question

    @property
    def deviations(self) -> tuple[float, float]:
        """Standard deviation of Laplace and of Gaussian noise."""
        laplace, gauss = self.sizes[DEVIATION].tolist()
        return laplace, gauss

    @property
    def turn(self) -> int | None:
        """Numbers of one person from which on Gaussian noise is smaller; None where none is known.

        That is where numbers are not moved alike, the verdict at this very number is another, it
        never turns, or it does beyond the reach of the exact curve.
        """
        count, most = self.question.count, self.choice.moved_up_to
        if count is None or (count <= most) != (self.choice.better == LAPLACE):
            return None
        return most + 1 if most and within_reach(self.question.epsilon, most + 1) else None

    @property
    def held(self) -> SameRho:
        """The same at the ρ of the Gaussian noise that the query needs."""
        return same_rho(self.choice)


def scene(settings: Settings) -> LaplaceOrGauss:
    """All numbers of the page but those of rounds.

    Raises:
        ParameterError: the noise needed is beyond any float.

    >>> five = Question(epsilon=1.0, log_delta=math.log(1e-6), l1=5.0, l2=5**0.5)
    >>> scene(Settings(question=five)).turn
    9
    """
    q = settings.question
    low = min(DEPTH, 5.0 * math.floor(q.log_delta / LN_10 / 5 - 0.2))
    return LaplaceOrGauss(
        settings=settings,
        choice=choose(q),
        sizes=sizes(q),
        border=border(q.epsilon, low, exact=q.count is not None),
        right=right_of_epsilon(q.epsilon, math.exp(q.log_delta)),
    )


def sizes(question: Question) -> pd.DataFrame:
    """Return the standard deviation that Laplace and Gaussian noise need to keep one promise.

    >>> made = sizes(Question(epsilon=1.0, log_delta=-14.0, l1=1.0, l2=1.0))
    >>> made["deviation"].round(2).tolist()
    [1.41, 4.26]
    """
    found = choose(question)
    rows = [(LAPLACE.name, found.laplace), (GAUSSIAN.name, found.gaussian)]
    return pd.DataFrame(rows, columns=list(SIZES))


@lru_cache(maxsize=64)  # of ε alone, for all visitors
def border(epsilon: float, low: float, *, exact: bool) -> pd.DataFrame:
    """How many numbers of one person make both kinds equally large, for each δ; do not change it.

    Args:
        epsilon: of the promise.
        low: log₁₀ δ where it begins; it ends at δ = 0.5.
        exact: whether Laplace noise is counted by its exact curve, else by its pure ε.

    >>> border(1.0, -15.0, exact=True).iloc[0].round(2).tolist()
    [-15.0, 28.03]
    """
    at = equal_variance_moved if exact else crossover_dimension
    deltas = (RIGHT - (RIGHT - low) * np.linspace(1, 0, ROWS) ** 1.5).tolist()  # closer at 0.5
    rows = [(each, float(at(epsilon, each * LN_10))) for each in deltas]
    return pd.DataFrame(_through_wholes(epsilon, rows) if exact else rows, columns=list(BORDER))


def _through_wholes(epsilon: float, rows: list[Row]) -> list[Row]:
    """The border through its points at whole numbers, which alone mean something, where it falls.

    Args:
        epsilon: of the promise.
        rows: log₁₀ δ and numbers per person, δ ascending.
    """
    made = [rows[0]]
    for (low, many), (high, fewer) in pairwise(rows):
        wholes = range(math.floor(many), math.floor(fewer), -1)
        if fewer < 1 or fewer > many or len(wholes) > CLOSE:
            made.append((high, fewer))
            continue
        for whole in wholes:
            star = equal_variance_log_delta(
                epsilon, moved=whole, low=low * LN_10, high=high * LN_10
            )
            made += [] if star is None else [(star / LN_10, float(whole))]
    return made if made[-1][0] == rows[-1][0] else [*made, rows[-1]]


# --- the same counts, released again and again ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """What k rounds of a histogram cost in all, with noise of equal variance.

    Attributes:
        lines: columns `ROUND_COLUMNS`: the total ε by each method.
        most: rounds that are looked at.
        exact: from how many rounds on Gaussian noise costs less; None: not up to `most`.
    """

    lines: pd.DataFrame
    most: int
    exact: int | None


def rounds(question: Question) -> Rounds:
    """What releasing the same counts again and again costs, every round with new noise.

    It is as large as Laplace noise must be to keep the question's ε in one round.

    Args:
        question: R² a whole number ℓ₀: one person moves ℓ₀ counts by Δ₁/ℓ₀ each.

    Raises:
        ParameterError: R² is not a whole number, or too large, or δ alone covers all rounds.

    Source: [BCT20] section 6.1; MATHEMATICS 9.2.

    >>> one = Question(epsilon=1.0, log_delta=math.log(1e-6), l1=1.0, l2=1.0)
    >>> rounds(one).exact
    20
    """
    count = question.count
    if count is None or count > MOST_COORDINATES:
        raise ParameterError(
            f"rounds are compared where one person moves a whole number of counts, at "
            f"most {MOST_COORDINATES:,}, all by the same amount"
        )
    most = most_rounds(question)
    shown = np.unique(np.geomspace(1, most, ROUND_POINTS).round().astype(int)).tolist()
    names = [n for n in COSTS if n != LAPLACE_EXACT or n == laplace_line(question)]
    rows = [(name, k, total(question, name, k)) for name in names for k in shown]
    lines = pd.DataFrame(rows, columns=list(ROUND_COLUMNS))
    if not (lines[TOTAL] > 0).any():
        raise ParameterError(
            "the noise is so large that δ alone covers all rounds; choose a larger ε or a smaller δ"
        )
    return Rounds(lines=lines, most=most, exact=_gauss_from(question, lines))


def most_rounds(question: Question) -> int:
    """How many rounds are compared: fewer where one person moves many numbers.

    >>> most_rounds(Question(epsilon=1.0, log_delta=-14.0, l1=10_000.0, l2=100.0))
    2
    """
    return max(1, min(MOST_ROUNDS, MOST_COORDINATES // (question.count or 1)))


def laplace_line(question: Question) -> str:
    """The line of Laplace noise to compare with: the exact one within its reach, or the bound.

    >>> laplace_line(Question(epsilon=1.0, log_delta=-14.0, l1=1.0, l2=1.0))
    'laplace_exact'
    """
    largest = question.epsilon * most_rounds(question)
    within = question.log_delta >= -DEEPEST and largest < LARGEST_SUM
    return LAPLACE_EXACT if within else LAPLACE_BOUND


@lru_cache(maxsize=4096)  # pure mathematics of public numbers; other controls ask for it again
def total(question: Question, method: str, rounds: int) -> float:
    """Total ε of this many rounds by one method of `COSTS`.

    Raises:
        ParameterError: one person moves no whole number of counts.

    >>> q = Question(epsilon=2**0.5 / 10, log_delta=math.log(1e-6), l1=10.0, l2=10**0.5)
    >>> [round(total(q, method, 20), 6) for method in COSTS]
    [0.825832, 0.828077, 0.575055, 0.753384, 2.695253]
    """
    count = question.count
    if count is None:
        raise ParameterError("one person moves no whole number of counts: pass l1² / l2² as one")
    scale = question.l1 / question.epsilon
    size = scale if method in (LAPLACE_EXACT, LAPLACE_BOUND) else math.sqrt(2) * scale
    return COSTS[method](
        question.log_delta,
        size,
        l0_sensitivity=count,
        linf_sensitivity=question.l1 / count,
        rounds=rounds,
    )


def _gauss_from(question: Question, lines: pd.DataFrame) -> int | None:
    """The least number of rounds from which on Gaussian noise costs less; None: not here.

    Args:
        question: what the lines were made for.
        lines: of `Rounds`; between two of its numbers of rounds the change is found by halving.
    """
    by, laplace = lines.pivot(index=ROUNDS, columns=METHOD, values=TOTAL), laplace_line(question)
    dearer = by.index[~(by[GAUSS] < by[laplace])]
    cheaper = by.index if dearer.empty else by.index[by.index > dearer.max()]
    if not len(cheaper):
        return None
    low, high = int(dearer.max()) if len(dearer) else 0, int(cheaper.min())
    while high - low > 1:
        middle = (low + high) // 2
        less = total(question, GAUSS, middle) < total(question, laplace, middle)
        low, high = (low, middle) if less else (middle, high)
    return high
