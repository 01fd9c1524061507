"""A made-up stream: events per hour with a daily rhythm and a quiet weekend, the same each time.

Nobody stands behind it, so its exact running count is public; no privacy rests on these numbers.
"""

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams

SEED = 29
PER_HOUR = (1, 1, 1, 1, 1, 2, 4, 8, 13, 17, 18, 16, 14, 15, 17, 18, 16, 13, 10, 7, 5, 4, 3, 2)
WEEKEND = 0.4  # share of the events of a weekday, on days 6 and 7 of each week


def hourly_events(hours: int) -> NDArray[np.int64]:
    """Make the counts of the first hours, beginning on a Monday at midnight.

    Args:
        hours: how many, at least 1; more hours begin with the same ones.

    Returns:
        Shape (hours,), whole numbers of at least 0.

    Raises:
        ParameterError: the number is not whole or below 1.

    >>> hourly_events(12)
    array([ 0,  1,  0,  0,  0,  2,  6,  8, 14, 14, 19, 27])
    """
    checks.whole(1, hours=hours)
    hour = np.arange(hours)
    usual = np.array(PER_HOUR)[hour % 24] * np.where(hour // 24 % 7 < 5, 1.0, WEEKEND)
    return streams.teaching(SEED).poisson(usual)
