"""The law that Algorithm 6 has as printed, beside the right one: a subject of exposition.

Nothing draws from it; a sampler that follows it is in dpviz/experiments/broken, to be caught. As
printed, a cell that crosses in round r gets hidden increments that know their own past only, not
that they must lead to a crossing (lines 18-20), and a last one cut at the barrier (line 22). For S
= N/ℓ, which has variance 1/ℓ and barrier c = τ/ℓ, and steps of deviation s,

    printed    h_{k+1}(s) = ∫ h_k(u) φ(s-u)/Φ((c_{k+1}-u)/s_{k+1}) du,    u <= c_k,  s <= c_{k+1},
               law of S_r ∝ ∫ h_{r-1}(u) φ(s-u)/Q((c_r-u)/s_r) du,        s > c_r;

the right law has neither denominator. They agree in the first round only. The missing factor 1/ρ_r
is put back here. Limits: budgets that rise, each r from the second on.
Source: MATHEMATICS 8.2, 8.4.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1, Algorithm 6.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import optimize, special

from dpviz import checks
from dpviz.accounting import gaussian_log_delta, rho_to_mu, zcdp_epsilon
from dpviz.accounting.inputs import Number, finite, positive
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.noise.family import Array
from dpviz.sparse.first_passage import Crossing, FirstPassage, bridge_step
from dpviz.sparse.first_passage_law import OneSided, one_sided
from dpviz.sparse.first_passage_panels import apart, build, nodes
from dpviz.sparse.first_passage_step import Message

_FAR = 10.0  # standard deviations summed on either side
_LADDER = np.array([0.0, *(0.25 * 1.5 ** np.arange(30))])
_LEAST, _NO_PROMISE = -700.0, -1e-9  # ln δ between which the bound of zCDP is inverted
_POINTS = 400  # for the largest distance of two distribution functions


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: the chance of a first crossing, its right law, and the printed one."""

    rho: float
    threshold: float
    right: Crossing
    printed: OneSided  # offsets of the noise above the threshold
    distance: float  # Kolmogorov-Smirnov distance of the two laws

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho)
        checks.finite(threshold=self.threshold)
        checks.between(0, 1, distance=self.distance)

    @property
    def probability(self) -> float:
        """p^(r): a cell without a count that has not shown yet shows now (right as printed)."""
        return self.right.probability


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """δ at one ε: what "first shown in the last round" alone needs, and what is allowed."""

    printed: float
    right: float
    zcdp: float  # most that the largest budget allows any mechanism, by the Rényi conversion
    gaussian: float  # exact δ of Gaussian noise at the largest budget

    def __post_init__(self) -> None:
        checks.non_negative(
            printed=self.printed, right=self.right, zcdp=self.zcdp, gaussian=self.gaussian
        )


def printed_rounds(
    rhos: Sequence[Number], thresholds: Sequence[float], *, l2_sensitivity: Number
) -> tuple[Round, ...]:
    """Right and printed law of the noise of a cell without a count that first shows in round r.

    Args:
        rhos: budgets, rising, shape (m,).
        thresholds: finite, in units of the count, shape (m,).
        l2_sensitivity: above 0, in units of the count.

    Raises:
        ParameterError: if budgets do not rise, or a number is out of range.

    >>> rhos = (0.1, 0.2, 0.4)
    >>> taus = [1.5 * math.sqrt(0.5 / rho) for rho in rhos]
    >>> [round(r.distance, 3) for r in printed_rounds(rhos, taus, l2_sensitivity=1.0)]
    [0.0, 0.127, 0.124]
    """
    levels = _falling(rhos, thresholds, l2_sensitivity)
    passage, rounds = FirstPassage(), []
    past: Message | None = None  # of S, in the scale of the round before
    for r, (level, threshold) in enumerate(zip(levels, thresholds, strict=True)):
        right = passage.crossing(level, threshold)
        printed = right.law if past is None else _last(past, levels[r - 1], level, threshold)
        rounds.append(
            Round(
                rho=float(rhos[r]),
                threshold=float(threshold),
                right=right,
                printed=printed,
                distance=0.0 if past is None else _distance(right.law, printed),
            )
        )
        passage.add(right)
        past = (
            Message(threshold / level, None)
            if past is None
            else _onward(past, levels[r - 1], level, threshold)
        )
    return tuple(rounds)


def printed_leak(
    rhos: Sequence[Number],
    thresholds: Sequence[float],
    epsilon: Number,
    *,
    l2_sensitivity: Number,
) -> Leak:
    """The δ that telling a count of 0 from one person's count needs, from one event alone.

    The event: the cell first shows in the last round. With 0 its value follows the printed law,
    with the count moved by the sensitivity the right one; δ is the larger of both directions of
    ∫ (P - e^ε·P')₊. A lower bound: other events add to it.

    Args:
        rhos: budgets, rising, shape (m,), m at least 2.
        thresholds: finite, in units of the count, shape (m,).
        epsilon: at which δ is asked for, nats.
        l2_sensitivity: above 0, in units of the count; the move of the one cell.

    Raises:
        ParameterError: if budgets do not rise, or a number is out of range.

    >>> taus = [1.5 * math.sqrt(0.5 / rho) for rho in (0.1, 0.2)]
    >>> leak = printed_leak((0.1, 0.2), taus, 2.0, l2_sensitivity=1.0)
    >>> round(leak.printed, 6), round(leak.zcdp, 5), leak.right < leak.gaussian
    (0.002615, 0.00123, True)
    """
    epsilon, move = finite(epsilon=epsilon), positive(l2_sensitivity=l2_sensitivity)
    last = printed_rounds(rhos, thresholds, l2_sensitivity=l2_sensitivity)[-1]
    moved = FirstPassage()
    for level, threshold in zip(
        _falling(rhos, thresholds, l2_sensitivity), thresholds, strict=True
    ):
        with_count = moved.crossing(level, threshold - move)
        moved.add(with_count)
    edges = np.union1d(last.right.law.panels.edges, last.printed.panels.edges)
    edges = np.union1d(edges, with_count.law.panels.edges)
    fine = np.interp(np.linspace(0, edges.size - 1, 40 * edges.size), np.arange(edges.size), edges)
    offset, weights = (part.ravel() for part in nodes(fine))
    one = with_count.law.log_density(offset)
    found = []
    for law in (last.printed, last.right.law):
        none = last.right.law.log_mass + law.log_density(offset) - law.log_mass
        both = ((none, one), (one, none))
        found.append(max(float(weights @ _excess(p, q, epsilon)) for p, q in both))
    rho = float(rhos[-1])
    zcdp = math.exp(_zcdp_log_delta(rho, epsilon))
    exact = math.exp(gaussian_log_delta(epsilon, rho_to_mu(rho)))
    return Leak(printed=found[0], right=found[1], zcdp=zcdp, gaussian=exact)


