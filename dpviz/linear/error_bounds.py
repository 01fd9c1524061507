"""The least error of any factorization of A, and the factorization that reaches it.

For Gaussian noise the total squared error of A = L·R is ‖L‖² · (largest column norm of R)². For
every weight w ≥ 0 of the entries of x with Σwᵢ = 1,

    ‖L‖² · max ‖rᵢ‖²  ≥  ‖L‖² · Σ wᵢ‖rᵢ‖²  ≥  ‖A·√diag(w)‖²₁      (sum of singular values, squared)

by the inequality of Hölder; equal weights give the bound of [LM13], (Σσ)²/n, and the best weights
reach equality. The fixed-point iteration w ← diag((√W AᵀA √W)^½), scaled to sum 1 [DMR22], finds
them, and with them the factorization. So bound and optimum come together: a certificate.
Prefix sums have σⱼ = 1/(2 sin((2j−1)π/(4n+2))), so their bound needs no matrix.
Limits: iterated up to n = `MOST_ITERATED`. Column norms are those of one group and amount 1.
[LM13] Li and Miklau, Optimal error of query sets under the differentially-private matrix mechanism,
ICDT 2013.  [DMR22] Denisov, McMahan, Rush, Smith, Thakurta, arXiv:2202.08312.
"""

from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.linear.operators import Matrix, Operator, dense
from dpviz.noise import Array

MOST_ITERATED = 128
ROUNDS = 200
ROUNDING = 1e-12  # of sums of singular values, to the side that stays a bound
CLOSE = 1e-3  # the iteration ends when error and bound are this near


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """The best factorization that was found, and a bound that none can beat.

    Attributes:
        left: L.
        right: R, with column norms of at most 1.
        error: ‖L‖² · (largest column norm of R)².
        bound: at most the error of any factorization; within `CLOSE` of `error` if it settled.
    """

    left: Matrix
    right: Matrix
    error: float
    bound: float

    def __post_init__(self) -> None:
        checks.non_negative(error=self.error, bound=self.bound)


def optimum(operator: Operator) -> Optimum:
    """The factorization of least total squared error for Gaussian noise, with its certificate.

    Args:
        operator: A, shape (m, n) with n at most `MOST_ITERATED`, no column all zeros.

    Raises:
        ParameterError: if A is too large or a column is all zeros.

    >>> best = optimum(Matrix([[1, 0], [1, 1]]))
    >>> round(best.error, 2), round(best.bound, 2)  # noise on the data: 3, on the totals: 4
    (2.62, 2.62)
    """
    n = operator.shape[1]
    if n > MOST_ITERATED:
        raise ParameterError(
            f"the optimum is looked for with at most {MOST_ITERATED} columns, got {n:,}"
        )
    entries = dense(operator)
    if not np.all(np.abs(entries).max(axis=0) > 0):
        raise ParameterError("a column of the matrix is all zeros; leave it out")
    scale = float(np.abs(entries).max())
    entries = entries / scale
    products = entries.T @ entries
    weights = np.full(n, 1 / n)
    for _ in range(ROUNDS):
        diagonal = _root_diagonal(products, weights)
        if (diagonal / weights).max() <= diagonal.sum() * (1 + CLOSE):
            break
        weights = diagonal / diagonal.sum()
    left, right, nuclear = _factors(entries, weights)
    right_scale = float(np.sqrt((right**2).sum(axis=0).max()))
    left, right = left * (right_scale * scale), right / right_scale
    bound = (nuclear * scale) ** 2 * (1 - ROUNDING)
    return Optimum(Matrix(left), Matrix(right), float((left**2).sum()), bound)


def prefix_sums_bound(n: int) -> float:
    """(Σσ)²/n for running totals of n numbers: no factorization has less total squared error.

    Raises:
        ParameterError: n is not a whole number of at least 1.

    >>> round(prefix_sums_bound(2), 6)
    2.5
    """
    n = checks.integer(1, n=n)
    odd = (2 * np.arange(1, n + 1) - 1) * np.pi
    nuclear = float((0.5 / np.sin(odd / (4 * n + 2))).sum()) * (1 - ROUNDING)
    return nuclear**2 / n


def _root_diagonal(products: Array, weights: Array) -> Array:
    """The diagonal of (√W AᵀA √W)^½."""
    root = np.sqrt(weights)
    values, vectors = np.linalg.eigh(products * np.outer(root, root))
    diagonal: Array = (vectors**2) @ np.sqrt(np.maximum(values, 0.0))
    return np.maximum(diagonal, 1e-300)


def _factors(entries: Array, weights: Array) -> tuple[Array, Array, float]:
    """L = U √Σ and R = √Σ Vᵀ W^{-½} with U Σ Vᵀ = A √W, of the rank of A; and the sum of Σ."""
    root = np.sqrt(weights)
    u, values, v = np.linalg.svd(entries * root, full_matrices=False)
    keep = values > max(entries.shape) * np.finfo(np.float64).eps * values[0]
    half = np.sqrt(values[keep])
    return u[:, keep] * half, half[:, None] * v[keep] / root, float(values[keep].sum())
