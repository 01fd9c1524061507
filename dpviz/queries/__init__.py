"""Queries: a statistic, the bound on what one person contributes, and its sensitivities."""

from dpviz.queries.count_per_group import MAX_GROUPS, CountPerGroup
from dpviz.queries.grid import Grid
from dpviz.queries.sensitivity import Sensitivity

__all__ = ["MAX_GROUPS", "CountPerGroup", "Grid", "Sensitivity"]
