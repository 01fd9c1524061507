"""Independent releases of different kinds together, at one delta: losses convolved, rounded up.

A release is given by points (epsilon, ln delta) that it keeps in both directions, with no more than
delta at each epsilon; a pure guarantee is the one point (epsilon, -inf). As a function of
y = e^epsilon the least delta is convex, so it lies below the lower hull of these points, and the
hull is the curve of a pair of laws with atoms at its corners, which dominates the release [DGK22].
Neighbours are taken both ways, so the curve below epsilon = 0 is the mirror image,
delta(-epsilon) = 1 - e^-epsilon (1 - delta(epsilon)).
The losses of dominating pairs add, also where releases are chosen in the light of earlier ones
[ZDW22]. The atoms go to one grid, and the sum is rounded up at every step (loss_sums.py).
Source: MATHEMATICS 5.1.
Limits: epsilons up to MOST and at most MOST_KINDS different releases; beyond it there is no answer.
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.conversions import rho_to_mu
from dpviz.accounting.gaussian import gaussian_epsilon, gaussian_log_delta
from dpviz.accounting.loss_sums import HALF_WINDOW, Part, sum_log_delta
from dpviz.accounting.poisson_losses import Floats, Losses, on_grid
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

Points = tuple[tuple[float, float], ...]  # (epsilon, ln delta), epsilon at least 0

LARGEST_RHO = 1e3  # beyond it every point lies above MOST
MOST, MOST_KINDS, MOST_COUNT = 100.0, 64, 10_000
DOTS = 400  # of a Gaussian curve
DEEPER = 16.0  # nats of ln delta: what lies beyond the last point counts as lost
RAISED = 1e-9  # of ln delta at each point: more than the rounding of differences of slopes
WINDOW, LARGEST_GRID = 2.0**14, 2.0**17  # grid points of the sum, and of one loss
TOLERANCE = 1e-7
Atoms = tuple[Floats, Floats, float]  # losses, masses, ln of what is lost


def checked_points(points: Iterable[tuple[float, float]]) -> Points:
    """The points as plain numbers.

    Raises:
        ParameterError: if one is not an epsilon of at least 0 with a ln delta of at most 0.

    >>> checked_points([(1, -math.inf)])
    ((1.0, -inf),)
    """
    found = []
    for point in checks.listed(points=points):
        pair = checks.listed(point=point)
        if len(pair) != 2:
            raise ParameterError("each of points must be a pair (epsilon, ln delta)")
        epsilon, log_delta = (checks.number(points=each) for each in pair)
        checks.non_negative(epsilon=epsilon)
        checks.between(-math.inf, 0, log_delta=log_delta)
        found.append((epsilon, log_delta))
    return tuple(sorted(found))


@lru_cache(maxsize=256)  # pure mathematics of public numbers
def gaussian_points(rho: float, log_delta: float) -> Points:
    """Points of the exact curve of Gaussian noise, enough for sums at this ln delta.

    >>> points = gaussian_points(0.5, math.log(1e-6))
    >>> round(math.exp(points[0][1]), 4), round(points[-1][0], 2)
    (0.3829, 7.54)
    """
    mu = rho_to_mu(rho)
    last = gaussian_epsilon(log_delta - DEEPER, mu)
    return tuple((e, gaussian_log_delta(e, mu)) for e in np.linspace(0.0, last, DOTS).tolist())


def together_epsilon(releases: Iterable[Points], log_delta: float, most: float) -> float | None:
    """Least epsilon, up to `most`, that all releases together keep at this delta, rounded up.

    Args:
        releases: the points of each.
        log_delta: ln delta, below 0.
        most: an epsilon in nats, above 0.

    Returns:
        epsilon in nats, or None: not below `most`, or beyond the limits of the module.

    Source: MATHEMATICS 5.1.

    >>> pure, gauss = ((1.0, -math.inf),), gaussian_points(0.5, math.log(1e-6))
    >>> round(together_epsilon([pure, gauss], math.log(1e-6), 5.9), 3)  # 5.887 if added
    5.82
    """
    counted = Counter(releases)
    largest = max((points[-1][0] for points in counted), default=0.0)
    if not 0 < largest <= MOST or len(counted) > MOST_KINDS or counted.total() > MOST_COUNT:
        return None
    return _epsilon(tuple(sorted(counted.items())), log_delta, most)


@lru_cache(maxsize=256)  # pure mathematics of public numbers; a page asks for the same sum again
def _epsilon(
    counted: tuple[tuple[Points, int], ...], log_delta: float, most: float
) -> float | None:
    parts = _parts([(_atoms(points), count) for points, count in counted])
    return least(
        lambda x: sum_log_delta(parts, x) - log_delta,
        most / 2,
        lowest=most * 1e-9,
        highest=most,
        tolerance=TOLERANCE,
    )


def _parts(found: list[tuple[Atoms, int]]) -> list[Part]:
    """Every loss on one grid, as fine as the window of their sum allows."""
    variance = math.fsum(n * float(np.sum(mass * loss**2)) for (loss, mass, _), n in found)
    widest = max(float(np.max(loss)) for (loss, _, _), _ in found)
    width = max(2 * HALF_WINDOW * math.sqrt(variance) / WINDOW, 2 * widest / LARGEST_GRID)
    return [(_gridded(atoms, width), count) for atoms, count in found]


def _gridded(atoms: Atoms, width: float) -> Losses:
    loss, mass, lost = atoms
    return on_grid(loss, mass, width, lost)


def _atoms(points: Points) -> Atoms:
    """The losses of the pair whose curve is the lower hull of the points and their mirror image."""
    corners = _hull(_mirrored(points))
    y, delta = np.array([corner[0] for corner in corners]), np.array([c[1] for c in corners])
    slopes = np.append(np.diff(delta) / np.diff(y), 0.0)
    right = np.flatnonzero(y > 1)
    mass = y[right] * (slopes[right] - slopes[right - 1])
    loss = np.log(y[right])
    lost = float(delta[-1])
    middle = max(0.0, 1 - lost - float(np.sum(mass * (1 + 1 / y[right]))))
    return (
        np.concatenate([-loss[::-1], [0.0], loss]),
        np.concatenate([(mass / y[right])[::-1], [middle], mass]),
        math.log(lost) if lost > 0 else -math.inf,
    )


def _mirrored(points: Points) -> list[tuple[float, float]]:
    """The points as (y, delta), raised, with their images below y = 1; ascending."""
    best: dict[float, float] = {}
    for epsilon, log_delta in points:
        raised = log_delta + RAISED * (1 - log_delta) if log_delta > -math.inf else log_delta
        y, delta = math.exp(epsilon), min(1.0, math.exp(raised))
        best[y] = min(delta, best.get(y, 1.0))
    images = {1 / y: 1 - (1 - delta) / y for y, delta in best.items() if y > 1}
    return sorted((best | images).items())


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners of the greatest convex falling function below the points."""
    kept: list[tuple[float, float]] = []
    for x, value in points:
        if kept and value >= kept[-1][1]:  # no less than at a smaller epsilon
            continue
        while len(kept) > 1 and _above(kept[-2], kept[-1], (x, value)):
            kept.pop()
        kept.append((x, value))
    return kept


def _above(
    first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]
) -> bool:
    """Whether the middle point lies on or above the line of the others."""
    before = (middle[1] - first[1]) / (middle[0] - first[0])
    after = (last[1] - middle[1]) / (last[0] - middle[0])
    return before >= after