def _excess(log_p: Array, log_q: Array, epsilon: float) -> Array:
    """The part (p - e^ε q)₊ of p that q does not allow, from logarithms: e^ε may be no float."""
    with np.errstate(under="ignore", invalid="ignore"):  # −∞ − −∞ where neither law has mass
        gap = np.where(log_p > -math.inf, epsilon + log_q - log_p, 0.0)
        return np.asarray(np.exp(log_p) * -np.expm1(np.minimum(gap, 0.0)))


def _zcdp_log_delta(rho: float, epsilon: float) -> float:
    """The ln δ that ρ-zCDP allows at ε; 0, no promise, to -700, below which it is rounded up."""

    def excess(log_delta: float) -> float:
        return float(zcdp_epsilon(rho, log_delta)) - epsilon

    if excess(_NO_PROMISE) >= 0:
        return 0.0
    if excess(_LEAST) <= 0:
        return _LEAST
    return float(optimize.brentq(excess, _LEAST, _NO_PROMISE))


def _falling(
    rhos: Sequence[Number], thresholds: Sequence[float], l2_sensitivity: Number
) -> list[float]:
    """Levels of rising budgets."""
    checks.number(l2_sensitivity=l2_sensitivity)
    levels = [gaussian_level(checks.number(rho=rho), l2_sensitivity) for rho in rhos]
    if len(levels) != len(thresholds) or not levels:
        raise ParameterError("rhos and thresholds must have the same length, at least 1")
    if any(later >= earlier for earlier, later in pairwise(levels)):
        raise ParameterError("rhos must rise, type them from the smallest to the largest")
    return levels


def _onward(past: Message, before: float, level: float, threshold: float) -> Message:
    """Hidden in one more round, as printed: b(u)/Φ((c-u)/s), a bridge back, and the next cut.

    h is the normal density times b, and b is 1 far below the barriers, as Φ is.
    """
    barrier, deviation = threshold / level, math.sqrt(1 / level - 1 / before)
    ahead = barrier - past.barrier
    bottom = min(past.bottom, ahead - 8.5 * deviation, -deviation)
    own = past.panels.edges if past.panels is not None else np.zeros(1)
    ladder = np.concatenate([-deviation * _LADDER, ahead - deviation * _LADDER, [bottom]])
    edges = np.unique(np.concatenate([own, ladder[(ladder >= bottom) & (ladder <= past.top)]]))
    panels = build(
        lambda x: past.log_at(x) - special.log_ndtr((ahead - x) / deviation),
        edges[edges <= past.top],
    )
    step = bridge_step(Message(past.barrier, panels), 1 / before, 1 / level, barrier)
    return step.cut(barrier, math.sqrt(1 / level))


def _last(past: Message, before: float, level: float, threshold: float) -> OneSided:
    """The law of the noise that crosses now, as printed: offsets above the threshold."""
    deviation, spread = math.sqrt(1 / level - 1 / before), math.sqrt(1 / before)
    ahead = threshold / level - past.barrier
    lowest = min(0.0, -past.barrier) - _FAR * spread
    ladder = np.concatenate([-deviation * _LADDER, -spread * _LADDER, ahead - deviation * _LADDER])
    own = past.panels.edges if past.panels is not None else np.zeros(1)
    edges = np.concatenate([own, ladder, ahead + deviation * _LADDER, [lowest]])
    points, weights = nodes(apart(np.unique(edges[(edges >= lowest) & (edges <= past.top)])))
    u = points.ravel()  # offsets of S from its barrier of the round before
    log_h = past.log_at(u) - (u + past.barrier) ** 2 * before / 2 + np.log(weights.ravel())
    log_h -= special.log_ndtr((u - ahead) / deviation)

    def log_density(offset: Array) -> Array:
        s = ahead + offset[:, None] / level
        return np.asarray(special.logsumexp(log_h - ((s - u) / deviation) ** 2 / 2, axis=1))

    return one_sided(log_density, 1, scale=math.sqrt(level), reach=max(0.0, -threshold))


def _distance(first: OneSided, second: OneSided) -> float:
    """Largest difference of two distribution functions on offsets above 0."""
    furthest = max(first.panels.edges[-1], second.panels.edges[-1])
    ends = np.union1d(first.panels.edges, second.panels.edges)
    x = np.union1d(np.linspace(0, furthest, _POINTS), np.linspace(0, ends[ends.size // 2], _POINTS))
    return float(np.abs(first.below(x) - second.below(x)).max())
