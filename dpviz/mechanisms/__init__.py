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

__all__ = [
    "gaussian_level",
    "gaussian_rho",
    "laplace_epsilon",
    "laplace_level",
    "poisson_epsilon",
    "poisson_level",
    "poisson_rule",
]
