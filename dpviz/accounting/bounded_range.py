"""One mechanism of bounded range: its worst mean loss, its worst curve, and the law behind both.

A mechanism is epsilon-BR (bounded range) if for each pair of neighbours its privacy loss lies in
[t - epsilon, t] for some t in [0, epsilon]. The exponential mechanism is, for scores of range 1.
Then it is epsilon-private, and an epsilon-private mechanism is 2 epsilon-BR. The worst one at t is
generalised randomised response: loss t with probability q, loss t - epsilon otherwise,

    q = (1 - e^(t - epsilon)) / (1 - e^-epsilon)

Source: Durfee and Rogers (2019); Dong, Durfee and Rogers (2020); MATHEMATICS 5.8.
"""

import math

import numpy as np

from dpviz.accounting.inputs import Floats, Number, elementwise, finite, positive

SMALL = 0.2  # below it the series, whose relative error is then less than 2e-15
SERIES = (1 / 8, -1 / 576, 1 / 25920, -1 / 1075200, 1 / 43545600)  # of epsilon^2, ^4, ...
RAISED = 1e-14  # above the relative rounding of what these functions return
DIRECT = 1e-13  # above that of the mean's direct form, which loses digits at SMALL


@elementwise
def pure_mean_loss(epsilon: Number) -> float:
    """Largest mean privacy loss of an epsilon-private mechanism: epsilon tanh(epsilon/2).

    Raises:
        ParameterError: epsilon is not above 0, or not finite.

    Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.8.

    >>> round(pure_mean_loss(1.0), 12)
    0.46211715726
    """
    value = positive(epsilon=epsilon)
    return min(value, value * math.tanh(value / 2) * (1 + RAISED))


@elementwise
def bounded_range_mean_loss(epsilon: Number) -> float:
    """Largest mean privacy loss of an epsilon-BR mechanism.

        u - 1 - ln u,   u = epsilon / (e^epsilon - 1)

    It is a fourth of that of an epsilon-private one for small epsilon, and is rounded up.

    Raises:
        ParameterError: epsilon is not above 0, or not finite.

    Source: Dong, Durfee and Rogers (2020), Corollary 3.1; MATHEMATICS 5.8.

    >>> round(bounded_range_mean_loss(1.0), 12)
    0.123301561482
    """
    value = positive(epsilon=epsilon)
    if value < SMALL:
        square = value * value
        return square * math.fsum(a * square**k for k, a in enumerate(SERIES)) * (1 + RAISED)
    keep = -math.expm1(-value)
    u = value * math.exp(-value) / keep
    return min(value, math.fsum((u, -1.0, -math.log(value), value, math.log(keep))) + DIRECT)


@elementwise
def bounded_range_log_delta(epsilon: Number, epsilon_total: Number) -> float:
    """The ln delta of one epsilon-BR mechanism at `epsilon_total`: the worst over t, rounded up.

        delta(g) = (1 - e^((g - epsilon)/2))^2 / (1 - e^-epsilon),   at t = (g + epsilon)/2

    Args:
        epsilon: range of the loss, above 0, nats.
        epsilon_total: of either sign, nats.

    Returns:
        ln delta; -inf from epsilon on.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 5.10.

    >>> round(math.exp(bounded_range_log_delta(1.0, 0.3)), 9)
    0.137962803
    """
    value, total = positive(epsilon=epsilon), finite(epsilon_total=epsilon_total)
    if total >= value:
        return -math.inf
    if total <= -value:
        return min(0.0, math.log(-math.expm1(total)) * (1 - RAISED))
    short = (value - total) * (1 + RAISED)
    found = 2 * math.log(-math.expm1(-short / 2)) - math.log(-math.expm1(-value))
    return min(0.0, found + RAISED * (1 + abs(found)))


def log_high(t: Floats, epsilon: float) -> Floats:
    """The ln of q: the probability of the loss t, which is the larger of the two.

    >>> log_high(np.array([0.0, 0.5, 1.0]), 1.0).round(6)
    array([ 0.      , -0.474077,      -inf])
    """
    with np.errstate(divide="ignore"):
        return np.log(np.expm1(t - epsilon) / math.expm1(-epsilon))


def log_low(t: Floats, epsilon: float) -> Floats:
    """The ln of 1 - q: the probability of the loss t - epsilon.

    >>> log_low(np.array([0.0, 0.5, 1.0]), 1.0).round(6)
    array([     -inf, -0.974077,  0.      ])
    """
    with np.errstate(divide="ignore"):
        return np.log(np.expm1(-t) / math.expm1(-epsilon)) + (t - epsilon)
