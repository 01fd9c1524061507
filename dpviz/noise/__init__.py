"""Noise families, each in a file of its own; the table below names them."""

from dpviz.noise.discrete_laplace import DiscreteLaplace
from dpviz.noise.exponential import Exponential
from dpviz.noise.family import Array, Family
from dpviz.noise.gaussian import Gaussian
from dpviz.noise.laplace import Laplace
from dpviz.noise.poisson import Poisson
from dpviz.noise.skellam import Skellam

__all__ = ["FAMILIES", "Array", "Family"]

FAMILIES: dict[str, Family] = {
    "gaussian": Gaussian(),
    "laplace": Laplace(),
    "discrete_laplace": DiscreteLaplace(),
    "poisson": Poisson(),
    "skellam": Skellam(),
    "exponential": Exponential(),
}
