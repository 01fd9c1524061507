"""Permanent responses at f₁ and then at a smaller f₂: three couplings and their joint losses.

- *chain*: bits along the path of randomised response. Both together tell what the second tells.
- *recast*: the paper's [KHP15, section 4.1]: a bit plus a Laplace number, cut at ½, and the number
  relaxed. Each response is right, and both together keep the promise of the number, 2 ln(1/f₂); but
  they tell more than the second alone, as cutting loses what that promise pays for.
- *fresh*: two independent responses. Their losses add.

Each law is P(first bit, second bit) as a table; that of a one is that of a zero with both bits
turned.
"""

import math
from typing import Literal

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.rappor import Rappor
from dpviz.noise.family import Array

Coupling = Literal["chain", "recast", "fresh"]
COUPLINGS: tuple[Coupling, ...] = ("chain", "recast", "fresh")


def rappor_law(coupling: Coupling, first: float, second: float) -> Array:
    """The law of both permanent bits of a zero; exact up to rounding.

    Args:
        coupling: "chain", "recast" or "fresh".
        first: f₁, between 0 and 1.
        second: f₂, between 0 and f₁.

    Returns:
        Shape (2, 2): entry (i, j) is the chance of i at f₁ and j at f₂.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> rappor_law("chain", 0.75, 0.5)
    array([[0.5625, 0.0625],
           [0.1875, 0.1875]])
    >>> round(float(rappor_law("recast", 0.75, 0.5)[1, 1]), 10)
    0.1768796874
    """
    checks.one_of(COUPLINGS, coupling=coupling)
    checks.probability(first=first, second=second)
    first, second = float(first), float(second)
    if not second < first:
        raise ParameterError(
            f"the second f must be below the first, got {first:g} and then {second:g}; swap them"
        )
    if coupling == "fresh":
        law: Array = np.outer([1 - first / 2, first / 2], [1 - second / 2, second / 2])
        return law
    if coupling == "chain":
        again = (first - second) / (1 - second) / 2  # chance that the second bit is turned
        both, only_second = second / 2 * (1 - again), second / 2 * again
    else:
        moved = math.log1p((second - first) / first) / math.log(second)  # 1 - ε_f1/ε_f2
        both, only_second = second / 4 * (2 - moved), second / 4 * moved
    only_first = (first - second) / 2 + only_second
    return np.array([[1 - both - only_first - only_second, only_second], [only_first, both]])


def rappor_joint_loss(coupling: Coupling, first: float, second: float) -> float:
    """What both permanent responses to one bit tell about it; exact, in nats.

    Args:
        coupling: "chain", "recast" or "fresh".
        first: f₁, between 0 and 1.
        second: f₂, between 0 and f₁.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> [round(rappor_joint_loss(each, 0.75, 0.5), 10) for each in COUPLINGS]
    [1.0986122887, 1.1378602956, 1.6094379124]
    """
    law = rappor_law(coupling, first, second)
    if coupling == "chain":  # what the first adds is nothing, exactly
        return math.log1p(2 * (1 - float(second)) / float(second))
    return _largest(law, law[::-1, ::-1])


def rappor_reports_loss(coupling: Coupling, first: Rappor, second: Rappor, hashes: int) -> float:
    """What one report at f₁ and one at f₂ tell together about a text; exact, in nats.

    Two texts differ in at most h bits that fall and h that rise, and bits are drawn independently.

    Args:
        coupling: how the permanent responses go together; instantaneous ones are always fresh.
        first: the probabilities of the first report.
        second: those of the second; its f is smaller.
        hashes: h, ones that a text sets.

    Raises:
        ParameterError: unless 0 < f₂ < f₁ < 1.

    >>> at = {f: Rappor(f=f, p=0.5, q=0.75) for f in (0.75, 0.5)}
    >>> [round(rappor_reports_loss(each, at[0.75], at[0.5], 2), 4) for each in COUPLINGS]
    [1.5582, 1.5637, 1.6086]
    """
    checks.instance(Rappor, first=first, second=second)
    checks.whole(1, hashes=hashes)
    law = rappor_law(coupling, first.f, second.f)
    seen = [np.array([[1 - r.p, r.p], [1 - r.q, r.q]]) for r in (first, second)]
    zero, one = (seen[0].T @ each @ seen[1] for each in (law, law[::-1, ::-1]))
    return hashes * (_largest(zero, one) + _largest(one, zero))


def _largest(one: Array, other: Array) -> float:
    """The largest ln(P/P') over the outcomes."""
    return float(np.log(one / other).max())
