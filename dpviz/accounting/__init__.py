"""Privacy accounting: exact curves, conversions, accuracy, and what releases cost together.

Curves and conversions take numbers or arrays, by one rule: `dpviz.accounting.inputs`.
"""

from dpviz.accounting.accuracy import half_width, level_for_half_width
from dpviz.accounting.adaptive_composition import (
    BOUNDED_RANGE,
    PURE,
    adaptive_composition_epsilon,
    adaptive_composition_log_delta,
    worst_order,
)
from dpviz.accounting.best import best_epsilon
from dpviz.accounting.bounded_range import (
    bounded_range_log_delta,
    bounded_range_mean_loss,
    pure_mean_loss,
)
from dpviz.accounting.bounds import Best, Bound, Stated
from dpviz.accounting.composition import JointLoss, ReleaseEvent, independent_loss, joint_loss
from dpviz.accounting.conversions import (
    gaussian_rho_for,
    group_rho,
    mu_to_rho,
    rho_to_mu,
    zcdp_epsilon,
    zcdp_epsilon_textbook,
)
from dpviz.accounting.counting_crossover import (
    COUNTING_GAUSSIANS,
    counting_crossover_log_delta,
    square_root_error,
    square_root_factor,
    square_root_factor_bound,
)
from dpviz.accounting.crossover import (
    classical_gaussian_sigma,
    crossover_dimension,
    crossover_log_delta,
)
from dpviz.accounting.filter import Filter
from dpviz.accounting.gaussian import gaussian_epsilon, gaussian_log_delta, gaussian_sigma
from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
)
from dpviz.accounting.laplace import (
    L2Choice,
    l2_mechanism,
    laplace_l2_scale,
    laplace_log_delta,
    laplace_scale,
)
from dpviz.accounting.laplace_composition import (
    composed_laplace_epsilon,
    composed_laplace_log_delta,
)
from dpviz.accounting.mixed_composition import (
    mixed_composition_epsilon,
    mixed_composition_log_delta,
)
from dpviz.accounting.odometer import Limit, Odometer
from dpviz.accounting.poisson import (
    poisson_coordinate_epsilon,
    poisson_coordinate_level,
    poisson_log_delta,
)
from dpviz.accounting.poisson_levels import (
    poisson_groups_epsilon,
    poisson_groups_level,
    poisson_groups_log_delta,
    poisson_theorem_epsilon,
    poisson_theorem_level,
    poisson_theorem_limit,
)
from dpviz.accounting.pure_composition import (
    composed_pure_epsilon,
    composed_pure_log_delta,
    pure_composition_epsilon,
    pure_composition_log_delta,
)
from dpviz.accounting.scheme_variances import (
    COMPARED,
    scheme_budgets,
    scheme_levels,
    scheme_pieces,
    scheme_rule,
    scheme_variances,
)
from dpviz.accounting.schemes import SCHEMES, coalition_epsilon, coalition_rho
from dpviz.accounting.setwise import (
    approximate_zcdp_epsilon,
    approximate_zcdp_epsilon_textbook,
    setwise_epsilon,
)
from dpviz.accounting.skellam import (
    skellam_coordinate_epsilon,
    skellam_coordinate_level,
    skellam_log_delta,
)
from dpviz.accounting.skellam_levels import (
    skellam_groups_epsilon,
    skellam_groups_level,
    skellam_groups_log_delta,
    skellam_renyi_epsilon,
    skellam_renyi_level,
)
from dpviz.accounting.tradeoff import (
    Pair,
    gaussian_advantage,
    gaussian_right_guesses,
    gaussian_trade_off,
    joint_pair,
    laplace_advantage,
    laplace_trade_off,
    pair_advantage,
    pair_trade_off,
    posterior,
    posterior_of_test,
    right_guesses,
)
from dpviz.accounting.trees import (
    Tree,
    Vertex,
    best_arity,
    chosen_tree,
    honaker_error,
    smallest_tree,
    step_variances,
    tree_error,
    vertex_variance,
)

__all__ = [
    "BOUNDED_RANGE",
    "COMPARED",
    "COUNTING_GAUSSIANS",
    "PURE",
    "SCHEMES",
    "Best",
    "Bound",
    "Filter",
    "JointLoss",
    "L2Choice",
    "Limit",
    "Odometer",
    "Pair",
    "ReleaseEvent",
    "Stated",
    "Tree",
    "Vertex",
    "adaptive_composition_epsilon",
    "adaptive_composition_log_delta",
    "approximate_zcdp_epsilon",
    "approximate_zcdp_epsilon_textbook",
    "best_arity",
    "best_epsilon",
    "bounded_range_log_delta",
    "bounded_range_mean_loss",
    "chosen_tree",
    "classical_gaussian_sigma",
    "coalition_epsilon",
    "coalition_rho",
    "composed_laplace_epsilon",
    "composed_laplace_log_delta",
    "composed_pure_epsilon",
    "composed_pure_log_delta",
    "counting_crossover_log_delta",
    "crossover_dimension",
    "crossover_log_delta",
    "gaussian_advantage",
    "gaussian_epsilon",
    "gaussian_log_delta",
    "gaussian_rho_for",
    "gaussian_right_guesses",
    "gaussian_sigma",
    "gaussian_trade_off",
    "group_rho",
    "half_width",
    "histogram_gaussian_epsilon",
    "histogram_laplace_epsilon",
    "histogram_loose_epsilon",
    "honaker_error",
    "independent_loss",
    "joint_loss",
    "joint_pair",
    "l2_mechanism",
    "laplace_advantage",
    "laplace_l2_scale",
    "laplace_log_delta",
    "laplace_scale",
    "laplace_trade_off",
    "level_for_half_width",
    "mixed_composition_epsilon",
    "mixed_composition_log_delta",
    "mu_to_rho",
    "pair_advantage",
    "pair_trade_off",
    "poisson_coordinate_epsilon",
    "poisson_coordinate_level",
    "poisson_groups_epsilon",
    "poisson_groups_level",
    "poisson_groups_log_delta",
    "poisson_log_delta",
    "poisson_theorem_epsilon",
    "poisson_theorem_level",
    "poisson_theorem_limit",
    "posterior",
    "posterior_of_test",
    "pure_composition_epsilon",
    "pure_composition_log_delta",
    "pure_mean_loss",
    "rho_to_mu",
    "right_guesses",
    "scheme_budgets",
    "scheme_levels",
    "scheme_pieces",
    "scheme_rule",
    "scheme_variances",
    "setwise_epsilon",
    "skellam_coordinate_epsilon",
    "skellam_coordinate_level",
    "skellam_groups_epsilon",
    "skellam_groups_level",
    "skellam_groups_log_delta",
    "skellam_log_delta",
    "skellam_renyi_epsilon",
    "skellam_renyi_level",
    "smallest_tree",
    "square_root_error",
    "square_root_factor",
    "square_root_factor_bound",
    "step_variances",
    "tree_error",
    "vertex_variance",
    "worst_order",
    "zcdp_epsilon",
    "zcdp_epsilon_textbook",
]
