"""The most that a promise lets an event be on one table, given its chance on the other: exactly.

One pair (ε, δ) allows e^ε q + δ. Noise of a known law keeps all its pairs at once, so
the least of them over every ε is what it allows; that is 1 less the trade-off curve of its best
test, and no larger share is possible for that law. For ε below 0 the pair of the same event, turned
round, says the same: δ(-g) = 1 - e^-g + e^-g δ(g).
Limits: the least over a grid that closes in; each point of it is a bound that holds, so that a
coarse grid costs power and no truth. Source: [DRS19, Proposition 6]; MATHEMATICS 5.6 and 16.1.
"""

from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss

POINTS, ZOOMS = 33, 9  # of the grid, and how often it closes in
FURTHEST = 40.0  # ε that is looked at; beyond, e^ε q is above 1 for every chance that is counted


@lru_cache(maxsize=512)
def most_allowed(promise: PrivacyLoss, rare: float) -> float:
    """The largest chance on one table of an event whose chance on the other one is at most `rare`.

    Args:
        promise: the loss of what is promised.
        rare: from 0 to 1.

    Raises:
        ParameterError: the promise is no loss, or the chance is out of range.

    >>> from dpviz.accounting.privacy_loss import gaussian, laplace
    >>> round(most_allowed(gaussian(0.6**0.5), 0.0036), 3)  # ρ = 0.3
    0.028
    >>> round(most_allowed(laplace(1.0, 1.0), 0.01), 4)  # pure: e times as much
    0.0272
    """
    checks.instance(PrivacyLoss, promise=promise)
    checks.between(0, 1, rare=rare)
    low, high, found = -FURTHEST, FURTHEST, 1.0
    for _ in range(1 + ZOOMS):
        grid = np.linspace(low, high, POINTS)
        size = np.abs(grid)
        delta = np.asarray(promise.delta(size), dtype=np.float64)
        shrunk = np.exp(-size)
        allowed = np.where(
            grid >= 0, rare / shrunk + delta, 1 - shrunk * np.maximum(1 - rare - delta, 0.0)
        )
        place = int(np.argmin(allowed))
        found = min(found, float(allowed[place]))
        low, high = grid[max(place - 1, 0)], grid[min(place + 1, POINTS - 1)]
    return found
