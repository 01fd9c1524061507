"""The names that `dpviz` itself offers, each from its room: the list for one import."""

from dpviz import __version__, streams
from dpviz.accounting import (
    Limit,
    Odometer,
    ReleaseEvent,
    gaussian_rho_for,
    half_width,
    level_for_half_width,
    privacy_loss,
    zcdp_epsilon,
)
from dpviz.accounting.integer_levels import (
    discrete_laplace_epsilon,
    discrete_laplace_level,
    skellam_epsilon,
    skellam_level,
    skellam_rule,
)
from dpviz.accounting.levels import gaussian_level, gaussian_rho, laplace_epsilon, laplace_level
from dpviz.accounting.poisson_levels import poisson_epsilon, poisson_level, poisson_rule
from dpviz.counting import ContinualCounter, CountedStream
from dpviz.data import (
    DECLARATION,
    SAMPLE,
    SAMPLES,
    VISITS,
    Sample,
    Table,
    load_declaration,
    load_sample,
    load_visits,
    read_table,
)
from dpviz.errors import ParameterError
from dpviz.linear import Contribution, Factorization
from dpviz.linear.operators import Identity, Matrix, PrefixSums
from dpviz.linear.operators_toeplitz import SquareRoot
from dpviz.local import DataMarket, MarketTerms, PriceCurve
from dpviz.noise import FAMILIES
from dpviz.noise.bridge_law import release_law
from dpviz.noise.joint_density import joint_log_density
from dpviz.planning.tiers import Tier
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    ItemCounts,
    TextCounts,
    WholeNumbers,
    Words,
)
from dpviz.release import FileStore, MemoryStore, MultipleRelease
from dpviz.sparse import DenseHistogram, SparseHistogram, expected_phantoms, threshold_for
from dpviz.top_k import (
    ListCost,
    PrepaidDraws,
    Reach,
    TopK,
    TruncatedHistogram,
    UnknownDomain,
    choose_top_k,
    fit_in_order,
    list_step,
    truncated_divergence,
    truncation,
)
from dpviz.workspace import Workspace

__all__ = [
    "DECLARATION",
    "FAMILIES",
    "SAMPLE",
    "SAMPLES",
    "VISITS",
    "BoundedMean",
    "BoundedSum",
    "Bounds",
    "ByBins",
    "ByColumn",
    "ByTime",
    "ByTwoColumns",
    "ContinualCounter",
    "Contribution",
    "Count",
    "CountedStream",
    "DataMarket",
    "DenseHistogram",
    "Everybody",
    "Factorization",
    "FileStore",
    "Identity",
    "ItemCounts",
    "Limit",
    "ListCost",
    "MarketTerms",
    "Matrix",
    "MemoryStore",
    "MultipleRelease",
    "Odometer",
    "ParameterError",
    "PrefixSums",
    "PrepaidDraws",
    "PriceCurve",
    "Reach",
    "ReleaseEvent",
    "Sample",
    "SparseHistogram",
    "SquareRoot",
    "Table",
    "TextCounts",
    "Tier",
    "TopK",
    "TruncatedHistogram",
    "UnknownDomain",
    "WholeNumbers",
    "Words",
    "Workspace",
    "__version__",
    "choose_top_k",
    "discrete_laplace_epsilon",
    "discrete_laplace_level",
    "expected_phantoms",
    "fit_in_order",
    "gaussian_level",
    "gaussian_rho",
    "gaussian_rho_for",
    "half_width",
    "joint_log_density",
    "laplace_epsilon",
    "laplace_level",
    "level_for_half_width",
    "list_step",
    "load_declaration",
    "load_sample",
    "load_visits",
    "poisson_epsilon",
    "poisson_level",
    "poisson_rule",
    "privacy_loss",
    "read_table",
    "release_law",
    "skellam_epsilon",
    "skellam_level",
    "skellam_rule",
    "streams",
    "threshold_for",
    "truncated_divergence",
    "truncation",
    "zcdp_epsilon",
]
