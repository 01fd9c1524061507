"""What a promise to one person is worth to a group: their tables are a chain of neighbours.

Symbols: dpviz/NOTATION.md.  [BS16] Bun and Steinke, arXiv:1605.02065.
"""

from typing import SupportsIndex

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, non_negative, representable


@elementwise
def group_rho(rho: Number, people: SupportsIndex) -> float:
    """Concentrated budget for a group of k people, if each of them has `rho`: k² rho.

    A number that each of them moves by 1 in one direction is moved by k, so for Gaussian noise
    this is exact.

    Args:
        rho: zCDP budget for one person, at least 0.
        people: k, a whole number of at least 1.

    Returns:
        rho of the group.

    Raises:
        ParameterError: an argument is out of range, or the result is beyond any float.

    Source: [BS16], group privacy; MATHEMATICS 5.12.

    >>> group_rho([0.1, 0.2], 4).round(6)
    array([1.6, 3.2])
    """
    k = checks.integer(1, people=people)
    return representable(non_negative(rho=rho) * k * k)
