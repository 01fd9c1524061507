"""Mechanisms: a budget becomes a noise level here, and a level a budget."""

from dpviz.mechanisms.additive import (
    gaussian_level,
    gaussian_rho,
    laplace_epsilon,
    laplace_level,
    poisson_epsilon,
    poisson_level,
    poisson_rule,
)
from dpviz.mechanisms.contribution import Contribution
from dpviz.mechanisms.factorization import Factorization
from dpviz.mechanisms.integer import (
    discrete_laplace_epsilon,
    discrete_laplace_level,
    skellam_epsilon,
    skellam_level,
)

__all__ = [
    "Contribution",
    "Factorization",
    "discrete_laplace_epsilon",
    "discrete_laplace_level",
    "gaussian_level",
    "gaussian_rho",
    "laplace_epsilon",
    "laplace_level",
    "poisson_epsilon",
    "poisson_level",
    "poisson_rule",
    "skellam_epsilon",
    "skellam_level",
]
