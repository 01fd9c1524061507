"""The page Sparse histograms."""
