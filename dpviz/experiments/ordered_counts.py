"""Counts of the items on a list, repeated: Laplace noise, or Gaussian noise fitted to the order.

Made-up counts, all of them known: a list is drawn by Gumbel noise, then its items get noisy counts.
Gaussian counts are fitted to the order of the list, which may be wrong where counts lie near each
other, so that the fit can move a count away from the truth, too.
Limits: errors only; nothing is released, and no privacy is claimed.
Source: MATHEMATICS 13.3; [BCT20] Algorithm 1 and Figure 6.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.top_k.draws import by_gumbel
from dpviz.top_k.fit import fit_in_order

Floats = NDArray[np.float64]
MOST = 50_000_000  # noisy counts drawn in all


@dataclass(frozen=True, slots=True, eq=False)
class ListErrors:
    """Released minus true count at each place of the list, a row for each repetition."""

    laplace: Floats
    gauss: Floats  # as drawn
    fitted: Floats  # the same, fitted to the order

    def __post_init__(self) -> None:
        checks.arrays(2, laplace=self.laplace, gauss=self.gauss, fitted=self.fitted)


def list_errors(
    counts: ArrayLike,
    length: int,
    *,
    gumbel: float,
    scale: float,
    sigma: float,
    repetitions: int,
    rng: np.random.Generator,
) -> ListErrors:
    """Draw a list and its counts again and again.

    Args:
        counts: the exact counts of all items, made up, shape (d,).
        length: items on the list, at most d.
        gumbel: scale of the noise that orders the list, above 0.
        scale: scale of Laplace noise on each count, above 0.
        sigma: standard deviation of Gaussian noise on each count, above 0.
        repetitions: at least 1.
        rng: what is drawn from.

    Returns:
        The errors at each place of the list, shape (repetitions, length).

    Raises:
        ParameterError: an argument is out of range.

    >>> from dpviz import streams
    >>> found = list_errors([900.0, 400.0, 300.0, 5.0], 3, gumbel=1.0, scale=1.0, sigma=1.0,
    ...     repetitions=2000, rng=streams.teaching(7))
    >>> found.laplace.std(axis=0).round(1).tolist(), found.fitted.std(axis=0).round(1).tolist()
    ([1.4, 1.4, 1.4], [1.0, 1.0, 1.0])
    """
    exact = checks.reals(counts=counts)
    if exact.ndim != 1:
        raise ParameterError("counts must be a row of numbers, one for each item")
    length, repetitions = (
        checks.integer(1, length=length),
        checks.integer(1, repetitions=repetitions),
    )
    checks.positive(gumbel=gumbel, scale=scale, sigma=sigma)
    if length > exact.size:
        raise ParameterError(f"length must be at most {exact.size:,}, the number of items")
    if repetitions * exact.size > MOST:
        raise ParameterError(f"repetitions times items must be at most {MOST:,}; pass fewer")
    shape = repetitions, length
    order = np.array([by_gumbel(exact, gumbel, length, rng=rng) for _ in range(repetitions)])
    listed = exact[order]
    laplace = rng.laplace(0.0, scale, shape)
    gauss = rng.normal(0.0, sigma, shape)
    fitted = np.array([fit_in_order(row, non_negative=True) for row in listed + gauss]) - listed
    return ListErrors(laplace=laplace, gauss=gauss, fitted=fitted)
