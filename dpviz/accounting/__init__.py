"""Privacy accounting: exact curves, conversions, accuracy, and what releases cost together."""

from dpviz.accounting.accuracy import half_width, level_for_half_width
from dpviz.accounting.composition import JointLoss, ReleaseEvent, independent_loss, joint_loss
from dpviz.accounting.conversions import (
    Converted,
    epsilon_to_rho,
    gaussian_conversions,
    gaussian_rho_for,
    mu_to_rho,
    rho_to_mu,
    rho_to_pure_epsilon,
    rho_to_sigma,
    sigma_to_rho,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.gaussian import gaussian_epsilon, gaussian_log_delta, gaussian_sigma
from dpviz.accounting.poisson import (
    poisson_coordinate_epsilon,
    poisson_coordinate_level,
    poisson_log_delta,
)
from dpviz.accounting.poisson_groups import (
    poisson_groups_epsilon,
    poisson_groups_level,
    poisson_groups_log_delta,
)
from dpviz.accounting.poisson_theorem import (
    poisson_theorem_epsilon,
    poisson_theorem_level,
    poisson_theorem_limit,
)
from dpviz.accounting.skellam import skellam_epsilon, skellam_level, skellam_log_delta
from dpviz.accounting.skellam_renyi import skellam_renyi_epsilon, skellam_renyi_level

__all__ = [
    "Converted",
    "JointLoss",
    "ReleaseEvent",
    "epsilon_to_rho",
    "gaussian_conversions",
    "gaussian_epsilon",
    "gaussian_log_delta",
    "gaussian_rho_for",
    "gaussian_sigma",
    "half_width",
    "independent_loss",
    "joint_loss",
    "level_for_half_width",
    "mu_to_rho",
    "poisson_coordinate_epsilon",
    "poisson_coordinate_level",
    "poisson_groups_epsilon",
    "poisson_groups_level",
    "poisson_groups_log_delta",
    "poisson_log_delta",
    "poisson_theorem_epsilon",
    "poisson_theorem_level",
    "poisson_theorem_limit",
    "rho_to_mu",
    "rho_to_pure_epsilon",
    "rho_to_sigma",
    "sigma_to_rho",
    "skellam_epsilon",
    "skellam_level",
    "skellam_log_delta",
    "skellam_renyi_epsilon",
    "skellam_renyi_level",
    "zcdp_epsilon",
    "zcdp_epsilon_textbook",
]
