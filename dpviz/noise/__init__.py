"""Noise families, each in a file of its own; the table below names them.

A family of the table is a legal noise: sessions draw it, bridge paths and covariances show it. What
it promises is in dpviz/accounting/guarantees.py, and tiers take only what promises something.
"""

from dpviz.errors import ParameterError
from dpviz.noise.discrete_laplace import DiscreteLaplace
from dpviz.noise.exponential import Exponential
from dpviz.noise.family import Array, Family, check_family
from dpviz.noise.gaussian import Gaussian
from dpviz.noise.laplace import Laplace
from dpviz.noise.poisson import Poisson
from dpviz.noise.skellam import Skellam

__all__ = ["FAMILIES", "Array", "Family", "register"]

FAMILIES: dict[str, Family] = {}


def register(family: Family) -> None:
    """Add a family to the table, under its own name.

    Raises:
        ParameterError: the name is taken, or the family lacks a fact, which is named.

    >>> register(Laplace())
    Traceback (most recent call last):
    dpviz.errors.ParameterError: a noise family 'laplace' is there already: give this one another \
name
    """
    check_family(family)
    if family.name in FAMILIES:
        raise ParameterError(
            f"a noise family {family.name!r} is there already: give this one another name"
        )
    FAMILIES[family.name] = family


for _family in (
    Gaussian(),
    Laplace(),
    DiscreteLaplace(),
    Poisson(),
    Skellam(),
    Exponential(),
):
    register(_family)
