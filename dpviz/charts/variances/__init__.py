"""Variances of four schemes side by side, and covariances measured."""
