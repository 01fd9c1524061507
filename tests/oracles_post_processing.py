"""Slow literal versions of what post-processing does."""

import numpy as np


def least_squares(numbers):
    """Groups and total nearest to the noisy ones, by numpy's general solver."""
    groups = len(numbers) - 1
    design = np.vstack([np.eye(groups), np.ones(groups)])
    found = np.linalg.lstsq(design, np.asarray(numbers, dtype=float), rcond=None)[0]
    return np.append(found, found.sum())


def least_squares_map(groups):
    """The same as a matrix: the projection onto the columns of the design."""
    design = np.vstack([np.eye(groups), np.ones(groups)])
    return design @ np.linalg.inv(design.T @ design) @ design.T
