"""Samplers of the Laplace path: one uniform number and one logarithm for each coordinate.

The uniform number picks the branch of MATHEMATICS 2.3 and, rescaled inside it, feeds the logarithm.
Where the path rests, the neighbour itself is copied: `below + (above - below)` would round, and the
rounding would betray the branch. Levels enter through their differences, so two scales one float
apart still give the right law.  Source: [LMR25, Lemma F.5] with its scales corrected; the form in
which no chance depends on the values is ours.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from typing import NamedTuple

import numpy as np

from dpviz.noise.family import Array

LEAST = 2.0**-54  # half the grid of the uniform numbers: keeps the logarithm away from 0


class Branches(NamedTuple):
    """Law of a Laplace bridge between values that differ by k, in the direction of k.

    Branches: away, with a step of `-Exp(mean away_scale)`; stay; else towards, where
    `E ~ Exp(mean toward_scale)` is the step while E < |k|, then the path rests on `above` while E
    runs on by `rest`, and goes beyond by what is left of E, times `slope`. No chance depends on k.
    """

    away: float  # probability
    stay: float  # probability
    toward: float  # probability
    away_scale: float  # 1/(1/b + 1/h), units of the statistic
    toward_scale: float  # 1/(1/b - 1/h), units of the statistic
    rest: float  # ln((h+b)/(h-b)) times toward_scale, units of the statistic
    slope: float  # (h-b)/(h+b)


def branches_between(low: float, level: float, high: float) -> Branches:
    """Branches of a bridge at scale b between scales l < b < h.

    With γ = (h-b)/h, σ = (h+b)/h, μ₁ = (l/b)², μ₂ = (b/h)² and D = 1 - μ₁μ₂ = 1 - (l/h)²:

        away = (1-μ₁)γ/(2D)     stay = μ₁γσ/D     toward = (1-μ₁)σ/(2D)

    They add up to 1 because γ + σ = 2 and γσ = 1 - μ₂. Only positive terms and differences of
    levels appear, so nothing is lost when levels are one float apart.

    >>> law = branches_between(1.0, 2.0, 4.0)
    >>> law.away, law.stay, law.toward
    (0.2, 0.2, 0.6)
    """
    gap = (high - level) / high  # γ
    total = 1 + level / high  # σ
    moved = (level - low) / level * (1 + low / level)  # 1 - μ₁
    different = (high - low) / high * (1 + low / high)  # D
    toward_scale = level / gap
    return Branches(
        away=moved * gap / (2 * different),
        stay=(low / level) ** 2 * gap * total / different,
        toward=moved * total / (2 * different),
        away_scale=level / total,
        toward_scale=toward_scale,
        rest=toward_scale * math.log1p(2 * (level / high) / gap),
        slope=gap / total,
    )


def bridge_one(below: float, above: float, law: Branches, uniform: float) -> float:
    """Draw one coordinate of a bridge from a uniform number: the law in its plainest form.

    >>> law = branches_between(1.0, 2.0, 4.0)  # away below 0.2, then rest on `below` up to 0.4
    >>> [round(bridge_one(10.0, 13.0, law, u), 3) for u in (0.1, 0.3, 0.5, 0.8, 0.95)]
    [9.076, 10.0, 10.729, 13.0, 13.848]
    """
    step = logarithm_of_one(uniform, law.away, law.toward)
    step *= law.away_scale if step < 0 else law.toward_scale
    sign = (above > below) - (above < below)  # 0 where the neighbours agree: no step at all
    over = step - abs(above - below)
    if over <= 0:
        return below + sign * step
    return above + sign * max(over - law.rest, 0.0) * law.slope


def bridge_block(
    out: Array,
    below: Array,
    above: Array,
    law: Branches,
    spares: list[Array],
    *,
    rng: np.random.Generator,
) -> None:
    """Draw one block of a bridge into `out`: `bridge_one` for whole arrays.

    `spares` are three arrays of working memory. Choices are products with 0 and 1, which are
    exact: branches and masked copies take longer.
    """
    chosen, sign, over = spares
    signed_logarithm(out, chosen, law.away, law.toward, rng=rng)
    np.multiply(out, law.away_scale, out=chosen)
    out *= law.toward_scale
    np.maximum(out, chosen, out=out)  # away (negative): the shorter scale; towards: the longer
    np.subtract(above, below, out=over)
    np.sign(over, out=sign)  # 0 where the neighbours agree, and then the path rests there
    over *= sign
    np.subtract(out, over, out=over)  # how far the step goes over |k|
    np.less_equal(over, 0, out=chosen)  # 1: the step starts from `below`, 0: from `above`
    over -= law.rest
    np.maximum(over, 0, out=over)
    over *= law.slope
    out *= chosen
    out += over
    out *= sign
    np.multiply(below, chosen, out=sign)
    np.subtract(1, chosen, out=chosen)
    chosen *= above
    sign += chosen
    out += sign


def logarithm_of_one(uniform: float, down: float, up: float) -> float:
    """Turn a uniform number into -Exp(1), 0 or Exp(1), with probabilities `down`, the rest, `up`.

    >>> [round(logarithm_of_one(u, 0.2, 0.5), 3) for u in (0.1, 0.3, 0.75)]
    [-0.693, 0.0, 0.693]
    """
    uniform = max(uniform, LEAST)
    if uniform < down:
        return math.log(uniform / down)
    if 1 - uniform < up:
        return -math.log((1 - uniform) / up)
    return 0.0


def signed_logarithm(
    out: Array, spare: Array, down: float, up: float, *, rng: np.random.Generator
) -> None:
    """Fill `out` with `logarithm_of_one`, for whole arrays.

    For U uniform on (0, 1) it is ln(min(U/down, 1)) - ln(min((1-U)/up, 1)): in each branch at most
    one of the two is not ln 1, so one logarithm of the quotient serves all three.
    """
    rng.random(out=out)
    np.subtract(1, out, out=spare)  # on a grid above 0
    np.minimum(spare, up, out=spare)
    np.maximum(out, LEAST, out=out)
    np.minimum(out, down, out=out)
    out /= spare
    out /= down / up  # the quotient of the two bounds, rounded alike: exactly 1 between them
    np.log(out, out=out)
