"""Noise families: each is one file, and one line in the table below."""

from dpviz.noise.family import Array, Family
from dpviz.noise.gaussian import Gaussian
from dpviz.noise.laplace import Laplace
from dpviz.noise.poisson import Poisson

__all__ = ["FAMILIES", "Array", "Family"]

FAMILIES: dict[str, Family] = {
    "gaussian": Gaussian(),
    "laplace": Laplace(),
    "poisson": Poisson(),
}
