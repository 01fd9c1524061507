"""What an attacker can do at best: trade-off curves, advantages, and posterior probabilities.

A membership test says "in" or "out". Its type I error alpha is how often it says "in" of somebody
who is out, its type II error beta how often it says "out" of somebody who is in. By the lemma of
Neyman and Pearson no test beats the likelihood ratio, whose least beta at each alpha is

    Gaussian  Phi(Phi^-1(1 - alpha) - mu)                              mu = l2 / sigma = sqrt(2 rho)
    Laplace   1 - e^eps alpha             alpha <= e^-eps / 2          one coordinate, moved by l1
              e^-eps / (4 alpha)          e^-eps / 2 <= alpha <= 1/2
              e^-eps (1 - alpha)          1/2 <= alpha

Whatever the noise, (eps, delta)-DP alone leaves no test below the bound

    beta >= max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha))

The advantage is the largest 1 - alpha - beta: how much more often the best test says "in" of one
who is in than of one who is out. A coalition's test has the mu of its joint rho (schemes.py).
Source: MATHEMATICS 5.6; Dong, Roth and Su (2019), arXiv:1905.02383. Probabilities in closed form.

The best test between two discrete laws: trade-off curve, advantage, and several releases.

A pair holds the masses of the same outcomes without and with the person. By the lemma of Neyman
and Pearson the best test calls "in" the outcomes of the largest ratio in/out first, and splits the
last of them with a coin: the curve joins the points

    alpha_k = out mass of the k outcomes called "in"      beta_k = in mass of all others

by straight lines. Where the pair is not symmetric the other direction is another curve: swap the
two laws. Independent releases multiply their ratios; logs of ratios are rounded to a grid there,
which is a test that an attacker can really make, and misses the best one by the square of the grid.
Source: MATHEMATICS 5.6; Neyman and Pearson (1933).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtr, ndtri

from dpviz import checks
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.inputs import (
    Floats,
    Number,
    elementwise,
    fitting_together,
    non_negative,
    probability,
    shaped,
    vectorised,
)
from dpviz.errors import ParameterError

ERRORS = "error probabilities"
GUESSES, COIN = 1000, 500  # guesses whether somebody is in, and those that a coin gets right


@vectorised
def gaussian_trade_off(mu: Number, alpha: Number) -> Floats:
    """Least type II error of a test of Gaussian noise: Phi(Phi^-1(1 - alpha) - mu).

    Args:
        mu: l2 sensitivity / standard deviation, at least 0; of independent releases sqrt(sum mu²).
        alpha: type I errors, between 0 and 1.

    Returns:
        beta, a float or an array of their shape; mu = 0 gives 1 - alpha.

    Raises:
        ParameterError: mu is negative or not finite, or an alpha lies outside 0 to 1.

    Source: MATHEMATICS 5.6; Dong, Roth and Su (2019).

    >>> gaussian_trade_off(1.0, [0.0, 0.05, 1.0]).round(6)
    array([1.      , 0.740489, 0.      ])
    """
    both = fitting_together(mu=mu, **{ERRORS: alpha})
    sizes, errors = _sizes(mu=both["mu"]), error_probabilities(both[ERRORS])
    return np.asarray(ndtr(-ndtri(errors) - sizes))


@vectorised
def laplace_trade_off(epsilon: Number, alpha: Number) -> Floats:
    """Least type II error of a test of Laplace noise on one coordinate (see the module).

    Args:
        epsilon: l1 sensitivity / scale, at least 0, nats.
        alpha: type I errors, between 0 and 1.

    Returns:
        beta, a float or an array of their shape; epsilon = 0 gives 1 - alpha.

    Raises:
        ParameterError: epsilon is negative or not finite, or an alpha lies outside 0 to 1.

    Source: MATHEMATICS 5.6.

    >>> laplace_trade_off(1.0, [0.0, 0.05, 0.25, 1.0]).round(6)
    array([1.      , 0.864086, 0.367879, 0.      ])
    """
    both = fitting_together(epsilon=epsilon, **{ERRORS: alpha})
    shrink, errors = np.exp(-_sizes(epsilon=both["epsilon"])), error_probabilities(both[ERRORS])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        first = 1 - errors / shrink
        middle = shrink / (4 * errors)
    beta = np.where(errors <= 0.5, middle, shrink * (1 - errors))
    beta = np.where(errors <= shrink / 2, first, beta)
    return np.where(errors == 0, 1.0, beta)


@elementwise
def gaussian_advantage(mu: Number) -> float:
    """Largest 1 - alpha - beta against Gaussian noise: 2 Phi(mu/2) - 1 = erf(mu / sqrt 8).

    Args:
        mu: l2 sensitivity / standard deviation, at least 0.

    Returns:
        The advantage, between 0 and 1.

    Raises:
        ParameterError: mu is negative or not finite.

    Source: MATHEMATICS 5.6; the total variation distance.

    >>> round(gaussian_advantage(1.0), 6)
    0.382925
    """
    return math.erf(non_negative(mu=mu) / math.sqrt(8))


@elementwise
def laplace_advantage(epsilon: Number) -> float:
    """Largest 1 - alpha - beta against Laplace noise on one coordinate: 1 - e^(-epsilon/2).

    Args:
        epsilon: l1 sensitivity / scale, at least 0, nats.

    Returns:
        The advantage, between 0 and 1.

    Raises:
        ParameterError: epsilon is negative or not finite.

    Source: MATHEMATICS 5.6; the total variation distance.

    >>> round(laplace_advantage(1.0), 6)
    0.393469
    """
    return -math.expm1(-non_negative(epsilon=epsilon) / 2)


@elementwise
def right_guesses(advantage: Number) -> float:
    """Of 1,000 guesses whether somebody is in, both equally likely, how many the best one gets.

        500 (1 + advantage)

    Args:
        advantage: largest 1 - alpha - beta, between 0 and 1.

    Returns:
        How many are right on average, between 500, as of a coin, and 1,000.

    Raises:
        ParameterError: the advantage lies outside 0 to 1.

    Source: MATHEMATICS 5.6.

    >>> round(right_guesses(gaussian_advantage(1.0)), 1)
    691.5
    """
    return COIN * (1 + float(error_probabilities(checks.number(advantage=advantage))))


@elementwise
def gaussian_right_guesses(rho: Number) -> float:
    """Of 1,000 guesses whether somebody is in, how many Gaussian noise of a budget leaves right.

    Args:
        rho: zCDP budget of all releases together, at least 0.

    Returns:
        The `right_guesses` of the best test, exactly.

    Raises:
        ParameterError: rho is negative or not finite.

    Source: MATHEMATICS 5.6, with mu = sqrt(2 rho).

    >>> gaussian_right_guesses([0.1, 0.4, 1.0]).round()
    array([588., 673., 760.])
    """
    return right_guesses(gaussian_advantage(rho_to_mu(rho)))


@vectorised
def promised_trade_off(epsilon: Number, delta: Number, alpha: Number) -> Floats:
    """Lower bound on the type II error of every test, from (epsilon, delta)-DP alone.

    Args:
        epsilon: at least 0, nats.
        delta: from 0 to 1.
        alpha: type I errors, between 0 and 1.

    Returns:
        The bound on beta, a float or an array of their shape.

    Raises:
        ParameterError: epsilon is negative or not finite, or another number lies outside 0 to 1.

    Source: MATHEMATICS 5.6; [DRS19, Proposition 3].

    >>> promised_trade_off(1.0, 0.0, [0.0, 0.1, 0.5, 1.0]).round(4)
    array([1.    , 0.7282, 0.1839, 0.    ])
    """
    all_three = fitting_together(epsilon=epsilon, delta=delta, **{ERRORS: alpha})
    shrink = np.exp(-_sizes(epsilon=all_three["epsilon"]))
    left = 1 - error_probabilities(all_three["delta"])
    errors = error_probabilities(all_three[ERRORS])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        steep = np.where(errors > 0, left - errors / shrink, left)
    return np.maximum(np.maximum(steep, shrink * (left - errors)), 0.0)


@elementwise
def promised_advantage(epsilon: Number, delta: Number) -> float:
    """Upper bound on 1 - alpha - beta from (epsilon, delta)-DP alone, rounded up.

        (e^epsilon - 1 + 2 delta) / (e^epsilon + 1)

    Args:
        epsilon: at least 0, nats.
        delta: from 0 to 1.

    Returns:
        The bound, at most 1.

    Raises:
        ParameterError: epsilon is negative or not finite, or delta lies outside 0 to 1.

    Source: MATHEMATICS 5.6; the two lines of `promised_trade_off` where they meet.

    >>> round(promised_advantage(1.0, 0.0), 6)
    0.462117
    """
    half = math.tanh(non_negative(epsilon=epsilon) / 2)  # (e^eps - 1) / (e^eps + 1)
    extra = float(error_probabilities(checks.number(delta=delta))) * (1 - half)
    return min((half + extra) * (1 + 2.0**-50), 1.0)


def posterior(prior: ArrayLike, epsilon: ArrayLike) -> tuple[Any, Any]:
    """What a pure-epsilon release can make of a prior belief: odds times e^-epsilon to e^epsilon.

        low = p t / (1 - p + p t)      high = p / (p + (1 - p) t)      t = e^-epsilon

    Args:
        prior: probability, before the release, that the person is in, strictly between 0 and 1.
        epsilon: joint pure budget of all that is held, at least 0, nats.

    Returns:
        The least and the largest probability after any release, rounded outwards; floats, or
        arrays of their shape.

    Raises:
        ParameterError: prior is not a probability, or epsilon is negative or not finite.

    Source: the definition of pure differential privacy, by Bayes' rule. Gaussian noise has no such
    such bound: it keeps an epsilon only together with a delta, which no bound on the odds has.

    >>> low, high = posterior(0.5, 1.0)
    >>> round(low, 6), round(high, 6)
    (0.268941, 0.731059)
    """
    both = fitting_together(prior=prior, epsilon=epsilon)
    p, t = _chances(prior=both["prior"]), np.exp(-_sizes(epsilon=both["epsilon"]))
    low, high = p * t / ((1 - p) + p * t), p / (p + (1 - p) * t)
    return shaped(low * (1 - 2.0**-50)), shaped(np.minimum(high * (1 + 2.0**-50), 1.0))


def posterior_of_test(prior: ArrayLike, alpha: ArrayLike, beta: ArrayLike) -> tuple[Any, Any]:
    """What a membership test makes of a prior belief, by Bayes' rule: after "in", after "out".

        p (1 - beta) / (p (1 - beta) + (1 - p) alpha)    p beta / (p beta + (1 - p) (1 - alpha))

    Args:
        prior: probability, before the test, that the person is in, strictly between 0 and 1.
        alpha: how often the test says "in" of one who is out, strictly between 0 and 1.
        beta: how often it says "out" of one who is in, between 0 and 1.

    Raises:
        ParameterError: prior or alpha is not such a probability, or beta lies outside 0 to 1.

    >>> [round(p, 4) for p in posterior_of_test(0.5, 0.05, 0.75)]
    [0.8333, 0.4412]
    """
    all_three = fitting_together(prior=prior, alpha=alpha, beta=beta)
    p, a = _chances(prior=all_three["prior"]), _chances(alpha=all_three["alpha"])
    b = error_probabilities(all_three["beta"])
    said_in, said_out = p * (1 - b), p * b
    return (
        shaped(said_in / (said_in + (1 - p) * a)),
        shaped(said_out / (said_out + (1 - p) * (1 - a))),
    )


def _sizes(**named: Floats) -> Floats:
    """The one named array, refused unless all of it is finite and at least 0."""
    ((name, values),) = named.items()
    for value in (values.min(initial=0.0), values.max(initial=0.0)):  # NaN is both
        non_negative(**{name: float(value)})
    return values


def _chances(**named: Floats) -> Floats:
    """The one named array, refused unless all of it lies strictly between 0 and 1."""
    ((name, values),) = named.items()
    for value in (values.min(initial=0.5), values.max(initial=0.5)):
        probability(**{name: float(value)})
    return values


def error_probabilities(values: ArrayLike) -> Floats:
    """Error probabilities as an array; NaN fails.

    Raises:
        ParameterError: one lies outside 0 to 1.

    >>> error_probabilities([0, 0.5])
    array([0. , 0.5])
    """
    errors = fitting_together(**{ERRORS: values})[ERRORS]
    if not np.all((errors >= 0) & (errors <= 1)):
        raise ParameterError("error probabilities must lie between 0 and 1; pass such numbers")
    return errors


CELLS = 2**14  # of the grid of log ratios, over all that is likely
REACH = 10.0  # standard deviations that count as likely
SMALLEST = 1e-12  # width of that range


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Masses of the same outcomes without the person and with them, shape (n,) each.

    Each sums to 1, but for outcomes that are cut because they are too rare to matter.
    """

    out: Floats
    inside: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "out", checks.reals(out=self.out))
        object.__setattr__(self, "inside", checks.reals(inside=self.inside))
        if self.out.shape != self.inside.shape or self.out.ndim != 1 or self.out.size == 0:
            raise ParameterError(
                "a pair needs as many masses for one distribution as for the other, at least one"
            )
        for masses in (self.out, self.inside):
            if not np.all((masses >= 0) & (masses < math.inf)):
                raise ParameterError("masses must be finite numbers of at least 0")

    @property
    def swapped(self) -> "Pair":
        """The other direction: the same two laws, exchanged."""
        return Pair(self.inside, self.out)

    @property
    def log_ratio(self) -> Floats:
        """The log of in/out for every outcome; infinite where one law alone has mass."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(self.inside) - np.log(self.out)
        return np.asarray(np.where(np.isnan(ratio), 0.0, ratio), dtype=np.float64)


def pair_trade_off(pair: Pair, alpha: ArrayLike) -> Any:
    """Least type II error of a test between two discrete laws, randomised where it must be.

    Args:
        pair: the masses of the outcomes.
        alpha: type I errors, between 0 and 1.

    Returns:
        beta, a float or an array of the shape of alpha.

    Raises:
        ParameterError: an alpha lies outside 0 to 1.

    Source: Neyman and Pearson (1933).

    >>> coin = Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75]))
    >>> pair_trade_off(coin, [0.0, 0.25, 0.5, 1.0]).round(6)
    array([1.      , 0.25    , 0.166667, 0.      ])
    """
    checks.instance(Pair, pair=pair)
    errors = error_probabilities(alpha)
    alphas, betas = _corners(pair)
    first = np.flatnonzero(alphas == 0)[-1]  # outcomes that "out" never has cost no false alarm
    found = np.interp(errors, alphas[first:], betas[first:])
    return shaped(np.asarray(found, dtype=np.float64))


def pair_advantage(pair: Pair) -> float:
    """Largest 1 - alpha - beta between two discrete laws: their total variation distance.

    Raises:
        ParameterError: it is no pair.

    >>> pair_advantage(Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75])))
    0.5
    """
    checks.instance(Pair, pair=pair)
    return float(np.sum(np.maximum(pair.inside - pair.out, 0.0)))


def _corners(pair: Pair) -> tuple[Floats, Floats]:
    """Corners of the curve, from the test that never says "in" to the one that always does."""
    ratio = pair.log_ratio
    order = np.argsort(-ratio, kind="stable")
    alphas = np.concatenate([[0.0], np.cumsum(pair.out[order]), [1.0]])
    hit = np.concatenate([[0.0], np.cumsum(pair.inside[order]), [1.0]])
    return np.minimum(alphas, 1.0), np.clip(1 - hit, 0.0, 1.0)


def joint_pair(pairs: Sequence[tuple[Pair, int]]) -> Pair:
    """All that independent releases say, as one pair over a grid of log ratios.

    Args:
        pairs: pairs, each with the number of independent releases that have its laws.

    Returns:
        A pair with about CELLS outcomes, ordered by their ratio. Its test is one that can be made,
        so its curve is never below the best; it lies above by the square of the grid's width.

    Raises:
        ParameterError: there is no pair.

    >>> coin = Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75]))
    >>> round(pair_advantage(joint_pair([(coin, 3)])), 6)  # 2 of 3 decide: 27/32 - 5/32
    0.6875
    """
    pairs = [_counted(each) for each in checks.listed(pairs=pairs)]
    if not pairs:
        raise ParameterError("a test needs a release to look at; pass at least one pair")
    low, high = _likely(pairs)
    width = max(high - low, SMALLEST) / CELLS
    size = next_fast_len(CELLS + 3, real=True)
    first = math.floor(low / width) - 1
    out, inside = (_summed(pairs, width, first, size, law) for law in ("out", "inside"))
    # What is missing is certain: one law alone has it.
    sure_out, sure_in = (max(1 - float(law.sum()), 0.0) for law in (out, inside))
    return Pair(np.r_[sure_out, out, 0.0], np.r_[0.0, inside, sure_in])


def _counted(each: tuple[Pair, int]) -> tuple[Pair, int]:
    """A pair and its number of releases, checked."""
    if not isinstance(each, tuple | list) or len(each) != 2:
        raise ParameterError("pairs must hold pairs with their number, for example [(pair, 2)]")
    checks.instance(Pair, pair=each[0])
    return each[0], checks.integer(1, count=each[1])


def _likely(pairs: Sequence[tuple[Pair, int]]) -> tuple[float, float]:
    """Where nearly all sums of log ratios lie, under both laws."""
    ends = []
    for sign, law in ((-1, "out"), (1, "inside")):
        edge, mean, variance = 0.0, 0.0, 0.0
        for pair, count in pairs:
            ratio, mass = _finite(pair, law)
            mean += count * float(mass @ ratio)
            variance += count * float(mass @ (ratio - mass @ ratio) ** 2)
            edge += count * float(ratio.max() if sign > 0 else ratio.min())
        ends.append(sign * min(sign * mean + REACH * math.sqrt(variance), sign * edge))
    return min(ends[0], ends[1]), max(ends[0], ends[1])


def _finite(pair: Pair, law: str) -> tuple[Floats, Floats]:
    """Log ratios and masses of the outcomes that both laws have."""
    kept = (pair.out > 0) & (pair.inside > 0)
    if not kept.any():
        raise ParameterError(
            "distributions without a common outcome need no test: any outcome tells them apart"
        )
    mass = pair.out if law == "out" else pair.inside
    return pair.log_ratio[kept], mass[kept]


def _summed(
    pairs: Sequence[tuple[Pair, int]], width: float, first: int, size: int, law: str
) -> Floats:
    """Masses of the sums of rounded log ratios; the grid index `first` comes first."""
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    for pair, count in pairs:
        ratio, mass = _finite(pair, law)
        index = np.rint(ratio / width).astype(np.int64) % size
        spectrum *= rfft(np.bincount(index, mass, size)) ** count
    return np.asarray(np.maximum(np.roll(irfft(spectrum, size), -(first % size)), 0.0))
