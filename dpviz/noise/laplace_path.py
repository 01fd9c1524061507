"""Samplers of the Laplace path: one uniform number and one logarithm for each coordinate.

The uniform number picks the branch of MATH section 2 and, rescaled inside it, feeds the logarithm.
Where the path rests, the neighbour itself is copied: `below + (above - below)` would round, and the
rounding would betray the branch. Levels enter through their differences, so two scales one float
apart still give the right law.  Source: [LMR25, Lemma F.5] with its scales put right; the form in
which no chance depends on the values is ours.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from typing import NamedTuple

import numpy as np

from dpviz.noise.family import Array

LEAST = 2.0**-54  # half the grid of the uniform numbers: keeps the logarithm away from 0


class BridgeLaw(NamedTuple):
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


def bridge_law(low: float, level: float, high: float) -> BridgeLaw:
    """Branches of a bridge at scale b between scales l < b < h.

    With γ = (h-b)/h, σ = (h+b)/h, μ₁ = (l/b)², μ₂ = (b/h)² and D = 1 - μ₁μ₂ = 1 - (l/h)²:

        away = (1-μ₁)γ/(2D)     stay = μ₁γσ/D     toward = (1-μ₁)σ/(2D)

    They add up to 1 because γ + σ = 2 and γσ = 1 - μ₂. Only positive terms and differences of
    levels appear, so nothing is lost when levels are one float apart.

    >>> law = bridge_law(1.0, 2.0, 4.0)
    >>> law.away, law.stay, law.toward
    (0.2, 0.2, 0.6)
    """
    gap = (high - level) / high  # γ
    total = 1 + level / high  # σ
    moved = (level - low) / level * (1 + low / level)  # 1 - μ₁
    different = (high - low) / high * (1 + low / high)  # D
    toward_scale = level / gap
    return BridgeLaw(
        away=moved * gap / (2 * different),
        stay=(low / level) ** 2 * gap * total / different,
        toward=moved * total / (2 * different),
        away_scale=level / total,
        toward_scale=toward_scale,
        rest=toward_scale * math.log1p(2 * (level / high) / gap),
        slope=gap / total,
    )


def bridge_block(
    below: Array,
    above: Array,
    law: BridgeLaw,
    rows: list[Array],
    out: Array,
    *,
    rng: np.random.Generator,
) -> None:
    """Draw one block of a bridge into `out`; `rows` are three arrays of working memory."""
    step, spare, sign = rows
    signed_logarithm(step, spare, law.away, law.toward, rng=rng)
    np.multiply(step, law.away_scale, out=spare)
    step *= law.toward_scale
    np.maximum(step, spare, out=step)  # away (negative): the shorter scale; towards: the longer
    np.subtract(above, below, out=sign)
    np.abs(sign, out=spare)
    np.sign(sign, out=sign)  # 0 where the neighbours agree, and then the path stays too
    np.subtract(step, spare, out=spare)  # how far the step goes over |k|
    arrived = spare > 0
    spare -= law.rest
    np.maximum(spare, 0, out=spare)
    spare *= law.slope
    np.copyto(step, spare, where=arrived)
    step *= sign
    np.copyto(out, below)
    np.copyto(out, above, where=arrived)
    out += step


def signed_logarithm(
    out: Array, spare: Array, down: float, up: float, *, rng: np.random.Generator
) -> None:
    """Fill `out` with -Exp(1) with probability `down`, Exp(1) with probability `up`, else with 0.

    For U uniform on (0, 1) this is ln(min(U/down, 1)) - ln(min((1-U)/up, 1)): in each branch at
    most one of the two is not ln 1, so one logarithm of the quotient serves all three.
    """
    rng.random(out=out)
    np.subtract(1, out, out=spare)  # on a grid above 0
    np.minimum(spare, up, out=spare)
    np.clip(out, min(LEAST, down), down, out=out)
    out /= spare
    out /= down / up  # the quotient of the two bounds, rounded alike: exactly 1 between them
    np.log(out, out=out)
