"""Privacy losses of mechanisms known by their class: of bounded range, and concentrated.

A mechanism of bounded range may be any generalised response (loss_promises.py), another one after
each result. One alone costs at most the law whose curve is the worst over t at each epsilon,

    density  e^((x - epsilon)/2) / (2 (1 - e^-epsilon))  of the loss x  on  [-epsilon, epsilon]

and several of one size, in one block, at most the law with the curve of mixed_composition.py. A
fixed law before a mechanism of bounded range costs no less than the same law after it, so the loss
of a block may be added to all others, wherever its mechanisms stand between them; for two sizes
that alternate this is not known, and only one size is counted. A rho-zCDP mechanism costs at
most what the Rényi conversion says, and such rhos add: then epsilon-BR counts as epsilon²/8.
Each reading is an upper bound, and the smallest counts. Source: MATHEMATICS 5.7, 5.10 and 3.2.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.bounded_range import bounded_range_log_delta
from dpviz.accounting.conversions import zcdp_epsilon
from dpviz.accounting.loss_curves import Terms
from dpviz.accounting.loss_noise import NormalTerm
from dpviz.accounting.loss_promises import GeneralisedResponseTerm, Points, atoms_of
from dpviz.accounting.loss_terms import Floats, Losses, LossPoints, LossTerm, bounded_range_losses
from dpviz.accounting.mixed_composition import WIDEST, RangeCurve

BLOCK = "[BCT20] Lemma 5.1, chords; MATHEMATICS 5.10"
CONVERSION = "[CKS20]; MATHEMATICS 3.2"
LONGEST_BLOCK = 300  # mechanisms; of more the chords are too wide
LARGEST_RHO = 1e3  # that is converted
LARGEST_BLOCK = 690.0  # sum of their epsilons, and largest epsilon of a conversion
DENSE = 100  # points of a converted curve to a deviation
DOTS, WITHIN = 600, 14.0  # of the curve of a block, half of them within this many deviations
LOG_X, HALVINGS = 300.0, 60  # where the order of the conversion is sought
LARGEST_SHARE = 1 - 1e-6
SHARES = (0.4, 0.5, 0.6)  # of its range, where t of a generalised response is tried


@dataclass(frozen=True, slots=True)
class BoundedRangeTerm(LossTerm):
    """Mechanisms of bounded range in one block, each chosen as results come in.

    >>> away, _ = BoundedRangeTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    budget: float
    steps: int = 1

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.whole(1, steps=self.steps)

    @property
    def bound(self) -> str:
        """From two on."""
        return BLOCK if self.steps > 1 else ""

    @property
    def most(self) -> float:
        """The sum of the budgets."""
        return self.budget * self.steps

    @property
    def deviation(self) -> float:
        """A little more than half the budget for each."""
        return min(0.58 * self.budget, 1.0) * math.sqrt(self.steps)

    @property
    def rho(self) -> float:
        """What it costs at most in zCDP, rounded up."""
        return self.steps * self.budget * self.budget / 8 * (1 + 2.0**-50)

    def closed_log_delta(self, epsilon: float) -> float | None:
        """The curve of a single one."""
        return bounded_range_log_delta(self.budget, epsilon) if self.steps == 1 else None

    def raised(self, cut: float, width: float, way: int) -> tuple[Losses, float]:
        """A single one by a formula."""
        if self.steps > 1:
            return LossTerm.raised(self, cut, width, way)
        return bounded_range_losses(self.budget, width), 0.0

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike: of a block its hull, of a single one a fine grid."""
        if self.steps > 1:
            found = atoms_of(_block(self.budget, self.steps))
        else:
            fine = bounded_range_losses(self.budget, self.budget / DOTS)
            found = LossPoints(fine.loss, np.exp(fine.log_mass))
        return found, found


@dataclass(frozen=True, slots=True)
class ConcentratedTerm(LossTerm):
    """Anything that is rho-zCDP, by the tightest conversion that is known.

    >>> away, _ = ConcentratedTerm(0.1).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 6), away.log_infinite
    (1.0, -inf)
    """

    rho: float
    bound = CONVERSION  # always

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho)

    @property
    def deviation(self) -> float:
        """That of Gaussian noise of this rho."""
        return math.sqrt(2 * self.rho)

    def closed_log_delta(self, epsilon: float) -> float:
        """The conversion solved for delta."""
        return float(_converted(self.rho, np.array([epsilon]))[0])

    def closed_epsilon(self, log_delta: float) -> float:
        """The conversion itself."""
        return zcdp_epsilon(self.rho, log_delta)

    def points(self, cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; what lies beyond the last point counts as cut."""
        whole = atoms_of(_concentrated(self.rho, cut))
        found = replace(whole, log_infinite=-math.inf, log_cut=whole.log_infinite)
        return found, found


