"""The law of a sample variance itself: a million repetitions in a handful of draws.

The sample second moments of n Gaussian vectors are a Wishart matrix, which Bartlett's
decomposition draws with m + m(m-1)/2 numbers instead of n·m. Limits: Gaussian noise only; nothing
is released and no sampler is tested by it, so pictures label it apart from a simulation.
[B33] Bartlett, On the theory of statistical regression, Proc. R. Soc. Edinburgh 53 (1933).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances

Floats = NDArray[np.float64]


def exact_law_variances(
    levels: Sequence[float] | Floats,
    baseline: Sequence[float] | Floats,
    repetitions: int,
    *,
    rng: np.random.Generator,
) -> SampleVariances:
    """Draw sample variances from their exact joint law: what `simulate_variances` would measure.

        lossless: diag(L B Bᵀ Lᵀ)/n, L the path's steps added up, B lower triangular with
        B_ii ~ χ_{n-i+1}, B_ij ~ N(0,1);      baseline: v_i χ²_n/n, independent

    Args:
        levels: variances t of the lossless releases, shape (m,), above 0; equal ones share one.
        baseline: variances of the independent releases, shape (m,), above 0.
        repetitions: n, at least m.
        rng: what the m(m+1)/2 + m numbers are drawn from.

    Raises:
        ParameterError: an argument is out of range.

    Source: [B33]; MATHEMATICS 4.3.

    >>> from dpviz import streams
    >>> drawn = exact_law_variances([1.0, 4.0], [1.0, 9.0], 10**6, rng=streams.teaching(7))
    >>> np.round(drawn.lossless, 1).tolist(), np.round(drawn.baseline, 1).tolist()
    ([1.0, 4.0], [1.0, 9.0])
    """
    path, apart = (np.asarray(x, dtype=np.float64) for x in (levels, baseline))
    if path.ndim != 1 or path.shape != apart.shape or not path.size:
        raise ParameterError("pass one baseline variance for each level")
    if not (np.isfinite(path) & np.isfinite(apart) & (path > 0) & (apart > 0)).all():
        raise ParameterError("variances must be finite numbers above 0")
    order = np.argsort(path)
    steps = np.diff(path[order], prepend=0.0)
    n, m = repetitions, path.size
    checks.whole(m, repetitions=n)
    triangle = np.tril(rng.standard_normal((m, m)), -1)
    triangle[np.diag_indices(m)] = np.sqrt(rng.chisquare(n - np.arange(m)))
    rows = np.cumsum(np.sqrt(steps)[:, None] * triangle, axis=0)
    lossless = np.empty(m)
    lossless[order] = np.square(rows).sum(axis=1) / n
    return SampleVariances(lossless, apart * rng.chisquare(n, m) / n, n)
