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
who is in than of one who is out. A coalition's test has the mu of its joint rho (coalition.py).
Source: MATHEMATICS 5.6; Dong, Roth and Su (2019), arXiv:1905.02383. Probabilities in closed form.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpviz import checks
from dpviz.accounting.arrays import (
    Floats,
    elementwise,
    fitting_together,
    shaped,
    vectorised,
)
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.inputs import Number, non_negative, probability
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
