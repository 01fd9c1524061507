"""The least error of any factorization of A for what one person adds, and the one that reaches it.

For Gaussian noise the total squared error of A = L·R is ‖L‖² · Δ₂², and Δ₂² is the largest vᵀRᵀR v
of all moves v of one person. For all weights w ≥ 0 of moves with Σw = 1, and M = Σ w v vᵀ,

    ‖L‖² · max ‖R v‖²  ≥  ‖L‖² · Σ w‖R v‖²  =  ‖L‖² · ‖R √M‖²  ≥  ‖A √M‖²₁

(sum of singular values, squared) by the inequality of Hölder. For one group more or less M is
diag(w): equal weights give the bound of [LM13], (Σσ)²/n. The best weights reach equality. They are
found by multiplying each by a power of its share in Σ w vᵀX v, X = M^{-½}(M^½ AᵀA M^½)^½ M^{-½},
after [DMR22], who do it for one group more or less. So bound and optimum come together.
Limits: searched for up to n = `MOST_ITERATED`. For one group all moves are looked at, and the two
meet. For several groups Δ₂ may be an upper bound (contribution.py) and the moves are those that
were found: then `Optimum.settled` says whether error and bound meet; the bound holds in any case.
[LM13] Li and Miklau, Optimal error of query sets under the differentially-private matrix mechanism,
ICDT 2013.  [DMR22] Denisov, McMahan, Rush, Smith, Thakurta, arXiv:2202.08312.
"""

from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.linear.contribution import Contribution, moves
from dpviz.linear.operators import Matrix, Operator, dense
from dpviz.linear.weighed_moves import weighed_moves
from dpviz.noise import Array

MOST_ITERATED = 128
ROUNDS, ROUNDS_OF_SEVERAL = 250, 80  # the latter look for moves, too
ROUNDING = 1e-12  # of sums of singular values, to the side that stays a bound
CLOSE = 1e-3  # the iteration ends when error and bound are this near
DEPENDENT = 1e-6  # of its length: what is left of a column that those before it make up
FLOOR = 1e-9  # share of the weights that entries alone keep, so that M has an inverse


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """The best factorization that was found, and a bound that none can beat.

    Attributes:
        left: L.
        right: R, with Δ₂ of at most M, the most that one person adds to one entry.
        error: ‖L‖² · (Δ₂/M)².
        bound: at most the error of any factorization.
    """

    left: Matrix
    right: Matrix
    error: float
    bound: float

    def __post_init__(self) -> None:
        checks.non_negative(error=self.error, bound=self.bound)

    @property
    def settled(self) -> bool:
        """Whether error and bound meet, so that this is the optimum."""
        return self.error <= self.bound * (1 + 2 * CLOSE)


def optimum(operator: Operator, contribution: Contribution) -> Optimum:
    """The factorization of least total squared error for Gaussian noise, with its certificate.

    Args:
        operator: A, shape (m, n) with n at most `MOST_ITERATED`, no column all zeros.
        contribution: what one person adds to x.

    Raises:
        ParameterError: if A is too large or a column is all zeros.

    >>> best = optimum(Matrix([[1, 0], [1, 1]]), Contribution())
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
    turned, square = np.linalg.qr(entries / scale)  # once: singular values are those of the square
    nearest, strongest = _best_spreads(square, contribution)
    left, right, nuclear = _factors(square, nearest)
    if strongest is not nearest:
        nuclear = _factors(square, strongest)[2]
    basis = _triangular(right)
    left, right = turned @ left @ basis, basis.T @ right
    most = moves(Matrix(right), contribution).l2.value / contribution.largest
    left, right = left * (most * scale), right / most
    bound = (nuclear * scale) ** 2 * (1 - ROUNDING)
    return Optimum(Matrix(left), Matrix(right), float((left**2).sum()), bound)


def _best_spreads(entries: Array, contribution: Contribution) -> tuple[Array, Array]:
    """M of the weights at which error and bound are nearest, and of those of the largest bound."""
    n = entries.shape[1]
    products = entries.T @ entries
    weighed = weighed_moves(contribution, n)
    best: Array = np.eye(n) / n
    strongest, nearest, most = best, np.inf, 0.0
    for _ in range(ROUNDS if min(contribution.groups, n) == 1 else ROUNDS_OF_SEVERAL):
        spread: Array = (1 - FLOOR) * weighed.spread() + FLOOR * np.eye(n) / n
        root = np.linalg.cholesky(spread)
        values, vectors = np.linalg.eigh(root.T @ products @ root)
        singular = np.sqrt(np.maximum(values, 0.0))
        total = float(singular.sum())
        half = np.linalg.solve(root.T, vectors * np.sqrt(singular))
        gram = half @ half.T
        ratio = weighed.worst(gram) / total
        if ratio < nearest:
            best, nearest = spread, ratio
        if total > most:
            strongest, most = spread, total
        if ratio <= 1 + CLOSE:
            break
        weighed.reweigh(total)
    return best, strongest


def _factors(entries: Array, spread: Array) -> tuple[Array, Array, float]:
    """L = U √Σ and R = √Σ Vᵀ C⁻¹ with U Σ Vᵀ = A C and C Cᵀ = M, of the rank of A; and tr Σ.

    A may be the square factor of a larger matrix, whose U is then the orthogonal one times this U.
    """
    root = np.linalg.cholesky(spread)
    u, values, v = np.linalg.svd(entries @ root, full_matrices=False)
    keep = values > max(entries.shape) * np.finfo(np.float64).eps * values[0]
    half = np.sqrt(values[keep])
    right = np.linalg.solve(root.T, v[keep].T * half).T
    return u[:, keep] * half, right, float(values[keep].sum())


def _triangular(right: Array) -> Array:
    """Orthonormal Q for which QᵀR is upper triangular, the first entry of each row positive.

    Δ₂, and so Gaussian noise, is the same in every basis. Singular vectors would depend on the
    processor, and noise from a seed with them; this basis does not, and needs less Laplace noise.
    """
    basis: Array = np.empty((len(right), 0))
    independent = []
    for place, column in enumerate(right.T):
        new = column
        for _ in range(2):  # the second time takes away what rounding has left
            new = new - basis @ (basis.T @ new)
        far = np.linalg.norm(new)
        if far > DEPENDENT * np.linalg.norm(column):
            independent.append(place)
            basis = np.column_stack([basis, new / far])
    others = [place for place in range(right.shape[1]) if place not in independent]
    q, upper = np.linalg.qr(right[:, independent + others])
    turned: Array = q * np.where(np.diag(upper) < 0, -1.0, 1.0)
    return turned
