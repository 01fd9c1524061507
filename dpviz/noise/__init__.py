"""Noise families, each in a file of its own; the tables below name them.

A family of `FAMILIES` is a legal process: sessions draw it. Those of `ADDITIVE` add noise to a
number, so they have moments and distributions, and bridge paths and covariances show them.
What a family promises is in dpviz/accounting/guarantees.py, and tiers take only what promises
something for a statistic.
"""

from dpviz.errors import ParameterError
from dpviz.noise.discrete_laplace import DiscreteLaplace
from dpviz.noise.exponential import Exponential
from dpviz.noise.family import Array, Family, Process, check_family
from dpviz.noise.gaussian import Gaussian
from dpviz.noise.laplace import Laplace
from dpviz.noise.poisson import Poisson
from dpviz.noise.randomised_response import RandomisedResponse, with_categories
from dpviz.noise.skellam import Skellam

__all__ = ["ADDITIVE", "FAMILIES", "Array", "Family", "Process", "named", "register"]

ADDITIVE: dict[str, Family] = {}
FAMILIES: dict[str, Process] = {}


def register(family: Family) -> None:
    """Add an additive family to both tables, under its own name.

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
    ADDITIVE[family.name] = FAMILIES[family.name] = family


def named(name: str) -> Process | None:
    """The family of this name, also one with its number of categories; None for other names.

    >>> named("randomised_response_7").categories
    7
    """
    return FAMILIES.get(name) or with_categories(name)


for _family in (
    Gaussian(),
    Laplace(),
    DiscreteLaplace(),
    Poisson(),
    Skellam(),
    Exponential(),
):
    register(_family)
FAMILIES[RandomisedResponse().name] = RandomisedResponse()
