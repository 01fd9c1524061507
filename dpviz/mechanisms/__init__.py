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
from dpviz.mechanisms.continual_counting import ContinualCounter
from dpviz.mechanisms.contribution import Contribution
from dpviz.mechanisms.counted_stream import CountedStream
from dpviz.mechanisms.dense_histogram import DenseHistogram
from dpviz.mechanisms.factorization import Factorization
from dpviz.mechanisms.integer import (
    discrete_laplace_epsilon,
    discrete_laplace_level,
    skellam_epsilon,
    skellam_level,
)
from dpviz.mechanisms.sparse_histogram import SparseHistogram
from dpviz.mechanisms.sparse_thresholds import expected_phantoms, threshold_for

__all__ = [
    "ContinualCounter",
    "Contribution",
    "CountedStream",
    "DenseHistogram",
    "Factorization",
    "SparseHistogram",
    "discrete_laplace_epsilon",
    "discrete_laplace_level",
    "expected_phantoms",
    "gaussian_level",
    "gaussian_rho",
    "laplace_epsilon",
    "laplace_level",
    "poisson_epsilon",
    "poisson_level",
    "poisson_rule",
    "skellam_epsilon",
    "skellam_level",
    "threshold_for",
]
