"""The square root of the matrix of prefix sums, applied by fast Fourier transform.

Prefix sums are A = S·S with S lower-triangular Toeplitz, entries fⱼ = C(2j, j)/4ʲ below the
diagonal: f₀ = 1, fⱼ = fⱼ₋₁(1 − 1/(2j)) [HUU23]. Both factors have column norms √Σfⱼ², which grows
like √(ln n / π): the least noise that is known for running totals in closed form.
Limits: real numbers, so only for families that take them. Rounding in the transform is spread
evenly: both factors together err by less than 1e-12 of the largest total at n = 1,000,000.
[HUU23] Henzinger, Upadhyay, Upadhyay, Almost tight error bounds on differentially private continual
counting, SODA 2023; MATHEMATICS 7.4.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from dpviz.accounting.prefix_sums import square_root_coefficients
from dpviz.linear.operators import ColumnNorms, Square, fitting
from dpviz.noise import Array


@dataclass(frozen=True, slots=True)
class SquareRoot(Square):
    """S with S·S = prefix sums of n numbers, in O(n log n).

    >>> root = SquareRoot(3)
    >>> root.apply(root.apply(np.array([1.0, 2.0, 3.0]))).round(12)
    array([1., 3., 6.])
    """

    n: int
    whole: ClassVar[bool] = False
    non_negative: ClassVar[bool] = True
    full_column_rank: ClassVar[bool | None] = True

    def apply(self, vector: Array) -> Array:
        """The product, float64."""
        numbers = fitting(vector, self).astype(np.float64)
        size = next_fast_len(2 * self.n - 1, real=True)  # room for all of the product: no wrapping
        both = rfft(square_root_coefficients(self.n), size) * rfft(numbers, size)
        return np.asarray(irfft(both, size)[: self.n])

    def row_squares(self) -> Array:
        """Row t holds f₀ … f_{t−1}."""
        return np.cumsum(square_root_coefficients(self.n) ** 2)

    def column_norms(self) -> ColumnNorms:
        """Column t holds f₀ … f_{n−t}."""
        f = square_root_coefficients(self.n)
        return ColumnNorms(
            np.cumsum(f)[::-1].copy(), np.sqrt(np.cumsum(f**2))[::-1].copy(), np.ones(self.n)
        )
