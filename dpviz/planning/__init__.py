"""From a typed amount to a budget, a noise level and a tier; presets and published practice."""

from dpviz.planning.integer_levels import (
    discrete_laplace_epsilon,
    discrete_laplace_level,
    skellam_epsilon,
    skellam_level,
)
from dpviz.planning.levels import (
    gaussian_level,
    gaussian_rho,
    laplace_epsilon,
    laplace_level,
    poisson_epsilon,
    poisson_level,
    poisson_rule,
)

__all__ = [
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