def readings(terms: Terms) -> tuple[Terms, ...]:
    """The same losses by noise and promises that each cost at least as much.

    >>> readings(((BoundedRangeTerm(1.0), 3), (NormalTerm(1.0), 1)))[0]
    ((BoundedRangeTerm(budget=1.0, steps=3), 1), (NormalTerm(mu=1.0), 1))
    """
    ranges = [(term, n) for term, n in terms if isinstance(term, BoundedRangeTerm)]
    if not ranges:
        return (terms,)
    others = [(term, n) for term, n in terms if not isinstance(term, BoundedRangeTerm)]
    rho = math.fsum(n * term.rho for term, n in ranges)
    rho += math.fsum(n * term.rho for term, n in others if isinstance(term, ConcentratedTerm))
    fixed = [(term, n) for term, n in others if not isinstance(term, ConcentratedTerm)]
    loose = [(term, n) for term, n in ranges if term.steps == 1]
    largest = max(loose, key=lambda each: each[1] * each[0].budget * each[0].budget, default=None)
    blocks: list[tuple[LossTerm, int]] = []
    for term, count in ranges:
        joined = BoundedRangeTerm(term.budget, count * term.steps)
        if (term, count) == largest and _within_reach(joined):
            blocks.append((joined, 1))
        elif term.steps == 1 or _within_reach(term):
            blocks.append((term, count))
        else:
            blocks.append((BoundedRangeTerm(term.budget), count * term.steps))
    joined_terms = (*blocks, *others)
    if not 0 < rho <= LARGEST_RHO:
        return (joined_terms,)
    return joined_terms, (*fixed, (ConcentratedTerm(rho * (1 + 2.0**-50)), 1))


def attained(terms: Terms, epsilon: float) -> Iterator[Terms]:
    """Releases of these classes that there are: what they cost is a bound from below.

    >>> [found] = attained(((ConcentratedTerm(0.5), 1),), 1.0)
    >>> found
    ((NormalTerm(mu=1.0), 1),)
    """
    ranges = [(term, n) for term, n in terms if isinstance(term, BoundedRangeTerm)]
    shares: tuple[float, ...] = (0.5,)
    if ranges:
        whole = math.fsum(n * term.most for term, n in ranges)
        one = whole / sum(n * term.steps for term, n in ranges)
        all_high = min((epsilon + one) / (whole + one), LARGEST_SHARE)  # best for large epsilons
        shares = (*SHARES, all_high)
    for share in shares:
        yield tuple(_real(term, count, share) for term, count in terms)


def _real(term: LossTerm, count: int, share: float) -> tuple[LossTerm, int]:
    if isinstance(term, ConcentratedTerm):
        return NormalTerm(math.sqrt(2 * term.rho)), count
    if isinstance(term, BoundedRangeTerm):
        return GeneralisedResponseTerm(term.budget, share * term.budget), count * term.steps
    return term, count


def _within_reach(term: BoundedRangeTerm) -> bool:
    """Whether the curve of this block can be had."""
    short = term.steps <= LONGEST_BLOCK and term.budget <= WIDEST
    return short and term.most <= LARGEST_BLOCK


@lru_cache(maxsize=16)  # pure mathematics of public numbers
def _block(budget: float, steps: int) -> Points:
    """Points of the curve of a block of steps, from above."""
    most, rho = budget * steps, steps * budget * budget / 8
    near = min(most, rho + WITHIN * math.sqrt(2 * rho))
    even = (np.linspace(0, end, DOTS // 2, endpoint=False) for end in (near, most))
    at = np.unique(np.concatenate([*even]))
    found = zip(at.tolist(), RangeCurve.of((True,) * steps, budget)(at).tolist(), strict=True)
    return (*found, (most * (1 + 2.0**-50), -math.inf))


@lru_cache(maxsize=16)
def _concentrated(rho: float, cut: float) -> Points:
    """Points of the curve of the conversion, down to e^-cut where the largest epsilon allows it."""
    far = min(LARGEST_BLOCK, zcdp_epsilon(rho, -cut))
    at = np.append(np.arange(0, far, math.sqrt(2 * rho) / DENSE), far)
    return tuple(zip(at.tolist(), _converted(rho, at).tolist(), strict=True))


def _converted(rho: float, epsilons: Floats) -> Floats:
    """The ln delta of the conversion, rounded up.

    At every x > 0 it is valid, and it is least where epsilon - rho - 2 rho x + ln(1 + 1/x) = 0:

        -x (epsilon - (1 + x) rho + ln(1 + 1/x)) - ln(1 + x)
    """
    low, high = np.full((2, len(epsilons)), [[-LOG_X], [LOG_X]])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        x = np.exp(middle)
        rising = epsilons - rho - 2 * rho * x + np.log1p(1 / x) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    with np.errstate(over="ignore", invalid="ignore"):  # then it is -inf, or no bound
        terms = np.array([-x * epsilons, (1 + x) * x * rho, -x * np.log1p(1 / x), -np.log1p(x)])
        total = terms.sum(axis=0) + 2.0**-50 * np.abs(terms).sum(axis=0)
    return np.asarray(np.minimum(0.0, np.nan_to_num(total, neginf=-math.inf)))
