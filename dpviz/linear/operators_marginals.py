"""The marginals of a two-way table: all row sums, then all column sums."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz import checks
from dpviz.linear.operators import ColumnNorms, fitting
from dpviz.noise import Array


@dataclass(frozen=True, slots=True)
class Marginals:
    """Row sums and column sums of a table whose cells are given row by row.

    Both sets add up to the same total, so the rank is rows + columns − 1: no left inverse as L
    where there are more cells than that.

    >>> Marginals(2, 3).apply(np.array([1, 2, 3, 10, 20, 30]))
    array([ 6, 60, 11, 22, 33])
    """

    rows: int
    columns: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checks.whole(1, rows=self.rows, columns=self.columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Sums and cells."""
        return self.rows + self.columns, self.rows * self.columns

    @property
    def full_column_rank(self) -> bool | None:
        """Only where a table has a single row or column."""
        return min(self.rows, self.columns) == 1

    def apply(self, vector: Array) -> Array:
        """Row sums, then column sums."""
        table = fitting(vector, self).reshape(self.rows, self.columns)
        return np.concatenate([table.sum(axis=1), table.sum(axis=0)])

    def row_squares(self) -> Array:
        """Cells in each sum."""
        return np.concatenate(
            [
                np.full(self.rows, float(self.columns)),
                np.full(self.columns, float(self.rows)),
            ]
        )

    def column_norms(self) -> ColumnNorms:
        """Every cell is in one row and one column."""
        cells = np.ones(self.rows * self.columns)
        return ColumnNorms(2 * cells, np.sqrt(2) * cells, cells)
