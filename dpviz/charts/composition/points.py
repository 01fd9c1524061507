"""The lines of a sequence as plain rows: totals along it, over choices, over δ.

They take long, so workers compute them, without pandas; frame.py makes frames of them. Only bounds
that are quick to compute have lines. Source: MATHEMATICS 5.7 to 5.9.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpviz.accounting.bounds import Bound
from dpviz.accounting.composed_loss import NAME
from dpviz.accounting.composed_pure import NAME as WORST
from dpviz.accounting.mixed_composition import LARGEST_RANGE
from dpviz.errors import ParameterError
from dpviz.workspace.composition import ANY, CHOICE, Part
from dpviz.workspace.composition_totals import quick_totals

Point = tuple[str, float, float]  # of which bound; where: a number, or log₁₀ δ; ε
POINTS = 6  # each point with choices is a curve of its own
EXPONENTS = (-12.0, -10.0, -8.0, -6.0, -4.0, -2.0)


def along(parts: Sequence[Part], delta: Fraction, granted: str) -> tuple[Point, ...]:
    """The total after some of the answers, in order.

    Args:
        parts: the sequence.
        delta: of all together, exact.
        granted: what may depend on earlier answers, one of `bounds.ASSUMPTIONS`.
    """
    ends = np.cumsum([part.count for part in parts])
    even = np.linspace(1, ends[-1], POINTS).round().astype(int)
    steps = ends[np.linspace(0, len(ends) - 1, min(len(ends), POINTS)).astype(int)]
    shown = np.unique(np.concatenate([[1], even, steps])).tolist()
    return _rows((float(n), quick_totals(first(parts, n), delta, granted)) for n in shown)


def over_choices(epsilon: Fraction, count: int, delta: Fraction, granted: str) -> tuple[Point, ...]:
    """The total of this many answers of one ε, by how many are the best of a list."""
    most = min(count, LARGEST_RANGE)
    shown = sorted({*np.linspace(0, most, POINTS).round().astype(int).tolist()})
    rows = []
    for m in shown:
        others = [Part(answer=ANY, budget=epsilon, count=count - m)] if m < count else []
        choices = [Part(answer=CHOICE, budget=epsilon, count=m)] if m else []
        rows.append((float(m), quick_totals([*others, *choices], delta, granted)))
    return _rows(rows)


def over_delta(parts: Sequence[Part], delta: Fraction, granted: str) -> tuple[Point, ...]:
    """The total over log₁₀ δ, the δ in use among them."""
    here = math.log10(delta)
    shown = sorted({*EXPONENTS, here})
    rows = []
    for exponent in shown:
        at = delta if exponent == here else Fraction(10) ** int(exponent)
        try:
            rows.append((exponent, quick_totals(parts, at, granted)))
        except ParameterError:  # the δ of promises use up all of it
            continue
    return _rows(rows)


def _rows(found: Iterable[tuple[float, Sequence[Bound]]]) -> tuple[Point, ...]:
    """A row for each bound at each point; the losses have one line, under one name."""
    rows = [(bound.name, at, bound.value) for at, bounds in found for bound in bounds]
    known = any(name == NAME for name, _, _ in rows)  # of some answers more than their class
    return tuple((NAME if known and n == WORST else n, at, value) for n, at, value in rows)


def first(parts: Sequence[Part], count: int) -> tuple[Part, ...]:
    """The first answers of a sequence.

    >>> [part.count for part in first([Part(answer=ANY, budget=1, count=3)] * 2, 4)]
    [3, 1]
    """
    found = []
    for part in parts:
        if count > 0:
            found.append(replace(part, count=min(part.count, count)))
        count -= part.count
    return tuple(found)
