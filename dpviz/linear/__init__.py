"""Linear queries: factorizations, their operators and errors, and the answers that tiers hold."""

from dpviz.linear.contribution import Contribution
from dpviz.linear.factorization import Factorization

__all__ = [
    "Contribution",
    "Factorization",
]
