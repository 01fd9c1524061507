"""Sparse histograms over huge domains: the histogram, its thresholds and its exact law."""

from dpviz.sparse.dense_histogram import DenseHistogram
from dpviz.sparse.histogram import SparseHistogram, expected_phantoms, threshold_for

__all__ = [
    "DenseHistogram",
    "SparseHistogram",
    "expected_phantoms",
    "threshold_for",
]
